// The command line: serve (no argument), admin, checklist, flag, healthcheck, help.

package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/lmittmann/tint"
	"github.com/mattn/go-isatty"
)

// command does what args ask for.
func command(ctx context.Context, args []string) error {
	if len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		return printHelp(os.Stdout)
	}
	cfg, err := configFromEnv(os.Environ())
	if err != nil {
		return err
	}
	switch {
	case len(args) == 0:
		ctx, stop := endWithGoRun(ctx)
		defer stop()
		return run(ctx, cfg, newLog(cfg.LogFormat, os.Stderr))
	case len(args) == 1 && args[0] == "healthcheck":
		return healthcheck(ctx, fmt.Sprintf("http://127.0.0.1:%d/readyz", cfg.Port))
	case len(args) == 1 && args[0] == "checklist":
		return printChecklist(ctx, cfg, os.Stdout)
	case args[0] == "admin":
		return admin(ctx, cfg, args[1:], os.Stdout)
	case args[0] == "flag":
		return flag(ctx, cfg, args[1:], os.Stdout)
	default:
		return fmt.Errorf("cannot understand %q; -h lists what there is", args)
	}
}

// healthcheck is for images without a shell: it fails unless url answers 200 within two seconds.
func healthcheck(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s answers %s", url, response.Status)
	}
	return nil
}

// newLog writes lines for people, in colour on a terminal, or JSON.
func newLog(format string, w *os.File) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{TimeFormat: time.TimeOnly, NoColor: !isTerminal(w)}))
}

func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }
