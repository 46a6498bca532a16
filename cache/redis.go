// The Redis side of the cache: six scripts and a few plain commands, each with a deadline that holds.

package cache

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// remote is what the cache needs of Redis. Its second implementation is the in-memory one that the
// tests of time run on (a test runs the same table against both).
type remote interface {
	// get returns errMissing if there is no such key.
	get(ctx context.Context, key string) ([]byte, error)
	set(ctx context.Context, key string, value []byte, ttl time.Duration) error
	acquire(ctx context.Context, key, token string, ttl time.Duration, hand inHand) (acquired, error)
	// renew reports whether the lease is still the token's.
	renew(ctx context.Context, key, token string, ttl time.Duration) (bool, error)
	commit(ctx context.Context, key, token string, e entry, ttl time.Duration, m message) (commitResult, error)
	abandon(ctx context.Context, key, token string, m message) error
	// replace answers stored or outdated.
	replace(ctx context.Context, key string, e entry, ttl time.Duration, m message) (commitResult, error)
	void(ctx context.Context, key string, m message) error
	ping(ctx context.Context) error
}

// errMissing is get's answer for a key that does not exist: an answer, not a failure.
var errMissing = errors.New("no such key")

// inHand names the value that a caller already saw and does not want again: an expired or undecodable one.
type inHand struct {
	any    bool
	stamp  string
	broken bool // nobody can read it, so whoever gets the lease removes it
}

// acquired is the reply of acquire; exactly one of the three holds.
type acquired struct {
	value   []byte        // a value other than the one in hand
	granted bool          // the lease is yours: load
	held    time.Duration // another has the lease for at least this long, unless it ends early
}

type commitResult string

const (
	stored   commitResult = "stored"
	fenced   commitResult = "fenced"
	outdated commitResult = "outdated"
)

//go:embed lua/*.lua
var scripts embed.FS

// commandTimeout bounds one command, from asking the pool for a connection to the last byte of the reply.
const commandTimeout = 500 * time.Millisecond

// redisRemote is the remote on a real server: standalone, Sentinel or Cluster.
type redisRemote struct {
	client  redis.UniversalClient
	channel string

	acquireScript, renewScript, commitScript, abandonScript, replaceScript, voidScript *redis.Script
}

func newRedisRemote(client redis.UniversalClient, channel string) (*redisRemote, error) {
	r := &redisRemote{client: client, channel: channel}
	for _, s := range []struct {
		name string
		to   **redis.Script
	}{
		{"acquire", &r.acquireScript}, {"renew", &r.renewScript}, {"commit", &r.commitScript},
		{"abandon", &r.abandonScript}, {"replace", &r.replaceScript}, {"void", &r.voidScript},
	} {
		text, err := scripts.ReadFile("lua/" + s.name + ".lua")
		if err != nil {
			return nil, fmt.Errorf("read script: %w", err)
		}
		*s.to = redis.NewScript(string(text))
	}
	return r, nil
}

// keysOf returns the two keys of an entry. The braces of the value key are a hash tag, so that Redis Cluster
// keeps both in one slot and a script touches one slot only.
func keysOf(key string) []string { return []string{key, leaseKey(key)} }

func leaseKey(key string) string { return key + ":lease" }

func (r *redisRemote) get(ctx context.Context, key string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	value, err := r.client.Get(ctx, key).Bytes()
	if errors.Is(err, redis.Nil) {
		return nil, errMissing
	}
	if isReply(err, "WRONGTYPE") {
		// Somebody stored a list or a hash under our key: a miss that the next commit overwrites.
		return nil, errMissing
	}
	return value, err
}

func (r *redisRemote) set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	return r.client.Set(ctx, key, value, ttl).Err()
}

func (r *redisRemote) acquire(ctx context.Context, key, token string, ttl time.Duration, hand inHand) (acquired, error) {
	seen := "none"
	switch {
	case hand.broken:
		seen = "broken"
	case hand.any:
		seen = "some"
	}
	reply, err := r.run(ctx, r.acquireScript, key, token, ttl.Milliseconds(), seen, hand.stamp).Slice()
	if err != nil {
		return acquired{}, err
	}
	switch kind, _ := reply[0].(string); {
	case kind == "granted":
		return acquired{granted: true}, nil
	case kind == "value" && len(reply) == 2:
		value, _ := reply[1].(string)
		return acquired{value: []byte(value)}, nil
	case kind == "held" && len(reply) == 2:
		ms, _ := reply[1].(int64)
		return acquired{held: time.Duration(ms) * time.Millisecond}, nil
	}
	return acquired{}, fmt.Errorf("acquire: unexpected reply %v", reply)
}

func (r *redisRemote) renew(ctx context.Context, key, token string, ttl time.Duration) (bool, error) {
	n, err := r.run(ctx, r.renewScript, key, token, ttl.Milliseconds()).Int()
	return n == 1, err
}

func (r *redisRemote) commit(ctx context.Context, key, token string, e entry, ttl time.Duration, m message) (commitResult, error) {
	result, err := r.run(ctx, r.commitScript, key, token, e.encode(), ttl.Milliseconds(), e.schema, r.channel, m.encode()).Text()
	return commitResult(result), err
}

func (r *redisRemote) abandon(ctx context.Context, key, token string, m message) error {
	return r.run(ctx, r.abandonScript, key, token, r.channel, m.encode()).Err()
}

func (r *redisRemote) replace(ctx context.Context, key string, e entry, ttl time.Duration, m message) (commitResult, error) {
	result, err := r.run(ctx, r.replaceScript, key, e.encode(), ttl.Milliseconds(), r.channel, m.encode()).Text()
	return commitResult(result), err
}

func (r *redisRemote) void(ctx context.Context, key string, m message) error {
	return r.run(ctx, r.voidScript, key, r.channel, m.encode()).Err()
}

func (r *redisRemote) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	return r.client.Ping(ctx).Err()
}

// run runs a script by its digest, and by its text where the server does not know it (restarted, failed over).
func (r *redisRemote) run(ctx context.Context, script *redis.Script, key string, args ...any) *redis.Cmd {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	return script.Run(ctx, r.client, keysOf(key), args...)
}

// isReply reports whether err is an error reply of the server that starts with the given word.
func isReply(err error, word string) bool {
	var reply redis.Error
	return errors.As(err, &reply) && strings.HasPrefix(reply.Error(), word)
}
