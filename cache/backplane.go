// The backplane: one subscription per process, over which processes tell each other what became of keys.

package cache

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	pingAfter     = time.Second     // of silence
	pongWithin    = 2 * time.Second // or the connection counts as dead
	resubscribeIn = 200 * time.Millisecond
)

// listen receives messages until the cache is closed.
//
// Pub/sub loses what is published while a subscriber is away. So L1 is trusted only between the moment a SUBSCRIBE is
// confirmed and the moment the connection fails, and at each confirmation everything local is forgotten: at the
// confirmation and not at the failure, because a load that began in between read without hearing.
func (c *Cache) listen(client redis.UniversalClient, channel string) {
	for c.ctx.Err() == nil {
		c.receive(client, channel)
		c.process.subscribed.Store(false)
		pause(c.ctx, resubscribeIn)
	}
}

// receive subscribes and handles messages until the connection fails.
func (c *Cache) receive(client redis.UniversalClient, channel string) {
	sub := client.Subscribe(c.ctx, channel)
	defer sub.Close() //nolint:errcheck // nothing to do about it
	// A blocked read does not notice a cancelled context.
	defer context.AfterFunc(c.ctx, func() { _ = sub.Close() })()

	pinged := false
	for {
		timeout := pingAfter
		if pinged {
			timeout = pongWithin
		}
		received, err := sub.ReceiveTimeout(c.ctx, timeout)
		var netErr net.Error
		switch {
		case err == nil:
			pinged = false
		case errors.As(err, &netErr) && netErr.Timeout() && !pinged:
			if sub.Ping(c.ctx) != nil {
				return
			}
			pinged = true
			continue
		default:
			return
		}
		switch m := received.(type) {
		case *redis.Subscription:
			c.Flush()
			c.process.subscribed.Store(true)
		case *redis.Message:
			var event message
			if json.Unmarshal([]byte(m.Payload), &event) == nil {
				c.handle(event)
			}
		}
	}
}

// handle obeys one message. Our own count too: a relay in this process may have sent it for an edit made elsewhere.
func (c *Cache) handle(m message) {
	if m.Kind == voided {
		c.voidLocal(m.Key)
	}
	c.waiters.wake(m)
}
