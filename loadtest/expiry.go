// The moment at which the page's copies expire: for good, or only softly.

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/cache"
	"podbor/internal/herd"
)

// An expiry is a moment at which the page's entries expire.
type expiry struct {
	keys   []string
	pubsub *redis.PubSub // nil if they expire softly: Redis knows nothing of that
	events <-chan *redis.Message
	times  int // that Redis said that an entry had expired, the most of any entry
}

func (e *expiry) name() string {
	if e.pubsub == nil {
		return "the copy becomes stale"
	}
	return "the copy expires"
}

// pageKeys returns the two entries of the page.
func (b *bench) pageKeys(ctx context.Context) ([]string, error) {
	keys, err := b.keys(ctx, ofPage)
	if err == nil && len(keys) != 2 {
		err = fmt.Errorf("want the page's counts and list in Redis, found %d keys: %v", len(keys), keys)
	}
	return keys, err
}

// expireAt lets the TTL of the page's entries run out at the given moment. Redis itself removes them then, as it
// would at the end of their first TTL; no process is told.
func (b *bench) expireAt(ctx context.Context, at time.Time) (*expiry, error) {
	keys, err := b.pageKeys(ctx)
	if err != nil {
		return nil, err
	}
	e := &expiry{keys: keys, pubsub: b.cache.Subscribe(ctx, "__keyevent@0__:expired")}
	if _, err := e.pubsub.Receive(ctx); err != nil { // the confirmation
		return nil, errors.Join(fmt.Errorf("subscribing to expiries: %w", err), e.pubsub.Close())
	}
	e.events = e.pubsub.Channel(redis.WithChannelSize(10_000))
	for _, key := range keys {
		if err := b.cache.PExpireAt(ctx, key, at).Err(); err != nil {
			return nil, errors.Join(fmt.Errorf("setting the expiry of %s: %w", key, err), e.pubsub.Close())
		}
	}
	return e, nil
}

// expireSoftlyAt moves the soft expiry in the envelopes of the page's entries to the given moment. The hard one, which is
// their TTL in Redis, stays. Processes see it when they next read the entry.
func (b *bench) expireSoftlyAt(ctx context.Context, at time.Time) (*expiry, error) {
	keys, err := b.pageKeys(ctx)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if err := herd.ExpireSoftly(ctx, b.cache, key, at); err != nil {
			return nil, err
		}
	}
	return &expiry{keys: keys}, nil
}

// keepFrame lets the entries that every page needs besides its own live on until the given moment. Otherwise some of them
// would end while the pools are full, and the page be lost again although its own copy is back.
func (b *bench) keepFrame(ctx context.Context, until time.Time) error {
	keys, err := b.keys(ctx, []string{"cities", "flag"})
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := herd.Keep(ctx, b.cache, key, until); err != nil {
			return err
		}
	}
	return nil
}

// stop ends the watch, when the page's visitors have left. What they leave behind is not counted: without protection their
// queries run on for longer than a copy lives, and the last of them write copies that have hardly any time left.
func (e *expiry) stop() (err error) {
	if e.pubsub == nil {
		return nil
	}
	err = e.pubsub.Close() // ends the channel
	per := map[string]int{}
	for event := range e.events {
		if slices.Contains(e.keys, event.Payload) {
			per[event.Payload]++
		}
	}
	for _, n := range per {
		e.times = max(e.times, n)
	}
	return err
}

// counted returns how often, by Redis's own events, an entry of the page has expired while it had visitors; nil if Redis
// knows nothing of the expiry.
func (e *expiry) counted() *int {
	if e.pubsub == nil {
		return nil
	}
	return &e.times
}

// stale returns which of the page's entries are not fresh now: after a soft expiry, what was written must outlive the run.
func (e *expiry) stale(ctx context.Context, b *bench) (keys []string, err error) {
	if e.pubsub != nil {
		return nil, nil // counted
	}
	for _, key := range e.keys {
		stored, err := b.cache.Get(ctx, key).Bytes()
		if err != nil && !errors.Is(err, redis.Nil) {
			return nil, fmt.Errorf("reading %s: %w", key, err)
		}
		if found, err := cache.Inspect(stored); err != nil || found.Soft.Before(time.Now()) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}
