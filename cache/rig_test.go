// The rig that holds a remote for remote_test.go: what it takes to see behind one, and claims about what is there.

package cache

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// A rig is a remote, and what it takes to see behind it.
type rig struct {
	remote
	put           func(key string, b []byte)      // stores raw bytes for a minute
	list          func(key string)                // stores something that is not a string, for a minute
	ttls          func() map[string]time.Duration // of all keys; negative: never expires
	heard         func() message                  // the next message
	runOut        func(key string)                // ends a lease, as its TTL does
	messages      <-chan message                  // of the fake: those not heard yet
	forgetScripts func()                          // as a restart or a failover does
}

func fakeRig(t *testing.T) *rig {
	f := newFakeRedis()
	heard := make(chan message, 100)
	f.subscribers = append(f.subscribers, func(m message) { heard <- m })
	return &rig{
		remote: &fakeRemote{redis: f},
		put:    func(key string, b []byte) { f.put(key, fakeValue{bytes: b}) },
		list:   func(key string) { f.put(key, fakeValue{wrongType: true}) },
		ttls: func() map[string]time.Duration {
			ttls := map[string]time.Duration{}
			for key, v := range f.values {
				ttls[key] = time.Until(v.until)
			}
			for key, l := range f.leases {
				ttls[leaseKey(key)] = time.Until(l.until)
			}
			return ttls
		},
		heard:         func() message { return <-heard },
		messages:      heard,
		runOut:        func(key string) { delete(f.leases, key) },
		forgetScripts: func() {},
	}
}

func redisRig(t *testing.T, client redis.UniversalClient) *rig {
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(client.FlushAll(ctx).Err())
	sub := client.Subscribe(ctx, "events")
	t.Cleanup(func() { _ = sub.Close() })
	_, err := sub.ReceiveTimeout(ctx, 5*time.Second) // the confirmation
	must(err)
	r, err := newRedisRemote(client, "events")
	must(err)
	return &rig{
		remote: r,
		put:    func(key string, b []byte) { must(client.Set(ctx, key, b, time.Minute).Err()) },
		list: func(key string) {
			must(client.Del(ctx, key).Err())
			must(client.LPush(ctx, key, "x").Err())
			must(client.Expire(ctx, key, time.Minute).Err())
		},
		ttls: func() map[string]time.Duration {
			keys, err := client.Keys(ctx, "*").Result()
			must(err)
			ttls := map[string]time.Duration{}
			for _, key := range keys {
				ttls[key] = client.PTTL(ctx, key).Val()
			}
			return ttls
		},
		heard: func() (m message) {
			received, err := sub.ReceiveTimeout(ctx, 5*time.Second)
			must(err)
			must(json.Unmarshal([]byte(received.(*redis.Message).Payload), &m))
			return m
		},
		runOut:        func(key string) { must(client.Del(ctx, leaseKey(key)).Err()) },
		forgetScripts: func() { must(client.ScriptFlush(ctx).Err()) },
	}
}

func (r *rig) wantAcquired(t *testing.T, token string, hand inHand, want acquired) {
	t.Helper()
	got, err := r.acquire(t.Context(), "k", token, ttl, hand)
	if err != nil {
		t.Fatal(err)
	}
	if held := got.held; want.held > 0 && held > 0 && held <= want.held {
		got.held = want.held // the clock ran on
	}
	if got.granted != want.granted || got.held != want.held || !bytes.Equal(got.value, want.value) {
		t.Fatalf("acquire: %+v, want %+v", got, want)
	}
}

func (r *rig) wantCommitted(t *testing.T, token string, e entry, want commitResult) {
	t.Helper()
	got, err := r.commit(t.Context(), "k", token, e, ttl, message{Kind: filled, Key: "k"})
	if err != nil || got != want {
		t.Fatalf("commit: %q, %v; want %q", got, err, want)
	}
}

// wantKeys also claims that each of them expires, within the TTL that it was given.
func (r *rig) wantKeys(t *testing.T, want ...string) {
	t.Helper()
	ttls := r.ttls()
	if got := slices.Sorted(maps.Keys(ttls)); !slices.Equal(got, want) {
		t.Fatalf("keys %q, want %q", got, want)
	}
	for key, left := range ttls {
		if left <= 0 || left > time.Minute {
			t.Fatalf("%s expires in %v", key, left)
		}
	}
}

func (r *rig) wantValue(t *testing.T, want []byte) {
	t.Helper()
	got, err := r.get(t.Context(), "k")
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("value %q, %v; want %q", got, err, want)
	}
}

// wantHeard claims which messages were sent since the last time, and no other.
func (r *rig) wantHeard(t *testing.T, want ...messageKind) {
	t.Helper()
	if err := r.void(t.Context(), "last", message{Kind: voided, Key: "last"}); err != nil {
		t.Fatal(err)
	}
	var got []messageKind
	for m := r.heard(); m.Key != "last"; m = r.heard() {
		got = append(got, m.Kind)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("heard %q, want %q", got, want)
	}
}

// valueOf returns an entry whose stamp is the given second.
func valueOf(second int64, schema uint16) entry {
	return entry{schema: schema, start: time.Unix(second, 0), soft: time.Unix(second, 0), hard: time.Unix(second, 0), payload: []byte("{}")}
}

// versionOfThing is an entry of schema 1 that describes version v of something.
func versionOfThing(v uint64) entry {
	e := valueOf(1, 1)
	e.version = v
	return e
}

func (r *rig) wantReplaced(t *testing.T, e entry, want commitResult) {
	t.Helper()
	if got, err := r.replace(t.Context(), "k", e, ttl, message{Kind: voided, Key: "k"}); err != nil || got != want {
		t.Fatalf("replace: %s, %v; want %s", got, err, want)
	}
	r.wantHeard(t, voided)
}

func inHandOf(e entry) inHand { return inHand{any: true, stamp: e.stamp()} }

var (
	nothing = inHand{}
	granted = acquired{granted: true}
	held    = acquired{held: ttl}
)
