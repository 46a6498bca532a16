package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"podbor/cache"
)

func TestChecklistHoldsForTheDefault(t *testing.T) {
	cfg := runSite(t, cache.Both)
	var table strings.Builder
	if err := printChecklist(t.Context(), cfg, &table); err != nil {
		t.Errorf("%v:\n%s", err, table.String())
	}
	if lines := strings.Count(table.String(), "\n"); lines < 40 {
		t.Errorf("%d lines; want the whole table:\n%s", lines, table.String())
	}
}

func TestChecklistFailsWithoutProtection(t *testing.T) {
	cfg := runSite(t, cache.Aside)
	var table strings.Builder
	if err := printChecklist(t.Context(), cfg, &table); err == nil {
		t.Errorf("plain cache-aside passes:\n%s", table.String())
	}
	for _, want := range []string{"FAILS  list ", "FAILS  facets ", "ok     list "} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table has no line that starts %q:\n%s", want, table.String())
		}
	}
}

func TestChecklistWithoutSite(t *testing.T) {
	cfg := config{Port: freePort(t), DataDir: t.TempDir()}
	err := printChecklist(t.Context(), cfg, &strings.Builder{})
	if err == nil || !strings.Contains(err.Error(), "make run") {
		t.Errorf("%v; want a sentence that says what to do", err)
	}
}

// runSite runs the whole program, private servers included, until the test ends. It returns when the site is ready.
func runSite(t *testing.T, s cache.Strategy) config {
	t.Helper()
	dir, err := os.MkdirTemp("", "podbor-test-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // as root, PostgreSQL runs under another user
		t.Fatal(err)
	}
	cfg := config{Port: freePort(t), DataDir: dir, SeedRows: 2000, Strategy: s, DBPool: 10}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, cfg, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	url := fmt.Sprintf("http://127.0.0.1:%d/readyz", cfg.Port)
	for deadline := time.Now().Add(time.Minute); healthcheck(t.Context(), url) != nil; {
		select {
		case err := <-ended:
			ended <- err
			t.Fatal(err)
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatal("not ready after a minute")
		}
	}
	return cfg
}
