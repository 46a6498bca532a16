package cache

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"
)

// TestMain fails the package if a test leaves a goroutine behind.
func TestMain(m *testing.M) {
	if url := os.Getenv(holdLeaseOn); url != "" { // not a test, but a process that one kills
		fmt.Fprintln(os.Stderr, holdLeaseForEver(url))
		os.Exit(1)
	}
	redis.SetLogger(quiet{})                          // dead servers are on purpose here
	if config := os.Getenv(memberEnv); config != "" { // nor is this
		if err := serveMember(config); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}
