package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"testing"

	"go.uber.org/goleak"
)

// TestMain sees a left-over process of the site or of a server as a goroutine that waits for it. Like the program, the test
// binary is an editor when it is told to be one.
func TestMain(m *testing.M) {
	if os.Getenv(editorVariable) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		if err := runEditor(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	goleak.VerifyTestMain(m)
}
