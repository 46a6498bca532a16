// Connecting to Redis with the settings that a cache needs and go-redis does not default to.

package cache

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Connect returns a client for a redis:// or rediss:// URL. It does not dial yet. The URL's query says what is there:
//
//	redis://user:password@host:6379/0                                               one server
//	redis://host1:26379?master_name=main&addr=host2:26379&username=…&password=…     Sentinels, and the servers' account
//	redis://user:password@host1:6379?addr=host2:6379&addr=host3:6379                a Cluster
//	redis://user:password@host:6379?cluster=true                                    a Cluster, by one address
//
// What stands before the @ is for the servers whose addresses are given: with Sentinel, for the Sentinels.
func Connect(rawURL string) (redis.UniversalClient, error) { return connect(rawURL, false) }

// ConnectReplicas is Connect for reads that bear the lag of replication: they go to replicas where the URL names
// Sentinels or a Cluster that has some. The client is good for reads only. It is nil where the URL names one server.
func ConnectReplicas(rawURL string) (redis.UniversalClient, error) { return connect(rawURL, true) }

// The settings, the same three times because go-redis has three types of them:
//
//   - without ContextTimeoutEnabled a command outlives its context's deadline on a silent server; a Cluster's knows no
//     other way;
//   - a retry multiplies every time-out, and the cache has its own answer to a failure: load. Only a Cluster's client may
//     repeat a command, because MOVED and ASK are part of its protocol; the command's context bounds that;
//   - a dead server is asked for again after a pause by the circuit breaker, so dialling need not insist.
func connect(rawURL string, replicas bool) (redis.UniversalClient, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		// The parser's own error repeats the URL, and with it the password.
		return nil, errors.New("read the Redis URL: it is none; special characters in a password are written as %XX")
	}
	query := u.Query()
	switch {
	case query.Has("master_name"):
		o, err := redis.ParseFailoverURL(rawURL)
		if err != nil {
			return nil, fmt.Errorf("read the Redis Sentinel URL: %w", err)
		}
		if replicas {
			o.ReplicaOnly = true
			o.ConnMaxLifetime = time.Minute // only a new connection finds a replica that has come back
		}
		o.ContextTimeoutEnabled = true
		o.MaxRetries = noRetries
		o.DialTimeout, o.DialerRetries, o.DialerRetryTimeout = commandTimeout, 1, time.Millisecond
		o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = commandTimeout, commandTimeout, commandTimeout
		return redis.NewFailoverClient(o), nil

	case query.Has("addr"), query.Get("cluster") == "true":
		query.Del("cluster") // ours, and unknown to go-redis
		u.RawQuery = query.Encode()
		o, err := redis.ParseClusterURL(u.String())
		if err != nil {
			return nil, fmt.Errorf("read the Redis Cluster URL: %w", err)
		}
		o.ReadOnly = replicas
		o.ContextTimeoutEnabled = true
		o.MaxRetries = noRetries
		o.DialTimeout, o.DialerRetries, o.DialerRetryTimeout = commandTimeout, 1, time.Millisecond
		o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = commandTimeout, commandTimeout, commandTimeout
		o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
		return redis.NewClusterClient(o), nil

	default:
		o, err := redis.ParseURL(rawURL)
		if err != nil {
			return nil, fmt.Errorf("read the Redis URL: %w", err)
		}
		if replicas {
			return nil, nil //nolint:nilnil // what ConnectReplicas promises
		}
		o.ContextTimeoutEnabled = true
		o.MaxRetries = noRetries
		o.DialTimeout, o.DialerRetries, o.DialerRetryTimeout = commandTimeout, 1, time.Millisecond
		o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = commandTimeout, commandTimeout, commandTimeout
		o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
		return redis.NewClient(o), nil
	}
}

const noRetries = -1 // in go-redis, 0 means its default of 3
