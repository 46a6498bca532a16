// The command `podbor checklist`: what one should ask before calling a cache done, answered by the running system.

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"podbor/cache"
	"podbor/internal/checklist"
	"podbor/models"
)

// printChecklist checks the site on cfg.Port and its servers. Its error tells that something does not hold.
func printChecklist(ctx context.Context, cfg config, w io.Writer) error {
	if err := findServers(&cfg); err != nil {
		return err
	}
	db, err := models.Open(ctx, cfg.DatabaseURL, 1)
	if err != nil {
		return err
	}
	defer db.Close()
	namespace, err := cacheNamespace(ctx, db)
	if err != nil {
		return err
	}
	client, err := cache.Connect(cfg.RedisURL)
	if err != nil {
		return err
	}
	defer client.Close()
	sessions, err := cache.Connect(cfg.SessionRedisURL)
	if err != nil {
		return err
	}
	defer sessions.Close()

	rows, err := checklist.Run(ctx, checklist.Target{
		URL: fmt.Sprintf("http://127.0.0.1:%d", cfg.Port), Cache: client, Session: sessions, Namespace: namespace,
	})
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		verdict := "ok"
		if !r.OK {
			verdict = "FAILS"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", verdict, r.Subject, r.Check, r.Found)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return checklist.Failed(rows)
}

// findServers fills the URLs that cfg lacks in with those of the private servers that a running site has started.
func findServers(cfg *config) error {
	if cfg.SessionRedisURL == "" {
		cfg.SessionRedisURL = cfg.RedisURL // as startPrivateServers does
	}
	return cmp.Or(
		findServer(*cfg, "postgres.url", &cfg.DatabaseURL),
		findServer(*cfg, "redis.url", &cfg.RedisURL),
		findServer(*cfg, "sessions/redis.url", &cfg.SessionRedisURL),
	)
}

// findServer fills in the URL of one private server that runs, unless there is one.
func findServer(cfg config, file string, url *string) error {
	if *url != "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(cfg.DataDir, file))
	if err != nil {
		return fmt.Errorf("no site runs on the data in %s: start one with make run (%w)", cfg.DataDir, err)
	}
	*url = strings.TrimSpace(string(text))
	return nil
}
