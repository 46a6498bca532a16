// What the cache expects of Redis: one table, for the real server and for the fake that the tests of time run on.

package cache

import (
	"errors"
	"strings"
	"testing"
	"time"
)

const ttl = 30 * time.Second

func TestTheFakeBehavesLikeRedis(t *testing.T) {
	for name, scene := range remoteScenes {
		t.Run(name, func(t *testing.T) { scene(t, fakeRig(t)) })
	}
}

func TestRedisBehavesAsExpected(t *testing.T) {
	client := startRedis(t).client(t)
	for name, scene := range remoteScenes {
		t.Run(name, func(t *testing.T) { scene(t, redisRig(t, client)) })
	}
}

// remoteScenes is the table. Each scene has a Redis of its own, of which it uses key k.
var remoteScenes = map[string]func(t *testing.T, r *rig){
	"get: what is not there is missing": func(t *testing.T, r *rig) {
		if _, err := r.get(t.Context(), "k"); !errors.Is(err, errMissing) {
			t.Fatal(err)
		}
	},
	"get: what is not a string is missing": func(t *testing.T, r *rig) {
		r.list("k")
		if _, err := r.get(t.Context(), "k"); !errors.Is(err, errMissing) {
			t.Fatal(err)
		}
	},
	"set: stores for the TTL, over anything": func(t *testing.T, r *rig) {
		r.list("k")
		if err := r.set(t.Context(), "k", []byte("v"), 1500*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		r.wantValue(t, []byte("v"))
		r.wantKeys(t, "k")
		if left := r.ttls()["k"]; left > 1500*time.Millisecond {
			t.Errorf("expires in %v", left)
		}
	},

	"acquire: a free key is granted": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", nothing, granted)
		r.wantKeys(t, leaseKey("k"))
		r.wantHeard(t)
	},
	"acquire: a value is returned": func(t *testing.T, r *rig) {
		b := valueOf(1, 1).encode()
		r.put("k", b)
		r.wantAcquired(t, "a", nothing, acquired{value: b})
		r.wantKeys(t, "k")
	},
	"acquire: the value in hand is not returned": func(t *testing.T, r *rig) {
		r.put("k", valueOf(1, 1).encode())
		r.wantAcquired(t, "a", inHandOf(valueOf(1, 1)), granted)
		r.wantKeys(t, "k", leaseKey("k"))
	},
	"acquire: another value than the one in hand is returned, newer or not": func(t *testing.T, r *rig) {
		b := valueOf(1, 1).encode()
		r.put("k", b)
		r.wantAcquired(t, "a", inHandOf(valueOf(0, 1)), acquired{value: b})
		r.wantAcquired(t, "a", inHandOf(valueOf(2, 1)), acquired{value: b})
	},
	"acquire: the value in hand is gone": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", inHandOf(valueOf(1, 1)), granted)
	},
	"acquire: another's lease is held for the time it has left": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", nothing, granted)
		r.wantAcquired(t, "b", nothing, held)
		r.wantAcquired(t, "b", inHandOf(valueOf(1, 1)), held)
		r.wantKeys(t, leaseKey("k"))
	},
	"acquire: a retry with the same token is granted again": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", nothing, granted)
		r.wantAcquired(t, "a", nothing, granted)
		r.wantAcquired(t, "b", nothing, held)
	},
	"acquire: what is not a string counts as nothing": func(t *testing.T, r *rig) {
		r.list("k")
		r.wantAcquired(t, "a", nothing, granted)
	},
	"acquire: broken bytes are returned to who has not seen them": func(t *testing.T, r *rig) {
		for _, b := range []string{"x", "p\x01\xff\xff", strings.Repeat("long", 20)} {
			r.put("k", []byte(b))
			r.wantAcquired(t, "a", nothing, acquired{value: []byte(b)})
		}
	},
	"acquire: broken bytes are removed by who has seen them and gets the lease": func(t *testing.T, r *rig) {
		for _, b := range []string{"", "x", "p\x01\xff\xff", strings.Repeat("long", 20)} {
			r.put("k", []byte(b))
			r.wantAcquired(t, "a", inHand{any: true, stamp: stampOf([]byte(b)), broken: true}, granted)
			r.wantKeys(t, leaseKey("k"))
		}
	},
	"acquire: broken bytes stay while another has the lease": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", nothing, granted)
		r.put("k", []byte("x"))
		r.wantAcquired(t, "b", inHand{any: true, stamp: "x", broken: true}, held)
		r.wantValue(t, []byte("x"))
	},

	"renew: prolongs the token's own lease only, and creates none": func(t *testing.T, r *rig) {
		wantOurs := func(token string, want bool) {
			t.Helper()
			ours, err := r.renew(t.Context(), "k", token, 2*ttl)
			if err != nil || ours != want {
				t.Fatalf("renew %s: %t, %v; want %t", token, ours, err, want)
			}
		}
		wantOurs("a", false)
		r.wantKeys(t)
		r.wantAcquired(t, "a", nothing, granted)
		wantOurs("b", false)
		if left := r.ttls()[leaseKey("k")]; left > ttl {
			t.Errorf("another token prolonged the lease to %v", left)
		}
		wantOurs("a", true)
		if left := r.ttls()[leaseKey("k")]; left <= ttl {
			t.Errorf("the lease was not prolonged: %v", left)
		}
		r.wantHeard(t)
	},

	"commit: stores under the lease, frees it and says so": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", nothing, granted)
		r.wantCommitted(t, "a", valueOf(1, 1), stored)
		r.wantValue(t, valueOf(1, 1).encode())
		r.wantKeys(t, "k")
		r.wantHeard(t, filled)
	},
	"commit: a retry is stored, and said once": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", nothing, granted)
		r.wantCommitted(t, "a", valueOf(1, 1), stored)
		r.wantCommitted(t, "a", valueOf(1, 1), stored)
		r.wantHeard(t, filled)
	},
	"commit: without a lease it is fenced": func(t *testing.T, r *rig) {
		r.wantCommitted(t, "a", valueOf(1, 1), fenced)
		r.wantKeys(t)
		r.wantHeard(t)
	},
	"commit: under another's lease it is fenced, and the lease stays": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "b", nothing, granted)
		r.put("k", valueOf(2, 1).encode())
		r.wantCommitted(t, "a", valueOf(1, 1), fenced)
		r.wantValue(t, valueOf(2, 1).encode())
		r.wantKeys(t, "k", leaseKey("k"))
		r.wantHeard(t)
	},
	"commit: after an invalidation it is fenced, also as a retry": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", nothing, granted)
		if err := r.void(t.Context(), "k", message{Kind: voided, Key: "k"}); err != nil {
			t.Fatal(err)
		}
		r.wantCommitted(t, "a", valueOf(1, 1), fenced)
		r.wantCommitted(t, "a", valueOf(1, 1), fenced)
		r.wantKeys(t)
		r.wantHeard(t, voided)
	},
	"commit: never over a newer schema, and frees the lease": func(t *testing.T, r *rig) {
		newer := valueOf(1, 0x0200)
		r.put("k", newer.encode())
		r.wantAcquired(t, "a", inHandOf(newer), granted)
		r.wantCommitted(t, "a", valueOf(2, 0x01ff), outdated)
		r.wantValue(t, newer.encode())
		r.wantKeys(t, "k")
		r.wantHeard(t, filled)
	},
	"commit: over the same schema, an older one, or what is not a string": func(t *testing.T, r *rig) {
		for _, before := range []func(){
			func() { r.put("k", valueOf(1, 0x0200).encode()) },
			func() { r.put("k", valueOf(1, 0x01ff).encode()) },
			func() { r.put("k", []byte("x")) },
			func() { r.put("k", []byte("")) },
			func() { r.list("k") },
		} {
			before()
			b, _ := r.get(t.Context(), "k")
			r.wantAcquired(t, "a", inHand{any: true, stamp: stampOf(b)}, granted)
			r.wantCommitted(t, "a", valueOf(2, 0x0200), stored)
			r.wantValue(t, valueOf(2, 0x0200).encode())
		}
		r.wantKeys(t, "k")
	},

	"abandon: frees the token's own lease and says why": func(t *testing.T, r *rig) {
		m := message{Kind: freed, Key: "k", From: "me", Failure: "timeout", Text: "load timed out"}
		r.wantAcquired(t, "a", nothing, granted)
		if err := r.abandon(t.Context(), "k", "b", m); err != nil {
			t.Fatal(err)
		}
		r.wantKeys(t, leaseKey("k"))
		if err := r.abandon(t.Context(), "k", "a", m); err != nil {
			t.Fatal(err)
		}
		r.wantKeys(t)
		if got := r.heard(); got != m {
			t.Errorf("heard %+v, want %+v", got, m)
		}
		if err := r.abandon(t.Context(), "k", "a", m); err != nil { // nothing left
			t.Fatal(err)
		}
		r.wantHeard(t)
	},

	"void: removes value and lease and says so, whatever was there": func(t *testing.T, r *rig) {
		for _, before := range []func(){
			func() {},
			func() { r.put("k", valueOf(1, 1).encode()) },
			func() { r.wantAcquired(t, "a", nothing, granted) },
			func() { r.list("k") },
		} {
			before()
			if err := r.void(t.Context(), "k", message{Kind: voided, Key: "k"}); err != nil {
				t.Fatal(err)
			}
			r.wantKeys(t)
			r.wantHeard(t, voided)
		}
	},

	"replace: stores over nothing, anything old and what cannot be read, and voids the lease": func(t *testing.T, r *rig) {
		for _, before := range []func(){
			func() {},
			func() { r.put("k", versionOfThing(1).encode()) },
			func() { r.put("k", versionOfThing(2).encode()) },
			func() { r.put("k", []byte("junk")) },
			func() { r.list("k") },
		} {
			before()
			r.wantReplaced(t, versionOfThing(2), stored)
			r.wantValue(t, versionOfThing(2).encode())
		}
		if err := r.void(t.Context(), "k", message{Kind: voided, Key: "k"}); err != nil {
			t.Fatal(err)
		}
		r.wantHeard(t, voided)
		r.wantAcquired(t, "a", nothing, granted)
		r.wantReplaced(t, versionOfThing(2), stored)
		r.wantKeys(t, "k")
		r.wantCommitted(t, "a", valueOf(9, 1), fenced)
	},
	"replace: a newer version stays, and the lease is voided all the same": func(t *testing.T, r *rig) {
		r.wantAcquired(t, "a", nothing, granted)
		r.put("k", versionOfThing(300).encode())
		r.wantReplaced(t, versionOfThing(299), outdated)
		r.wantValue(t, versionOfThing(300).encode())
		r.wantKeys(t, "k")
	},
	"replace: a newer schema stays": func(t *testing.T, r *rig) {
		newer := versionOfThing(1)
		newer.schema = 2
		r.put("k", newer.encode())
		r.wantReplaced(t, versionOfThing(5), outdated)
		r.wantValue(t, newer.encode())
	},

	"all commands work on a server that forgot its scripts": func(t *testing.T, r *rig) {
		r.forgetScripts()
		r.wantAcquired(t, "a", nothing, granted)
		r.forgetScripts()
		if ours, err := r.renew(t.Context(), "k", "a", ttl); err != nil || !ours {
			t.Fatalf("renew: %t, %v", ours, err)
		}
		r.forgetScripts()
		r.wantCommitted(t, "a", valueOf(1, 1), stored)
		r.forgetScripts()
		if err := r.abandon(t.Context(), "k", "a", message{}); err != nil {
			t.Fatal(err)
		}
		r.forgetScripts()
		r.wantHeard(t, filled)
	},
}
