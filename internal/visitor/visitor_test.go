// What all of it promises: keys live as long as their window, and a Redis that is away lets nobody through.

package visitor_test

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/internal/servers"
	"podbor/internal/servers/serverstest"
	"podbor/internal/visitor"
)

func TestMain(m *testing.M) { serverstest.Main(m) }

// newMemory returns an empty memory, and its Redis to look behind its back.
func newMemory(t *testing.T, url string) (*visitor.Memory, *redis.Client) {
	t.Helper()
	options, err := redis.ParseURL(url)
	must(t, err)
	options.MaxRetries, options.ContextTimeoutEnabled = -1, true
	client := redis.NewClient(options)
	t.Cleanup(func() { client.Close() })
	return visitor.New(client, "test"), client
}

// onlyKey returns the one key in Redis and how long it has to live.
func onlyKey(t *testing.T, client *redis.Client) (string, time.Duration) {
	t.Helper()
	keys, err := client.Keys(t.Context(), "*").Result()
	must(t, err)
	if len(keys) != 1 {
		t.Fatalf("keys %q, want one", keys)
	}
	ttl, err := client.PTTL(t.Context(), keys[0]).Result()
	must(t, err)
	return keys[0], ttl
}

// wantTTL allows for the time that the test has taken.
func wantTTL(t *testing.T, got, window time.Duration) {
	t.Helper()
	if got > window || got < window-5*time.Second {
		t.Errorf("the key lives %v more, want %v", got, window)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Silent is worse than gone: nothing but a deadline tells.
func TestAwayMeansNo(t *testing.T) {
	server, err := servers.StartRedis(t.Context(), t.TempDir())
	must(t, err)
	t.Cleanup(func() { must(t, server.Stop()) })
	m, _ := newMemory(t, server.URL)
	id, err := m.StartSession(t.Context(), visitor.Session{Account: 1}, "")
	must(t, err)

	wantAway := func() {
		t.Helper()
		ctx := t.Context()
		started := time.Now()
		_, once := m.Once(ctx, time.Minute, "k", "c", func(context.Context) (string, error) {
			t.Error("the work is done although nobody knows whether it was done before")
			return "", nil
		})
		_, start := m.StartSession(ctx, visitor.Session{Account: 1}, id)
		_, session := m.Session(ctx, id)
		for what, err := range map[string]error{
			"limit": m.Allow(ctx, visitor.Limit{Name: "x", Most: 5, Window: time.Minute}, "me"), "once": once,
			"start": start, "session": session, "end": m.EndSession(ctx, id),
		} {
			if !errors.Is(err, visitor.ErrAway) {
				t.Errorf("%s: %v, want ErrAway", what, err)
			}
		}
		if took := time.Since(started); took > 10*time.Second {
			t.Errorf("five answers took %v", took)
		}
	}
	must(t, syscall.Kill(server.PID(), syscall.SIGSTOP))
	wantAway()
	must(t, syscall.Kill(server.PID(), syscall.SIGCONT))
	if _, err := m.Session(t.Context(), id); err != nil && !errors.Is(err, visitor.ErrNoSession) { // the ends were asked for late
		t.Errorf("it is back, and: %v", err)
	}
	must(t, syscall.Kill(server.PID(), syscall.SIGKILL))
	<-server.Exited()
	wantAway()
	must(t, server.Restart(t.Context()))
	if _, err := m.Session(t.Context(), id); !errors.Is(err, visitor.ErrNoSession) {
		t.Errorf("a Redis that has lost everything: %v, want ErrNoSession", err)
	}
}
