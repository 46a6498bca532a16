// What lies in the cache's Redis.

package checklist

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/cache"
)

// entry is one stored value of a prefix.
type entry struct {
	cache.Stored
	ttl time.Duration // left in Redis; negative: none
}

// sample bounds how many values of a prefix are looked at.
const sample = 200

// readStored returns some of the values under prefix.
func readStored(ctx context.Context, client redis.UniversalClient, namespace, prefix string) ([]entry, error) {
	pattern := "{" + namespace + ":" + prefix + ":*"
	cluster, ok := client.(*redis.ClusterClient)
	if !ok {
		return scan(ctx, client, pattern)
	}
	var mu sync.Mutex // protects all
	var all []entry
	err := cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		some, err := scan(ctx, node, pattern)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, some...)
		return err
	})
	return all, err
}

func scan(ctx context.Context, client redis.Cmdable, pattern string) ([]entry, error) {
	var entries []entry
	keys := client.Scan(ctx, 0, pattern, 1000).Iterator()
	for len(entries) < sample && keys.Next(ctx) {
		key := keys.Val()
		if !strings.HasSuffix(key, "}") {
			continue // the lease of a value
		}
		value, err := client.Get(ctx, key).Bytes()
		if errors.Is(err, redis.Nil) {
			continue // expired since
		}
		if err != nil {
			return nil, err
		}
		ttl, err := client.PTTL(ctx, key).Result()
		if err != nil {
			return nil, err
		}
		stored, err := cache.Inspect(value)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{stored, ttl})
	}
	return entries, keys.Err()
}
