// The lease: one load per key over all processes.

package cache

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"
)

// pollEvery is how often a waiter looks by itself, in case the message that should wake it is lost.
const pollEvery = 200 * time.Millisecond

// fill gets a key's answer under its lease.
//
// Without it, N processes load a key N times. SET NX PX gives one of them the right to load, the
// others wait for its answer. It is a lease for one fill, not a mutex: its time is short, so that a
// killed holder costs little, and a live holder renews it; the token is drawn per attempt, so that
// nobody frees a lease that is no longer theirs; and the answer is stored only if the lease still
// holds the token at the end, so that an edit can void a fill by deleting its lease. The price is
// one more round trip for the holder and one message for the others.
//
// Losers load only when they get the lease themselves, that is, when its holder is dead or gave up.
func (c *Cache) fill(ctx context.Context, k *kind, key string, hand inHand, load loader) outcome {
	token := rand.Text()
	// Register before asking: the holder may finish between the two.
	woken, unregister := c.waiters.register(key)
	defer unregister()

	var waited time.Duration
	holderSilent := false
	for {
		// First the slot, then the lease: a holder must not queue for a slot while others wait for it.
		if err := c.bulkhead.enter(ctx); err != nil {
			return outcome{err: err}
		}
		reply, err := c.remote.acquire(ctx, key, token, k.policy.LeaseTTL, hand)
		switch {
		case err != nil:
			// The lease may be ours without our knowing, so give it back; behind, because a silent Redis takes its time.
			c.background(func() { c.abandon(ctx, key, token, nil) })
			if ctx.Err() != nil {
				c.bulkhead.leave()
				return outcome{err: context.Cause(ctx)}
			}
			// No answer from Redis: fail open. Loads stay bounded by the bulkhead and shared by the flight.
			out := c.loadBounded(ctx, k, load)
			out.phases.Lease = waited
			return out
		case reply.granted:
			k.metrics.leases(leaseAcquired).Inc()
			if holderSilent {
				k.metrics.leases(leaseTakeover).Inc()
			}
			out := c.hold(ctx, k, key, token, load)
			out.phases.Lease = waited
			return out
		}
		c.bulkhead.leave()

		if reply.value != nil {
			out, seen, readable := c.decode(k, reply.value)
			if readable {
				out.result, out.phases.Lease = Waited, waited
				return out
			}
			hand = seen
			continue
		}

		k.metrics.leases(leaseHeld).Inc()
		start := time.Now()
		m, err := c.await(ctx, woken, reply.held)
		waited += time.Since(start)
		k.metrics.leaseWait.Observe(time.Since(start).Seconds())
		if err != nil {
			return outcome{err: err}
		}
		if err := m.failure(); err != nil {
			return outcome{err: err}
		}
		holderSilent = m.Kind == ""
		// Look before queueing for a slot again: usually the value is there.
		if out, _, ok := c.read(ctx, k, key); ok {
			if out.result == HitRedis {
				out.result = Waited
			}
			out.phases.Lease = waited
			return out
		}
	}
}

// await waits for a message about the key, the time the lease has left, or the next poll; the message is
// empty for the latter two. It fails only with the caller's context.
func (c *Cache) await(ctx context.Context, woken <-chan message, left time.Duration) (message, error) {
	wait := pollEvery + time.Duration(c.random()*float64(pollEvery)) // jittered: not all waiters at once
	if left > 0 {
		wait = min(wait, left+time.Millisecond)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case m := <-woken:
		return m, nil
	case <-timer.C:
		return message{}, nil
	case <-ctx.Done():
		return message{}, context.Cause(ctx)
	}
}

// hold runs the load of a lease that was granted, in a slot that was entered, and commits its answer.
func (c *Cache) hold(ctx context.Context, k *kind, key, token string, load loader) outcome {
	// The heartbeat belongs to this load, not to the process: it stops at the load timeout at the latest, so that a
	// load that hangs loses its lease.
	beating, stop := context.WithCancel(ctx)
	c.background(func() { c.heartbeat(beating, k, key, token) })
	out := c.loadBounded(ctx, k, load)
	stop()

	if !out.stored(k.policy) {
		err := out.err
		if err == nil {
			err = ErrNotFound
		}
		c.abandon(ctx, key, token, err)
		return out
	}
	ttl := time.Until(k.policy.usableUntil(out.entry))
	if ttl < time.Millisecond { // the load outlasted its own answer's TTL
		c.abandon(ctx, key, token, nil)
		return out
	}
	result, err := c.remote.commit(ctx, key, token, out.entry, ttl, message{Kind: filled, Key: key, From: c.id})
	switch {
	case err != nil:
		// Out of memory, or no answer: whoever waits may try for themselves.
		c.background(func() { c.abandon(ctx, key, token, nil) })
	case result == fenced:
		k.metrics.leases(leaseFenced).Inc()
	case result == stored:
		k.metrics.leases(leaseCommitted).Inc()
	}
	return out
}

// heartbeat renews the lease every third of its TTL until ctx ends or the lease is lost.
func (c *Cache) heartbeat(ctx context.Context, k *kind, key, token string) {
	ticker := time.NewTicker(k.policy.LeaseTTL / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		// An error is not a lost lease: Redis may be back before the lease runs out.
		ours, err := c.remote.renew(ctx, key, token, k.policy.LeaseTTL)
		if ctx.Err() != nil {
			return // the load ended meanwhile, and its lease with it
		}
		switch {
		case err == nil && ours:
			k.metrics.leases(leaseRenewed).Inc()
		case err == nil:
			k.metrics.leases(leaseLost).Inc()
			return
		}
	}
}

// abandon gives a lease back without a value. With a reason, those who wait elsewhere return it; without one, or when the
// reason is only that this process is stopping, one of them loads.
func (c *Cache) abandon(ctx context.Context, key, token string, reason error) {
	m := message{Kind: freed, Key: key, From: c.id}
	if reason != nil && !errors.Is(reason, ErrClosed) {
		m.Failure = failureKind(reason)
		m.Text, _, _ = strings.Cut(reason.Error(), "\n") // a panic's stack is of no use elsewhere
	}
	// The caller's context may be over; Redis's own deadline bounds this. On failure the lease runs out by itself.
	_ = c.remote.abandon(context.WithoutCancel(ctx), key, token, m)
}
