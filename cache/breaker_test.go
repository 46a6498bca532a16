// The circuit breaker: what opens it, and what it lets through afterwards.

package cache

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
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
	return newGuarded(r, "cache", m, slog.New(slog.DiscardHandler)), r
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

// watched starts the breaker's prober, as a Cache does.
func watched(t *testing.T, g *guarded, probe func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); g.watch(ctx, probe) }()
	t.Cleanup(func() { cancel(); <-done })
}

func TestWhileTheBreakerIsOpen(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"one probe a second asks, and no caller does": func(t *testing.T) {
			g, r := guard(t)
			watched(t, g, func(context.Context) error { return nil })
			open(t, g, r)
			asked := map[string]int{}
			r.onCommand(func(command string) fault { asked[command]++; return refused })
			for range 100 {
				time.Sleep(breakerPause / 10)
				if _, err := g.get(t.Context(), "k"); !errors.Is(err, errRedisAway) {
					t.Fatalf("error %v, want a refusal", err)
				}
			}
			synctest.Wait()
			if asked["get"] != 0 || asked["ping"] < 9 || asked["ping"] > 11 {
				t.Errorf("in ten seconds Redis was asked %v, want about 10 pings and nothing else", asked)
			}
		},
		"it closes when a probe succeeds": func(t *testing.T) {
			g, r := guard(t)
			watched(t, g, func(context.Context) error { return nil })
			open(t, g, r)
			r.onCommand(nil)
			time.Sleep(breakerPause + 1)
			synctest.Wait()
			wantState(t, g, gobreaker.StateClosed)
			if _, err := g.get(t.Context(), "k"); !errors.Is(err, errMissing) {
				t.Errorf("error %v, want Redis's answer", err)
			}
		},
		"the owner's part of the probe comes first, and its commands pass": func(t *testing.T) {
			g, r := guard(t)
			behind := errors.New("invalidations left to do")
			probes := 0
			watched(t, g, func(ctx context.Context) error {
				if err := g.void(ctx, "k", message{}); err != nil {
					t.Errorf("the probe's own command: %v", err)
				}
				if _, err := g.get(t.Context(), "k"); !errors.Is(err, errRedisAway) {
					t.Errorf("a caller during the probe: error %v, want a refusal", err)
				}
				if probes++; probes < 3 {
					return behind
				}
				return nil
			})
			open(t, g, r)
			r.onCommand(nil)
			for range 2 {
				time.Sleep(breakerPause + 1)
				synctest.Wait()
				if _, err := g.get(t.Context(), "k"); !errors.Is(err, errRedisAway) {
					t.Errorf("after a failed probe: error %v, want a refusal", err)
				}
			}
			time.Sleep(2 * breakerPause)
			synctest.Wait()
			if _, err := g.get(t.Context(), "k"); !errors.Is(err, errMissing) || probes != 3 {
				t.Errorf("after %d probes: error %v, want Redis's answer after 3", probes, err)
			}
		},
	})
}
