// Background refresh: stale-while-revalidate and probabilistic early refresh (XFetch).

package cache

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"time"
)

const (
	// maxRefreshes bounds the background refreshes of a process; the rest is tried again at a later hit.
	maxRefreshes = 8
	// refreshBackoff is how long a key rests after a failed refresh: the source is down, and asking it
	// again at every hit would not help it up.
	refreshBackoff = time.Second
)

// due reports whether a value should be refreshed although it can be served; rnd is in (0, 1].
//
// Stale-while-revalidate: past the soft expiry, serve at once and refresh behind. Nobody waits, the
// price is a value that is stale for the length of one refresh.
//
// XFetch (Vattani, Chierichetti, Lowenstein 2015) refreshes a little before the expiry, with a
// probability that grows towards it: now − δ·β·ln(rnd) ≥ expiry. Expensive values (large δ) start
// earlier, popular ones meet a lucky draw sooner. Alone it still makes about e^(1/β) loads per
// expiry, because those who draw do not know of each other; the lease makes it one.
func due(s Strategy, e entry, beta float64, now time.Time, rnd float64) bool {
	switch s {
	case SWR:
		return !e.fresh(now)
	case XFetch:
		early := time.Duration(float64(e.cost) * beta * -math.Log(rnd))
		return !e.fresh(now.Add(early))
	case Off, Aside, Flight, Lock, Both:
	}
	return false
}

// maybeRefresh starts a background refresh of the value out holds, if one is due and none is running here.
func (c *Cache) maybeRefresh(ctx context.Context, k *kind, key string, e entry, load loader, now time.Time) {
	if e.notFound || !due(k.policy.Strategy, e, k.policy.Beta, now, 1-c.random()) {
		return
	}
	call, first := c.process.beginRefresh(key)
	if !first {
		return
	}
	begun := c.begin(func() {
		ctx, cancel := c.detach(ctx, k.policy.LoadTimeout+k.policy.LeaseTTL, ErrLoadTimeout)
		defer cancel()
		out := c.refresh(ctx, k, key, e, load)
		if out.err != nil {
			// Keep the place, so that no hit starts another, until the back-off is over.
			pause(c.ctx, refreshBackoff)
		}
		c.process.land(key, call, k, out, time.Now())
	})
	if !begun {
		c.process.land(key, call, k, outcome{err: ErrClosed}, now)
	}
}

// refresh tries for the lease without waiting: who does not get it has a value to serve, and the holder is at work.
func (c *Cache) refresh(ctx context.Context, k *kind, key string, e entry, load loader) outcome {
	if !c.refreshSlots.TryAcquire(1) {
		return outcome{err: ErrOverloaded}
	}
	defer c.refreshSlots.Release(1)
	if err := c.bulkhead.enter(ctx); err != nil {
		return outcome{err: err}
	}
	token := rand.Text()
	reply, err := c.remote.acquire(ctx, key, token, k.policy.LeaseTTL, inHand{any: true, stamp: e.stamp()})
	switch {
	case err != nil:
		c.bulkhead.leave()
		c.abandon(ctx, key, token, nil)
		return outcome{err: err}
	case reply.granted:
		k.metrics.leases(leaseAcquired).Inc()
		return c.hold(ctx, k, key, token, load)
	}
	c.bulkhead.leave()
	if out, _, readable := c.decode(k, reply.value); readable {
		return out // another process was faster
	}
	k.metrics.leases(leaseHeld).Inc()
	return outcome{err: errRefreshElsewhere}
}

// errRefreshElsewhere: another process holds the lease. Its value will be met in Redis once the local copy is old.
var errRefreshElsewhere = errors.New("being refreshed by another process")

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
