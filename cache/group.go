// Group: the typed face of the cache, and the only generic type in it.

package cache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Group caches values of one type under one prefix.
type Group[T any] struct {
	cache *Cache
	kind  kind
}

// NewGroup adds a prefix to c. Schema numbers the JSON shape of T: raise it with every change of T that an older or
// newer program would misread; entries of another schema are misses.
//
// All callers share a value of L1 or of a flight, so they may read its slices and maps and must not write to them. A copy
// for each would be the largest part of a hit's cost.
func NewGroup[T any](c *Cache, prefix string, schema uint16, p Policy) (*Group[T], error) {
	if err := p.validate(); err != nil {
		return nil, fmt.Errorf("prefix %s: %w", prefix, err)
	}
	g := &Group[T]{cache: c}
	g.kind = kind{
		prefix:  prefix,
		schema:  schema,
		policy:  p,
		encode:  json.Marshal,
		version: versionOf,
		metrics: c.metrics.of(prefix),
		hot:     newHotKeys(),
		decode: func(b []byte) (any, error) {
			var v T
			if err := json.Unmarshal(b, &v); err != nil {
				return nil, err
			}
			return v, nil
		},
	}
	c.metrics.hot.add(&g.kind)
	return g, nil
}

// Get returns the value of id, from the fastest level that has it, else from load, which may run in another goroutine
// and for several callers. The value is shared: read it only. Every caller of one id must pass a load that computes the
// same value; id must come from canonical, validated input.
//
// Errors: ErrNotFound, ErrOverloaded, ErrLoadTimeout, ErrLoadPanicked, ErrClosed, the load's own, or that of ctx.
func (g *Group[T]) Get(ctx context.Context, id string, load func(context.Context) (T, error)) (T, error) {
	v, err := g.cache.get(ctx, &g.kind, id, func(ctx context.Context) (any, error) { return load(ctx) })
	if err != nil {
		var none T
		if errors.Is(err, ErrNotFound) {
			return none, ErrNotFound
		}
		return none, fmt.Errorf("get %s %s: %w", g.kind.prefix, id, err)
	}
	return v.(T), nil
}

// A Versioned value knows its version: a number that grows with every edit of the thing it describes.
type Versioned interface{ CacheVersion() uint64 }

func versionOf(v any) uint64 {
	if versioned, ok := v.(Versioned); ok {
		return versioned.CacheVersion()
	}
	return 0
}

// Put stores the value that an edit made, instead of invalidating and loading it again. Call it after the commit, and only
// where v is the whole of what a load would return; T must be Versioned. Of two edits whose Puts arrive in the wrong order
// the newer stays. Loads in progress, and the copies of all processes, are voided as by Invalidate, which is also what
// to do when Put fails.
func (g *Group[T]) Put(ctx context.Context, id string, v T) error {
	key := g.cache.key(g.kind.prefix, id)
	payload, err := g.kind.encode(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", key, err)
	}
	now := time.Now()
	e := entry{schema: g.kind.schema, start: now, version: versionOf(v), payload: payload}
	e.soft, e.hard = g.kind.policy.expiries(now, false, g.cache.random())
	ttl := time.Until(g.kind.policy.usableUntil(e))
	_, err = g.cache.remote.replace(ctx, key, e, ttl, message{Kind: voided, Key: key, From: g.cache.id})
	g.cache.process.void(key) // after Redis: see invalidate
	if err != nil {
		return fmt.Errorf("put %s: %w", key, err)
	}
	return nil
}

// Invalidate is Cache.Invalidate for one of the group's ids.
func (g *Group[T]) Invalidate(ctx context.Context, id string) error {
	return g.cache.Invalidate(ctx, g.kind.prefix, id)
}
