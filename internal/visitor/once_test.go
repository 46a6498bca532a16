package visitor_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"podbor/internal/servers/serverstest"
	"podbor/internal/visitor"
)

const window = time.Hour

func TestOnceForACrowd(t *testing.T) {
	m, client := newMemory(t, serverstest.Redis(t))
	var times atomic.Int64
	var crowd sync.WaitGroup
	for range 100 {
		crowd.Go(func() {
			outcome, err := m.Once(t.Context(), window, "key", "content", func(context.Context) (string, error) {
				times.Add(1)
				return "first answer", nil
			})
			if err != nil || outcome != "first answer" {
				t.Errorf("%q, %v", outcome, err)
			}
		})
	}
	crowd.Wait()
	if times.Load() != 1 {
		t.Errorf("done %d times", times.Load())
	}
	_, ttl := onlyKey(t, client)
	wantTTL(t, ttl, window)
	if _, err := m.Once(t.Context(), window, "key", "another content", never(t)); !errors.Is(err, visitor.ErrReused) {
		t.Errorf("another content under the key: %v, want ErrReused", err)
	}
}

// Work that failed was not done; the next who asks may try.
func TestOnceAfterAFailure(t *testing.T) {
	m, client := newMemory(t, serverstest.Redis(t))
	failure := errors.New("no")
	if _, err := m.Once(t.Context(), window, "key", "content", func(context.Context) (string, error) { return "", failure }); !errors.Is(err, failure) {
		t.Errorf("%v, want the work's error", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = m.Once(t.Context(), window, "key", "content", func(context.Context) (string, error) { panic("!") })
	}()
	if n := client.DBSize(t.Context()).Val(); n != 0 {
		t.Errorf("%d keys are left", n)
	}
	if outcome, err := m.Once(t.Context(), window, "key", "content", func(context.Context) (string, error) { return "done", nil }); outcome != "done" {
		t.Errorf("%q, %v", outcome, err)
	}
}

// A process that dies in the middle of the work blocks the key until its time is over, and writes no outcome after that.
func TestOnceTakesOverFromTheDead(t *testing.T) {
	m, client := newMemory(t, serverstest.Redis(t))
	outcome, err := m.Once(t.Context(), window, "key", "content", func(ctx context.Context) (string, error) {
		key, ttl := onlyKey(t, client)
		wantTTL(t, ttl, window)
		short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		if _, err := m.Once(short, window, "key", "content", never(t)); err == nil {
			t.Error("the work under way is taken over")
		}
		must(t, client.HSet(ctx, key, "ends", 1).Err()) // as if its time were over
		must(t, client.PExpire(ctx, key, 30*time.Minute).Err())
		if outcome, err := m.Once(ctx, window, "key", "content", func(context.Context) (string, error) { return "taken over", nil }); outcome != "taken over" {
			t.Errorf("%q, %v", outcome, err)
		}
		return "too late", nil
	})
	if outcome != "too late" || err != nil {
		t.Errorf("%q, %v", outcome, err)
	}
	if outcome, err := m.Once(t.Context(), window, "key", "content", never(t)); outcome != "taken over" {
		t.Errorf("%q, %v; want the outcome of the one who took over", outcome, err)
	}
	_, ttl := onlyKey(t, client)
	wantTTL(t, ttl, 30*time.Minute) // the takeover did not prolong it
}

func never(t *testing.T) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		t.Error("the work is done again")
		return "", nil
	}
}
