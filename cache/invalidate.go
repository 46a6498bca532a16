// Invalidation: after an edit, forget a key in Redis, in this process, and by message in all others.

package cache

import (
	"context"
	"fmt"
	"strings"
)

// Invalidate forgets an id everywhere. Call it after the edit is committed: a load that began before is stored nowhere.
// An error means that Redis could not be told; other processes may then show the old value until they hear of the
// edit in another way, or its TTL ends. Repeating it does no harm.
func (c *Cache) Invalidate(ctx context.Context, prefix, id string) error {
	return c.invalidate(ctx, c.key(prefix, id))
}

// InvalidatePrefix makes every process forget all it has in its own memory under prefix. It leaves Redis alone: meant
// for bulk edits of entries whose ids carry a version, so that nobody asks for the old ones any more.
func (c *Cache) InvalidatePrefix(ctx context.Context, prefix string) error {
	return c.invalidate(ctx, c.key(prefix, allIDs))
}

// allIDs stands for every id of a prefix. It cannot be an id: "*" is in none.
const allIDs = "*"

func (c *Cache) invalidate(ctx context.Context, key string) error {
	err := c.remote.void(ctx, key, message{Kind: voided, Key: key, From: c.id})
	// After Redis: a caller in between would fill L1 with the old value again, and keep it until the message comes.
	c.voidLocal(key)
	if err != nil {
		return fmt.Errorf("invalidate %s: %w", key, err)
	}
	return nil
}

// VoidLocal forgets an id in this process only: for news that come from the source itself. Redis may still have the
// old value; whoever sends the news sees to that with Invalidate.
func (c *Cache) VoidLocal(prefix, id string) { c.process.void(c.key(prefix, id)) }

// VoidLocalPrefix is VoidLocal for all ids of a prefix.
func (c *Cache) VoidLocalPrefix(prefix string) { c.voidLocal(c.key(prefix, allIDs)) }

func (c *Cache) voidLocal(key string) {
	if prefix, all := strings.CutSuffix(key, allIDs+"}"); all {
		c.process.voidPrefix(prefix)
		return
	}
	c.process.void(key)
}

// Flush forgets all that this process has in its own memory, running loads included. Call it whenever news may have
// been missed, after the way that brings them works again.
func (c *Cache) Flush() {
	c.process.flush()
	c.metrics.flushes.Inc()
}

// SetListening says whether news of edits reach this process from the source itself (through VoidLocal). While
// they do, its own copies are trusted even without the subscription in Redis. Flush before setting it to true.
func (c *Cache) SetListening(yes bool) { c.process.listening.Store(yes) }

// key returns the key of an entry. The braces are a hash tag: see keysOf.
func (c *Cache) key(prefix, id string) string {
	return "{" + c.namespace + ":" + prefix + ":" + id + "}"
}
