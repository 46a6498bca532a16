// The moment at which the page's copies expire: for good, or only softly.

package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/cache"
)

// An expiry is a moment at which the page's entries expire.
type expiry struct {
	keys   []string
	pubsub *redis.PubSub // nil if they expire softly: Redis knows nothing of that
	events <-chan *redis.Message
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
		stored, err := b.cache.Get(ctx, key).Bytes()
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", key, err)
		}
		setSoftExpiry(stored, at)
		if found, err := cache.Inspect(stored); err != nil || found.Soft.UnixMilli() != at.UnixMilli() {
			return nil, fmt.Errorf("the envelope of %s has another layout than expected (%w)", key, err)
		}
		if err := b.cache.SetArgs(ctx, key, stored, redis.SetArgs{Mode: "XX", KeepTTL: true}).Err(); err != nil {
			return nil, fmt.Errorf("setting the soft expiry of %s: %w", key, err)
		}
	}
	return &expiry{keys: keys}, nil
}

// setSoftExpiry writes into a stored value as cache/entry.go lays it out.
func setSoftExpiry(stored []byte, at time.Time) {
	const soft, sum, header = 21, 45, 49
	if len(stored) < header {
		return // no value of the cache; whoever inspects it says so
	}
	binary.BigEndian.PutUint64(stored[soft:], uint64(at.UnixMilli()))
	table := crc32.MakeTable(crc32.Castagnoli)
	binary.BigEndian.PutUint32(stored[sum:], crc32.Update(crc32.Checksum(stored[:sum], table), table, stored[header:]))
}

// close ends the watch and returns how often the page's counts have expired, by Redis's own events, if it was Redis
// that let them expire, and which of the page's entries are not fresh now: what was written after the expiry must outlive
// the run.
func (e *expiry) close(ctx context.Context, b *bench) (times *int, missing []string, err error) {
	if e.pubsub != nil {
		n, err := e.count()
		if err != nil {
			return nil, nil, err
		}
		times = &n
	}
	for _, key := range e.keys {
		stored, err := b.cache.Get(ctx, key).Bytes()
		if err != nil && !errors.Is(err, redis.Nil) {
			return nil, nil, fmt.Errorf("reading %s: %w", key, err)
		}
		if found, err := cache.Inspect(stored); err != nil || found.Soft.Before(time.Now()) {
			missing = append(missing, key)
		}
	}
	return times, missing, nil
}

// count ends the watch and returns how often Redis said that an entry of the page had expired.
func (e *expiry) count() (times int, err error) {
	err = e.pubsub.Close() // ends the channel
	per := map[string]int{}
	for event := range e.events {
		if slices.Contains(e.keys, event.Payload) {
			per[event.Payload]++
		}
	}
	for _, n := range per {
		times = max(times, n)
	}
	return times, err
}
