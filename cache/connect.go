// Connecting to Redis with the settings that a cache needs and go-redis does not default to.

package cache

import (
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Connect returns a client for a redis:// or rediss:// URL. It does not dial yet.
func Connect(url string) (redis.UniversalClient, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("read the Redis URL: %w", err)
	}
	// Without this a command outlives its context's deadline on a silent server.
	o.ContextTimeoutEnabled = true
	// A retry multiplies every time-out, and the cache has its own answer to a failure: load.
	o.MaxRetries = -1
	o.DialTimeout = commandTimeout
	o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = commandTimeout, commandTimeout, commandTimeout
	// A dead server is asked for again after a pause by the circuit breaker, so dialling need not insist.
	o.DialerRetries, o.DialerRetryTimeout = 1, time.Millisecond
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o), nil
}
