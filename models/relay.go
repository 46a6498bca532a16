// The relay: tells Redis of edits that nobody else told it of, because they were made with psql, because the process
// that made them died, or because Redis was away.

package models

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	relayEvery   = 100 * time.Millisecond
	relayBackoff = time.Second     // the longest pause while the database or Redis is away
	relayBatch   = 500             // rows of one pass
	relayTimeout = 5 * time.Second // of one pass
	relayLook    = time.Second     // between two looks at which Redis is the primary
	relayPrune   = time.Minute
)

// A Relay carries the outbox to Redis. Every process has one; they share the rows, and none waits for another.
//
// A pass claims rows, tells Redis, and marks them. It may die after each step: unmarked rows are claimed again when the
// claim has run out, and telling Redis twice does no harm. No row is locked while it waits for Redis.
//
// Outbox rows must not be paged through by id: ids are given out when rows are written, and become visible when their
// transactions commit, in another order.
type Relay struct {
	db        *DB
	primaries func(context.Context) (string, error)
	log       *slog.Logger

	started    chan struct{}                               // closed by Start
	invalidate func(ctx context.Context, key string) error // written before started is closed, read only after
	cancel     context.CancelFunc
	running    sync.WaitGroup
}

// NewRelay returns a relay from db that is yet to be started. primaries names the Redis servers that accept writes now.
func NewRelay(db *DB, primaries func(context.Context) (string, error), log *slog.Logger) *Relay {
	return &Relay{db: db, primaries: primaries, log: log, started: make(chan struct{}), cancel: func() {}}
}

// Start begins to carry rows to the store's cache, until Close.
func (r *Relay) Start(store *Cached) {
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel, r.invalidate = cancel, store.Invalidate
	close(r.started)
	r.running.Go(func() { r.run(ctx) })
}

// Close ends the relay and waits for it.
func (r *Relay) Close() {
	r.cancel()
	r.running.Wait()
}

// Probe tells Redis everything that it has not been told, whoever is at it. Give it to the cache, which calls it when
// Redis was away: after it no edit made before it can be missing there. It waits for Start.
func (r *Relay) Probe(ctx context.Context) error {
	select {
	case <-r.started:
	case <-ctx.Done():
		return fmt.Errorf("waiting for the relay to start: %w", context.Cause(ctx))
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	rows, err := r.db.pendingOutbox(ctx)
	if err != nil {
		return err
	}
	return r.apply(ctx, rows)
}

func (r *Relay) run(ctx context.Context) {
	var looked, pruned time.Time
	wait, away := relayEvery, false
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		rows, err := r.pass(ctx, &looked, &pruned)
		switch {
		case err != nil && ctx.Err() != nil:
			return
		case err != nil:
			wait, looked = min(2*max(wait, relayEvery), relayBackoff), time.Time{}
			if !away { // once, not every second
				r.log.Warn("edits cannot be relayed to Redis for now", "err", err)
			}
		case rows == relayBatch:
			wait = 0
		default:
			wait = relayEvery
		}
		away = err != nil
	}
}

// pass relays up to relayBatch rows. Before that it looks whether Redis is there, so as not to claim rows in vain.
func (r *Relay) pass(ctx context.Context, looked, pruned *time.Time) (rows int, err error) {
	ctx, cancel := context.WithTimeout(ctx, relayTimeout)
	defer cancel()
	if now := time.Now(); now.Sub(*looked) >= relayLook {
		if err := r.look(ctx); err != nil {
			return 0, err
		}
		*looked = now
	}
	if now := time.Now(); now.Sub(*pruned) >= relayPrune {
		if err := r.db.pruneOutbox(ctx); err != nil {
			return 0, err
		}
		*pruned = now
	}
	claimed, err := r.db.claimOutbox(ctx, relayBatch)
	if err != nil {
		return 0, err
	}
	return len(claimed), r.apply(ctx, claimed)
}

// look finds out which Redis is the primary. A new one may lack what the old one was told.
func (r *Relay) look(ctx context.Context) error {
	primaries, err := r.primaries(ctx)
	if err != nil {
		return err
	}
	return r.db.retarget(ctx, primaries)
}

// apply tells Redis of rows, and marks those of which it was told.
func (r *Relay) apply(ctx context.Context, rows []outboxRow) error {
	told, err := tell(rows, func(key string) error { return r.invalidate(ctx, key) })
	if err := r.db.markOutbox(ctx, told); err != nil {
		return err // they will be told again, which does no harm
	}
	return err
}
