// The circuit breaker: what opens it, and what it lets through afterwards.

package cache

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"
)

// guard puts a breaker round a fake.
func guard(t *testing.T) (*guarded, *fakeRemote) {
	t.Helper()
	m, err := newMetrics(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	r := &fakeRemote{redis: newFakeRedis()}
	return newGuarded(r, m, slog.New(slog.DiscardHandler)), r
}

// open makes it fail until it opens.
func open(t *testing.T, g *guarded, r *fakeRemote) {
	t.Helper()
	r.onCommand(failing(refused))
	for range breakerFailures {
		_, _ = g.get(t.Context(), "k")
	}
	wantState(t, g, gobreaker.StateOpen)
}

func wantState(t *testing.T, g *guarded, want gobreaker.State) {
	t.Helper()
	if got := g.breaker.State(); got != want {
		t.Errorf("breaker is %v, want %v", got, want)
	}
}

func TestTheBreakerStaysClosed(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"through any number of misses": func(t *testing.T) {
			g, _ := guard(t)
			for range 1000 {
				if _, err := g.get(t.Context(), "k"); !errors.Is(err, errMissing) {
					t.Fatal(err)
				}
			}
			wantState(t, g, gobreaker.StateClosed)
		},
		"when callers leave": func(t *testing.T) {
			g, r := guard(t)
			r.onCommand(failing(silent))
			for range 1000 {
				ctx, cancel := context.WithTimeout(t.Context(), commandTimeout/2)
				if _, err := g.get(ctx, "k"); err == nil {
					t.Fatal("no error")
				}
				cancel()
			}
			wantState(t, g, gobreaker.StateClosed)
		},
		"when failures do not come in a row": func(t *testing.T) {
			g, r := guard(t)
			for range 20 {
				r.onCommand(failing(refused))
				for range breakerFailures - 1 {
					_, _ = g.get(t.Context(), "k")
				}
				r.onCommand(nil)
				_, _ = g.get(t.Context(), "k")
			}
			wantState(t, g, gobreaker.StateClosed)
		},
	})
}

func TestTheBreakerOpens(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"after time-outs in a row, and then refuses at once": func(t *testing.T) {
			g, r := guard(t)
			r.onCommand(failing(silent))
			for range breakerFailures {
				if _, err := g.get(t.Context(), "k"); errors.Is(err, errRedisAway) {
					t.Fatal("open too early")
				}
			}
			start := time.Now()
			if _, err := g.get(t.Context(), "k"); !errors.Is(err, errRedisAway) || time.Since(start) != 0 {
				t.Errorf("error %v after %v, want a refusal at once", err, time.Since(start))
			}
		},
		"whatever the command": func(t *testing.T) {
			g, r := guard(t)
			r.onCommand(failing(refused))
			ctx, m := t.Context(), message{}
			_ = g.set(ctx, "k", nil, time.Second)
			_, _ = g.acquire(ctx, "k", "t", time.Second, inHand{})
			_, _ = g.renew(ctx, "k", "t", time.Second)
			_, _ = g.commit(ctx, "k", "t", sampleEntry(), time.Second, m)
			wantState(t, g, gobreaker.StateClosed)
			_ = g.abandon(ctx, "k", "t", m)
			wantState(t, g, gobreaker.StateOpen)
			for _, err := range []error{g.void(ctx, "k", m), g.abandon(ctx, "k", "t", m), g.set(ctx, "k", nil, time.Second)} {
				if !errors.Is(err, errRedisAway) {
					t.Errorf("error %v, want %v", err, errRedisAway)
				}
			}
		},
	})
}

func TestTheBreakerHalfOpens(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"for exactly one of two hundred callers, and closes when it succeeds": func(t *testing.T) {
			g, r := guard(t)
			open(t, g, r)
			time.Sleep(breakerPause + 1)
			r.onCommand(func(string) fault { time.Sleep(time.Millisecond); return none })
			through := 0
			for _, a := range herd(200, func(int) (doc, error) { _, err := g.get(t.Context(), "k"); return doc{}, err }) {
				if !errors.Is(a.err, errRedisAway) {
					through++
				}
			}
			if through != 1 {
				t.Errorf("%d callers came through, want 1", through)
			}
			wantState(t, g, gobreaker.StateClosed)
		},
		"and opens again when that one fails": func(t *testing.T) {
			g, r := guard(t)
			open(t, g, r)
			for range 3 {
				time.Sleep(breakerPause + 1)
				if _, err := g.get(t.Context(), "k"); !errors.Is(err, errRefused) {
					t.Errorf("error %v, want the probe's", err)
				}
				if _, err := g.get(t.Context(), "k"); !errors.Is(err, errRedisAway) {
					t.Errorf("error %v, want a refusal", err)
				}
			}
		},
		"and lets the next one through when that one's caller leaves": func(t *testing.T) {
			g, r := guard(t)
			open(t, g, r)
			time.Sleep(breakerPause + 1)
			r.onCommand(failing(silent))
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			_, _ = g.get(ctx, "k")
			wantState(t, g, gobreaker.StateHalfOpen)
			r.onCommand(nil)
			if _, err := g.get(t.Context(), "k"); !errors.Is(err, errMissing) {
				t.Errorf("error %v, want a miss", err)
			}
			wantState(t, g, gobreaker.StateClosed)
		},
	})
}
