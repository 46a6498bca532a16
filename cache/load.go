// Loads: running the caller's loader so that nothing it does can hurt those who wait for it.

package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// A loader gets an answer from the source. It returns ErrNotFound (or an error that wraps it) for
// "there is no such thing", and obeys its context.
type loader func(context.Context) (any, error)

// The outcomes of cache_loads_total.
const (
	loadOK       = "ok"
	loadNotFound = "not_found"
	loadError    = "error"
	loadTimeout  = "timeout"
	loadPanic    = "panic"
)

// detach returns a context that keeps ctx's values but neither its deadline nor its cancellation: work
// for many must not die with the one who happened to start it. It ends after timeout or with the cache.
func (c *Cache) detach(ctx context.Context, timeout time.Duration, late error) (context.Context, context.CancelFunc) {
	detached, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), timeout, late)
	detached, cancelCause := context.WithCancelCause(detached)
	stop := context.AfterFunc(c.ctx, func() { cancelCause(ErrClosed) })
	return detached, func() { stop(); cancelCause(context.Canceled); cancel() }
}

// loadBounded runs load in a slot of the bulkhead, which the caller has entered, detached from ctx. It returns when
// the load does, or at the load timeout even if the load does not; the slot stays taken until the load really ends.
func (c *Cache) loadBounded(ctx context.Context, k *kind, load loader) outcome {
	ctx, cancel := c.detach(ctx, k.policy.LoadTimeout, ErrLoadTimeout)
	defer cancel() // not where the load ends: the select below could take that for a cancelled load
	done := make(chan outcome, 1)
	start := time.Now()
	c.background(func() {
		defer c.bulkhead.leave()
		// Runs after a Goexit too, which no return value survives.
		out := outcome{err: fmt.Errorf("%w: runtime.Goexit", ErrLoadPanicked)}
		defer func() { done <- out }()
		out = c.loadHere(ctx, k, load)
	})
	var out outcome
	select {
	case out = <-done:
	case <-ctx.Done():
		out = outcome{err: context.Cause(ctx)}
	}
	out.phases.Load = time.Since(start)
	k.metrics.loads(loadOutcome(out)).Inc()
	k.metrics.loadTime.Observe(out.phases.Load.Seconds())
	return out
}

// loadNaked runs load as the site in the incident did: in the caller's place, neither cancelled when the
// caller's client leaves nor bounded in time.
func (c *Cache) loadNaked(ctx context.Context, k *kind, load loader) outcome {
	start := time.Now()
	out := c.loadHere(context.WithoutCancel(ctx), k, load)
	out.phases.Load = time.Since(start)
	k.metrics.loads(loadOutcome(out)).Inc()
	k.metrics.loadTime.Observe(out.phases.Load.Seconds())
	return out
}

// loadHere runs load and makes an entry of its answer. A panic becomes an error.
func (c *Cache) loadHere(ctx context.Context, k *kind, load loader) (out outcome) {
	defer func() {
		if v := recover(); v != nil {
			out = outcome{err: &panicError{value: v, stack: debug.Stack()}}
		}
	}()
	start := time.Now() // before the load: see entry
	value, err := load(ctx)
	notFound := errors.Is(err, ErrNotFound)
	switch {
	case err != nil && !notFound && context.Cause(ctx) != nil:
		return outcome{err: fmt.Errorf("%w: %w", context.Cause(ctx), err)}
	case err != nil && !notFound:
		return outcome{err: err}
	}
	e := entry{schema: k.schema, notFound: notFound, start: start, cost: time.Since(start)}
	e.soft, e.hard = k.policy.expiries(start, notFound, c.random())
	if notFound {
		value = nil
	} else if e.payload, err = k.encode(value); err != nil {
		return outcome{err: fmt.Errorf("encode %s: %w", k.prefix, err)}
	} else {
		e.version = k.version(value)
	}
	return outcome{entry: e, value: value, result: Loaded}
}

func loadOutcome(out outcome) string {
	switch {
	case errors.Is(out.err, ErrLoadTimeout):
		return loadTimeout
	case errors.Is(out.err, ErrLoadPanicked):
		return loadPanic
	case out.err != nil:
		return loadError
	case out.entry.notFound:
		return loadNotFound
	}
	return loadOK
}
