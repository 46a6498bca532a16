// Edits through the cache: after the commit, whatever it made old is forgotten everywhere, and the outbox is told so.

package models

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// announceWithin bounds how long an edit that is committed waits for Redis. After that the relay sees to it.
const announceWithin = 2 * time.Second

// UpdateApartment is Store.UpdateApartment. When it returns, this process shows the edit; the others do one message later.
func (c *Cached) UpdateApartment(ctx context.Context, editor string, id int64, version int32, change func(*Draft)) (Detail, error) {
	detail, edit, err := c.store.UpdateApartment(ctx, editor, id, version, change)
	if err == nil {
		c.announce(ctx, detail, edit)
	}
	return detail, err
}

// CreateApartment is Store.CreateApartment, shown as an edit is. It also ends the cached answer that there is no such id.
func (c *Cached) CreateApartment(ctx context.Context, editor string, draft Draft) (Detail, error) {
	detail, edit, err := c.store.CreateApartment(ctx, editor, draft)
	if err == nil {
		c.announce(ctx, detail, edit)
	}
	return detail, err
}

// announce tells the cache of a committed edit. The apartment itself is at hand, so it is put; everything else is
// invalidated. The edit stands even if this fails: the rows stay unmarked, and the relay takes them.
func (c *Cached) announce(ctx context.Context, detail Detail, edit Edit) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), announceWithin)
	defer cancel()
	id := strconv.FormatInt(detail.ID, 10)
	own := "apartment:" + id
	told, _ := tell(edit.rows, func(key string) error {
		if key == own {
			return c.apartments.Put(ctx, id, detail)
		}
		return c.Invalidate(ctx, key)
	})
	_ = c.store.db.markOutboxAfterPut(ctx, told, own, edit.since)
}

// Invalidate forgets what a key of the outbox names, in Redis and in all processes. An error means that Redis was not told.
func (c *Cached) Invalidate(ctx context.Context, key string) error {
	prefix, id, found := strings.Cut(key, ":")
	if !found {
		return fmt.Errorf("outbox key %q has no prefix", key)
	}
	return c.cache.Invalidate(ctx, prefix, id)
}

// voidLocal forgets, in this process only, what a notification names: a key, or with "prefix:*" all of a prefix.
func (c *Cached) voidLocal(news string) {
	prefix, id, _ := strings.Cut(news, ":")
	if id == "*" {
		c.cache.VoidLocalPrefix(prefix)
		return
	}
	c.cache.VoidLocal(prefix, id)
}
