// A process that holds a lease is killed: a real process, with SIGKILL, while a hundred callers wait for it elsewhere.

package cache

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// holdLeaseOn makes the test binary a process that holds the lease of key 1 on the Redis of that URL (see TestMain).
const holdLeaseOn = "CACHE_TEST_HOLD_LEASE_ON"

func shortLease(s Strategy) Policy {
	p := testPolicy(s)
	p.LeaseTTL, p.LoadTimeout = time.Second, 30*time.Second
	return p
}

// holdLeaseForEver is the main function of that process.
func holdLeaseForEver(url string) error {
	client, err := Connect(url)
	if err != nil {
		return err
	}
	c, err := New(Options{Client: client, Namespace: "test", Registry: prometheus.NewRegistry(), MaxLoads: 8})
	if err != nil {
		return err
	}
	g, err := NewGroup[doc](c, "docs", 1, shortLease(Both))
	if err != nil {
		return err
	}
	_, err = g.Get(context.Background(), "1", func(ctx context.Context) (doc, error) {
		fmt.Println("loading")
		<-ctx.Done() // in 30 s at the latest
		return doc{}, ctx.Err()
	})
	return err
}

// startHolder starts it, and returns once its load runs.
func startHolder(t *testing.T, server *redisServer) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdLeaseOn+"="+server.url())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "loading\n" {
		t.Fatalf("the holder says %q, %v", line, err)
	}
	return cmd
}

func TestAHolderIsKilled(t *testing.T) {
	for _, strategy := range []Strategy{Both, Lock} {
		t.Run(string(strategy), func(t *testing.T) {
			server := startRedis(t)
			policy := shortLease(strategy)
			processes := []*testProcess{server.listening(t, policy), server.listening(t, policy)}
			holder := startHolder(t, server)

			s := holding("a", 10*time.Millisecond)
			waiting := make(chan []answer, 1)
			go func() { waiting <- herdOver(t, processes, 100, s) }()
			for _, p := range processes {
				eventually(t, "it waits", func() bool { return counted(t, p.kind.metrics.leases(leaseHeld)) > 0 })
			}

			killed := time.Now()
			if err := holder.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			wantText(t, "a", <-waiting...)
			took := time.Since(killed)
			t.Logf("all 100 answered %v after the kill", took.Round(time.Millisecond))
			if took > 2*policy.LeaseTTL {
				t.Errorf("takeover took %v, want about %v", took, policy.LeaseTTL)
			}
			wantLoads(t, s, 1)
			takeovers := 0.0
			for _, p := range processes {
				takeovers += counted(t, p.kind.metrics.leases(leaseTakeover))
			}
			if takeovers != 1 {
				t.Errorf("%v takeovers counted, want 1", takeovers)
			}
		})
	}
}
