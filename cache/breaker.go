// The circuit breaker round Redis: after a run of failures, stop asking for a while.

package cache

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"
)

// guarded is a remote behind a circuit breaker.
//
// A dead Redis refuses at once, but a silent one costs every lookup its full time-out. After a few failures
// in a row the breaker answers errRedisAway immediately, and one probe a second finds out whether Redis is
// back. No ordinary command does, and none passes before the probe has succeeded: Redis may come back with
// values that were edited meanwhile, so the probe includes what the owner of the data has to tell it first.
//
// What counts: errors and time-outs of ours. What does not: misses, refusals that prove the server alive
// (out of memory, a Cluster's slot on the move), and callers who left.
type guarded struct {
	remote
	breaker *gobreaker.TwoStepCircuitBreaker[struct{}]
	errors  *prometheus.CounterVec
	away    atomic.Bool   // from the moment the breaker opens until a probe has succeeded
	opened  chan struct{} // wakes watch
}

const (
	breakerFailures = 5               // consecutive failures that open it
	breakerPause    = time.Second     // between probes
	probeTimeout    = 5 * time.Second // of one probe
)

var errRedisAway = errors.New("redis is away (circuit breaker open)")

// newGuarded puts a breaker round r, the server of the given name in metrics.
func newGuarded(r remote, server string, m *metrics, log *slog.Logger) *guarded {
	g := &guarded{remote: r, errors: m.remoteErr.MustCurryWith(prometheus.Labels{"server": server}), opened: make(chan struct{}, 1)}
	gauge := m.breaker.WithLabelValues(server)
	g.breaker = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Name:        "redis",
		MaxRequests: 1,
		Timeout:     breakerPause / 2, // shorter than the pause between probes, so that it never refuses one
		ReadyToTrip: func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= breakerFailures },
		IsSuccessful: func(err error) bool {
			return err == nil || errors.Is(err, errMissing) || isReply(err, "OOM") || isReply(err, "TRYAGAIN")
		},
		IsExcluded: func(err error) bool { return errors.Is(err, errCallerLeft) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			gauge.Set(float64(to))
			log.Warn("circuit breaker of the cache's Redis changed", "server", server, "from", from.String(), "to", to.String())
			if to == gobreaker.StateOpen {
				g.away.Store(true)
				select {
				case g.opened <- struct{}{}:
				default: // watch will see it
				}
			}
		},
	})
	return g
}

// watch probes Redis while the breaker keeps commands away, until ctx ends. probe may use the remote itself: its
// commands pass.
func (g *guarded) watch(ctx context.Context, probe func(context.Context) error) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-g.opened:
		}
		for g.away.Load() && ctx.Err() == nil {
			pause(ctx, breakerPause)
			done, err := g.breaker.Allow() // half-open: the one request it lets through is our probe
			if err != nil {
				continue
			}
			err = g.probe(ctx, probe)
			done(err)
			if err == nil {
				g.away.Store(false)
			}
		}
	}
}

type probing struct{}

func (g *guarded) probe(ctx context.Context, probe func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, probing{}, true), probeTimeout)
	defer cancel()
	if err := g.remote.ping(ctx); err != nil {
		return err
	}
	return probe(ctx)
}

// errCallerLeft marks a command that ended because its caller did, which says nothing about Redis.
var errCallerLeft = errors.New("caller left")

// through runs one command if the breaker lets it.
func through[T any](ctx context.Context, g *guarded, command string, run func() (T, error)) (T, error) {
	var none T
	if ctx.Value(probing{}) != nil {
		return run()
	}
	if g.away.Load() {
		return none, errRedisAway
	}
	done, err := g.breaker.Allow()
	if err != nil {
		return none, errRedisAway
	}
	v, err := run()
	switch {
	case err != nil && ctx.Err() != nil:
		done(errCallerLeft)
	default:
		done(err)
	}
	if err != nil && !errors.Is(err, errMissing) && ctx.Err() == nil {
		g.errors.WithLabelValues(command).Inc()
	}
	return v, err
}

func (g *guarded) get(ctx context.Context, key string) ([]byte, error) {
	return through(ctx, g, "get", func() ([]byte, error) { return g.remote.get(ctx, key) })
}

func (g *guarded) set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	_, err := through(ctx, g, "set", func() (struct{}, error) { return struct{}{}, g.remote.set(ctx, key, value, ttl) })
	return err
}

func (g *guarded) acquire(ctx context.Context, key, token string, ttl time.Duration, hand inHand) (acquired, error) {
	return through(ctx, g, "acquire", func() (acquired, error) { return g.remote.acquire(ctx, key, token, ttl, hand) })
}

func (g *guarded) renew(ctx context.Context, key, token string, ttl time.Duration) (bool, error) {
	return through(ctx, g, "renew", func() (bool, error) { return g.remote.renew(ctx, key, token, ttl) })
}

func (g *guarded) commit(ctx context.Context, key, token string, e entry, ttl time.Duration, m message) (commitResult, error) {
	return through(ctx, g, "commit", func() (commitResult, error) { return g.remote.commit(ctx, key, token, e, ttl, m) })
}

func (g *guarded) abandon(ctx context.Context, key, token string, m message) error {
	_, err := through(ctx, g, "abandon", func() (struct{}, error) { return struct{}{}, g.remote.abandon(ctx, key, token, m) })
	return err
}

func (g *guarded) replace(ctx context.Context, key string, e entry, ttl time.Duration, m message) (commitResult, error) {
	return through(ctx, g, "replace", func() (commitResult, error) { return g.remote.replace(ctx, key, e, ttl, m) })
}

func (g *guarded) void(ctx context.Context, key string, m message) error {
	_, err := through(ctx, g, "void", func() (struct{}, error) { return struct{}{}, g.remote.void(ctx, key, m) })
	return err
}
