// `go run` builds the program, runs it as a child and, unlike a shell's exec, does not pass SIGTERM on, let alone
// SIGKILL: the site and its servers would go on without it. So a site started that way ends when its parent does.

package main

import (
	"context"
	"os"
	"strings"
	"time"
)

const parentPoll = 500 * time.Millisecond

// endWithGoRun returns a context that also ends when the `go run` that started us is gone.
func endWithGoRun(ctx context.Context) (context.Context, context.CancelFunc) {
	program, err := os.Executable()
	if err != nil || !strings.Contains(program, "go-build") { // in the temporary folder, or cached
		return context.WithCancel(ctx)
	}
	return endWithParent(ctx)
}

// endWithParent polls: no system tells a child that its parent has ended, but all give it another parent.
func endWithParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		ticker := time.NewTicker(parentPoll)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if os.Getppid() != parent {
					cancel()
				}
			}
		}
	}()
	return ctx, cancel
}
