// The bulkhead: a bound on the loads that one process runs at once.

package cache

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"
)

// A bulkhead bounds concurrent loads over all keys of a process.
//
// Single-flight helps against a herd for one key; a storm of different keys (a crawler walking
// filter combinations, a cold cache, Redis away) would still exhaust the connection pool.
// The bulkhead leaves the rest of the pool to everybody else. The price: when it is full,
// callers wait, and after a bounded wait are turned away. Size it below the pool.
type bulkhead struct {
	slots *semaphore.Weighted
	wait  time.Duration
}

func newBulkhead(size int64, wait time.Duration) *bulkhead {
	return &bulkhead{slots: semaphore.NewWeighted(size), wait: wait}
}

// enter returns once this caller holds a slot. It returns ErrOverloaded when none came free in
// time, or the error of a context that ended first.
func (b *bulkhead) enter(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, b.wait)
	defer cancel()
	if err := b.slots.Acquire(bounded, 1); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return ErrOverloaded
	}
	return nil
}

func (b *bulkhead) leave() { b.slots.Release(1) }
