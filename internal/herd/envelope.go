// Moving the expiries of a stored entry, because a policy's own would be long to wait for.

package herd

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/cache"
)

// ExpireSoftly moves the soft expiry of an entry. The hard one, which is its TTL in Redis, stays. Processes see it when they
// next read the entry.
func ExpireSoftly(ctx context.Context, client redis.UniversalClient, key string, at time.Time) error {
	return rewrite(ctx, client, key, redis.SetArgs{Mode: "XX", KeepTTL: true}, map[int]time.Time{softExpiry: at})
}

// Keep makes an entry fresh until a moment, and end then.
func Keep(ctx context.Context, client redis.UniversalClient, key string, until time.Time) error {
	return rewrite(ctx, client, key, redis.SetArgs{Mode: "XX", ExpireAt: until}, map[int]time.Time{softExpiry: until, hardExpiry: until})
}

func rewrite(ctx context.Context, client redis.UniversalClient, key string, how redis.SetArgs, expiries map[int]time.Time) error {
	stored, err := client.Get(ctx, key).Bytes()
	if err != nil {
		return fmt.Errorf("reading %s: %w", key, err)
	}
	for field, at := range expiries {
		setExpiry(stored, field, at)
	}
	found, err := cache.Inspect(stored)
	for field, at := range expiries {
		if now := map[int]time.Time{softExpiry: found.Soft, hardExpiry: found.Hard}[field]; err != nil || now.UnixMilli() != at.UnixMilli() {
			return fmt.Errorf("the envelope of %s has another layout than expected (%w)", key, err)
		}
	}
	if err := client.SetArgs(ctx, key, stored, how).Err(); err != nil {
		return fmt.Errorf("moving the expiry of %s: %w", key, err)
	}
	return nil
}

// Where cache/entry.go puts the expiries in the envelope.
const (
	softExpiry = 21
	hardExpiry = 29
)

// setExpiry moves one expiry in the envelope of a stored value.
func setExpiry(stored []byte, field int, at time.Time) {
	const sum, header = 45, 49
	if len(stored) < header {
		return // no value of the cache; whoever inspects it says so
	}
	binary.BigEndian.PutUint64(stored[field:], uint64(at.UnixMilli()))
	table := crc32.MakeTable(crc32.Castagnoli)
	binary.BigEndian.PutUint32(stored[sum:], crc32.Update(crc32.Checksum(stored[:sum], table), table, stored[header:]))
}
