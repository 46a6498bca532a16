// Package visitor remembers things about one visitor for a set time: how often something was done (limit.go), what was
// sent already (once.go), and who is logged in (session.go).
//
// None of it is a cache. A cached value that is lost is loaded again; a counter that is lost lets a guesser go on, and a
// key that is lost sends a message twice. So it lies in a Redis that evicts nothing, every key lives exactly as long as its
// window, and while that Redis is away the answer is no: each method fails with ErrAway, and the caller must not go on.
package visitor

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// ErrAway says that the Redis which knows could not be asked.
var ErrAway = errors.New("the session Redis is away")

// answerWithin bounds each question, for a Redis that takes connections and never answers.
const answerWithin = time.Second

// Memory is what is remembered, of all visitors. Make it with New.
type Memory struct {
	client    redis.UniversalClient
	namespace string
}

// New returns what the Redis of client remembers under namespace. That Redis must evict nothing.
func New(client redis.UniversalClient, namespace string) *Memory {
	return &Memory{client, namespace}
}

//go:embed lua
var texts embed.FS

// The scripts, each one step for everybody else: no crash can come between a key and its TTL. All times are Redis' own.
var (
	countScript   = script("count")
	claimScript   = script("claim")
	settleScript  = script("settle")
	abandonScript = script("abandon")
	startScript   = script("start")
	touchScript   = script("touch")
)

func script(name string) *redis.Script {
	text, err := texts.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err) // embedded: it cannot be missing at run time
	}
	return redis.NewScript(string(text))
}

// run runs a script on one key. Its error is ErrAway, whatever went wrong, or redis.Nil.
func (m *Memory) run(ctx context.Context, s *redis.Script, key string, args ...any) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	reply, err := s.Run(ctx, m.client, []string{key}, args...).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	return reply, err
}

// Key names what is remembered about whom. That is hashed: what somebody typed must make no long key, a stolen dump of
// Redis must open no session, and it tells nobody's address either.
func (m *Memory) Key(kind, whom string) string {
	return "{" + m.namespace + ":" + kind + ":" + fingerprint(whom) + "}"
}

func fingerprint(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
