// A Redis in memory, for the tests of time: it obeys time.Now, so it works inside testing/synctest bubbles, and it
// breaks on demand. remote_test.go holds it to the behaviour of the real one.

package cache

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"time"
)

// A fakeRedis is what all processes of a test share.
type fakeRedis struct {
	mu     sync.Mutex // guards the rest
	values map[string]fakeValue
	leases map[string]fakeLease
	counts map[string]int // commands that arrived, by name
	lossy  bool           // messages are lost
	// subscribers get messages while the publishing command runs, so that tests need not wait for them.
	subscribers []func(message)
}

type fakeValue struct {
	bytes     []byte
	wrongType bool // a list or a hash
	until     time.Time
}

type fakeLease struct {
	token string
	until time.Time
}

func newFakeRedis() *fakeRedis {
	return &fakeRedis{values: map[string]fakeValue{}, leases: map[string]fakeLease{}, counts: map[string]int{}}
}

// A fault is what becomes of one command.
type fault int

const (
	none      fault = iota
	refused         // an error at once, without effect
	silent          // no reply and no effect
	replyLost       // the effect, but no reply
)

// A fakeRemote is one process's connection to a fakeRedis.
type fakeRemote struct {
	redis *fakeRedis
	mu    sync.Mutex
	hook  func(command string) fault // guarded by mu; runs before each command, and may block
	delay map[string]time.Duration   // of the replies of a command; set before use
}

var errRefused = errors.New("connection refused")

// onCommand sets the hook; nil removes it.
func (r *fakeRemote) onCommand(hook func(command string) fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hook = hook
}

// failing is a hook that breaks the named commands, or all if none is named.
func failing(f fault, commands ...string) func(string) fault {
	return func(command string) fault {
		for _, c := range commands {
			if c == command {
				return f
			}
		}
		if len(commands) == 0 {
			return f
		}
		return none
	}
}

// do runs a command's effect under the fake's lock, unless the hook breaks it.
func (r *fakeRemote) do(ctx context.Context, command string, effect func(f *fakeRedis)) error {
	r.mu.Lock()
	hook := r.hook
	r.mu.Unlock()
	broken := none
	if hook != nil {
		broken = hook(command)
	}
	if broken == none || broken == replyLost {
		r.redis.mu.Lock()
		r.redis.counts[command]++
		effect(r.redis)
		r.redis.mu.Unlock()
	}
	time.Sleep(r.delay[command])
	switch broken {
	case refused:
		return errRefused
	case silent, replyLost:
		ctx, cancel := context.WithTimeout(ctx, commandTimeout)
		defer cancel()
		<-ctx.Done()
		return ctx.Err()
	case none:
	}
	return nil
}

// The rest are the commands, each the twin of a script in lua/.

func (f *fakeRedis) value(key string) (fakeValue, bool) {
	v, ok := f.values[key]
	if ok && !time.Now().Before(v.until) {
		delete(f.values, key)
		return fakeValue{}, false
	}
	return v, ok
}

func (f *fakeRedis) lease(key string) (fakeLease, bool) {
	l, ok := f.leases[key]
	if ok && !time.Now().Before(l.until) {
		delete(f.leases, key)
		return fakeLease{}, false
	}
	return l, ok
}

func (f *fakeRedis) publish(m message) {
	if f.lossy {
		return
	}
	for _, hear := range f.subscribers {
		hear(m)
	}
}

func (r *fakeRemote) get(ctx context.Context, key string) (b []byte, err error) {
	failed := r.do(ctx, "get", func(f *fakeRedis) {
		v, ok := f.value(key)
		if b = v.bytes; !ok || v.wrongType {
			b, err = nil, errMissing
		}
	})
	if failed != nil {
		return nil, failed
	}
	return b, err
}

func (r *fakeRemote) set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	return r.do(ctx, "set", func(f *fakeRedis) { f.values[key] = fakeValue{bytes: value, until: time.Now().Add(ttl)} })
}

func (r *fakeRemote) acquire(ctx context.Context, key, token string, ttl time.Duration, hand inHand) (a acquired, err error) {
	err = r.do(ctx, "acquire", func(f *fakeRedis) {
		if v, ok := f.value(key); ok && !v.wrongType && (!hand.any || stampOf(v.bytes) != hand.stamp) {
			a = acquired{value: v.bytes}
			return
		}
		if l, ok := f.lease(key); ok && l.token != token {
			a = acquired{held: time.Until(l.until)}
			return
		}
		f.leases[key] = fakeLease{token, time.Now().Add(ttl)}
		if hand.broken {
			delete(f.values, key)
		}
		a = acquired{granted: true}
	})
	if err != nil {
		return acquired{}, err
	}
	return a, nil
}

func (r *fakeRemote) renew(ctx context.Context, key, token string, ttl time.Duration) (ours bool, err error) {
	err = r.do(ctx, "renew", func(f *fakeRedis) {
		if l, ok := f.lease(key); ok && l.token == token {
			ours = true
			f.leases[key] = fakeLease{token, time.Now().Add(ttl)}
		}
	})
	return ours && err == nil, err
}

func (r *fakeRemote) commit(ctx context.Context, key, token string, e entry, ttl time.Duration, m message) (result commitResult, err error) {
	err = r.do(ctx, "commit", func(f *fakeRedis) {
		current, ok := f.value(key)
		if ok && string(current.bytes) == string(e.encode()) {
			result = stored
			return
		}
		if l, ok := f.lease(key); !ok || l.token != token {
			result = fenced
			return
		}
		result = stored
		if b := current.bytes; len(b) >= 4 && b[0] == magic && binary.BigEndian.Uint16(b[2:]) > e.schema {
			result = outdated
		} else {
			f.values[key] = fakeValue{bytes: e.encode(), until: time.Now().Add(ttl)}
		}
		delete(f.leases, key)
		f.publish(m)
	})
	return result, err
}

func (r *fakeRemote) abandon(ctx context.Context, key, token string, m message) error {
	return r.do(ctx, "abandon", func(f *fakeRedis) {
		if l, ok := f.lease(key); ok && l.token == token {
			delete(f.leases, key)
			f.publish(m)
		}
	})
}

func (r *fakeRemote) replace(ctx context.Context, key string, e entry, ttl time.Duration, m message) (result commitResult, err error) {
	err = r.do(ctx, "replace", func(f *fakeRedis) {
		result = stored
		v, _ := f.value(key)
		if b := v.bytes; len(b) >= headerLen && b[0] == magic && b[1] == format {
			schema := binary.BigEndian.Uint16(b[2:])
			if schema > e.schema || schema == e.schema && binary.BigEndian.Uint64(b[37:]) > e.version {
				result = outdated
			}
		}
		if result == stored {
			f.values[key] = fakeValue{bytes: e.encode(), until: time.Now().Add(ttl)}
		}
		delete(f.leases, key)
		f.publish(m)
	})
	return result, err
}

func (r *fakeRemote) void(ctx context.Context, key string, m message) error {
	return r.do(ctx, "void", func(f *fakeRedis) {
		delete(f.values, key)
		delete(f.leases, key)
		f.publish(m)
	})
}

func (r *fakeRemote) ping(ctx context.Context) error {
	return r.do(ctx, "ping", func(*fakeRedis) {})
}

// The rest is for tests to look and meddle.

// loseMessages makes every message from now on go unheard.
func (f *fakeRedis) loseMessages() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lossy = true
}

// put stores raw bytes as anybody with redis-cli could, for a minute.
func (f *fakeRedis) put(key string, v fakeValue) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v.until = time.Now().Add(time.Minute)
	f.values[key] = v
}

// peek returns the stored bytes of a key, or nil.
func (f *fakeRedis) peek(key string) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, _ := f.value(key)
	return v.bytes
}

// holder returns the token of a key's lease and the time it has left; "" without one.
func (f *fakeRedis) holder(key string) (token string, left time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, ok := f.lease(key)
	if !ok {
		return "", 0
	}
	return l.token, time.Until(l.until)
}
