// The lab of this process: herds at further processes of the same program, beside the same servers.

package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/redis/go-redis/v9"

	"podbor/internal/herd"
	"podbor/internal/lab"
)

// openLab starts no process yet: the first run does.
func openLab(cfg config, client redis.UniversalClient, namespace string, breakable *lab.Redis, log *slog.Logger) (*lab.Runner, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("looking for the program itself, which the lab runs: %w", err)
	}
	dir := filepath.Join(cfg.DataDir, "lab")
	return lab.Open(lab.Config{
		Dir:     dir,
		SiteURL: fmt.Sprintf("http://127.0.0.1:%d", cfg.Port),
		Site: herd.Site{
			Program: program, Dir: dir, Env: []string{"LISTING_REDIS_URL=" + cfg.ListingRedisURL},
			DatabaseURL: cfg.DatabaseURL, RedisURL: cfg.RedisURL, SessionRedisURL: cfg.SessionRedisURL,
			Pool: cfg.DBPool, Rows: cfg.SeedRows,
		},
		Cache: client, Namespace: namespace, Redis: breakable, Log: log,
	})
}
