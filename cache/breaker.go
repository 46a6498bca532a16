// The circuit breaker round Redis: after a run of failures, stop asking for a while.

package cache

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"
)

// guarded is a remote behind a circuit breaker.
//
// A dead Redis refuses at once, but a silent one costs every lookup its full time-out. After a few failures
// in a row the breaker answers errRedisAway immediately; after a pause it lets one command through to see.
// What counts: errors and time-outs of ours. What does not: misses, refusals that prove the server alive
// (out of memory), and callers who left.
type guarded struct {
	remote
	breaker *gobreaker.TwoStepCircuitBreaker[struct{}]
	errors  *prometheus.CounterVec
}

const (
	breakerFailures = 5           // consecutive failures that open it
	breakerPause    = time.Second // before it lets one command through
)

var errRedisAway = errors.New("redis is away (circuit breaker open)")

func newGuarded(r remote, m *metrics, log *slog.Logger) *guarded {
	gauge := m.breaker.WithLabelValues("cache")
	return &guarded{
		remote: r,
		errors: m.remoteErr,
		breaker: gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
			Name:        "redis",
			MaxRequests: 1,
			Timeout:     breakerPause,
			ReadyToTrip: func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= breakerFailures },
			IsSuccessful: func(err error) bool {
				return err == nil || errors.Is(err, errMissing) || isReply(err, "OOM")
			},
			IsExcluded: func(err error) bool { return errors.Is(err, errCallerLeft) },
			OnStateChange: func(_ string, from, to gobreaker.State) {
				gauge.Set(float64(to))
				log.Warn("circuit breaker of the cache's Redis changed", "from", from.String(), "to", to.String())
			},
		}),
	}
}

// errCallerLeft marks a command that ended because its caller did, which says nothing about Redis.
var errCallerLeft = errors.New("caller left")

// through runs one command if the breaker lets it.
func through[T any](ctx context.Context, g *guarded, command string, run func() (T, error)) (T, error) {
	var none T
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

func (g *guarded) void(ctx context.Context, key string, m message) error {
	_, err := through(ctx, g, "void", func() (struct{}, error) { return struct{}{}, g.remote.void(ctx, key, m) })
	return err
}
