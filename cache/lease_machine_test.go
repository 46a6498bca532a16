// The lease as a state machine: whatever is done to a key in whatever order, Redis and the fake agree on it, and nothing is
// committed under a right that was lost.

package cache

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRedisAndTheFakeAgreeInAnyOrder(t *testing.T) {
	client := startRedis(t).client(t)
	redis := redisRig(t, client)
	rapid.Check(t, func(rt *rapid.T) {
		if err := client.FlushAll(rt.Context()).Err(); err != nil {
			rt.Fatal(err)
		}
		fake := fakeRig(t)
		// both does something on both and returns the reply, on which they must agree.
		both := func(t *rapid.T, do func(r *rig) string) string {
			t.Helper()
			want, got := do(fake), do(redis)
			if got != want {
				t.Fatalf("Redis answers %s, the fake %s", got, want)
			}
			return got
		}
		tokens, seconds, schemas := rapid.SampledFrom([]string{"a", "b", "c"}), rapid.Int64Range(1, 2), rapid.Uint16Range(1, 2)
		holder := "" // whose load may be committed

		rt.Repeat(map[string]func(*rapid.T){
			"acquire": func(t *rapid.T) {
				token := tokens.Draw(t, "token")
				hand := rapid.SampledFrom([]inHand{
					nothing, inHandOf(valueOf(1, 1)), inHandOf(valueOf(2, 1)), {any: true, stamp: "junk", broken: true},
				}).Draw(t, "in hand")
				reply := both(t, func(r *rig) string {
					got, err := r.acquire(t.Context(), "k", token, ttl, hand)
					return fmt.Sprintf("value %q, granted %t, held %t, %v", got.value, got.granted, got.held > 0, err)
				})
				if reply == `value "", granted true, held false, <nil>` {
					holder = token
				}
			},
			"renew": func(t *rapid.T) {
				token := tokens.Draw(t, "token")
				both(t, func(r *rig) string {
					ours, err := r.renew(t.Context(), "k", token, ttl)
					return fmt.Sprint(ours, err)
				})
			},
			"commit": func(t *rapid.T) {
				token, e := tokens.Draw(t, "token"), valueOf(seconds.Draw(t, "stamp"), schemas.Draw(t, "schema"))
				before, _ := fake.get(t.Context(), "k")
				reply := both(t, func(r *rig) string {
					result, err := r.commit(t.Context(), "k", token, e, ttl, message{Kind: filled, Key: "k", From: token})
					return fmt.Sprint(result, err)
				})
				after, _ := fake.get(t.Context(), "k")
				if token != holder && string(after) != string(before) {
					t.Fatalf("%s stored a value without the lease: %s", token, reply)
				}
				if token == holder && string(after) != string(before) {
					holder = ""
				}
			},
			"abandon": func(t *rapid.T) {
				token := tokens.Draw(t, "token")
				both(t, func(r *rig) string {
					return fmt.Sprint(r.abandon(t.Context(), "k", token, message{Kind: freed, Key: "k", From: token}))
				})
				if token == holder {
					holder = ""
				}
			},
			"replace": func(t *rapid.T) {
				e := versionOfThing(rapid.Uint64Range(0, 2).Draw(t, "version"))
				e.schema = schemas.Draw(t, "schema")
				both(t, func(r *rig) string {
					result, err := r.replace(t.Context(), "k", e, ttl, message{Kind: voided, Key: "k"})
					return fmt.Sprint(result, err)
				})
				holder = ""
			},
			"void": func(t *rapid.T) {
				both(t, func(r *rig) string { return fmt.Sprint(r.void(t.Context(), "k", message{Kind: voided, Key: "k"})) })
				holder = ""
			},
			"the lease runs out": func(*rapid.T) {
				fake.runOut("k")
				redis.runOut("k")
				holder = ""
			},
			"somebody writes what we cannot read": func(t *rapid.T) {
				if rapid.Bool().Draw(t, "a list") {
					fake.list("k")
					redis.list("k")
					return
				}
				junk := []byte(rapid.SampledFrom([]string{"", "junk", "p\x01\x00\x02 junk"}).Draw(t, "junk"))
				fake.put("k", junk)
				redis.put("k", junk)
			},
			"": func(t *rapid.T) {
				for len(fake.messages) > 0 {
					if want, got := fake.heard(), redis.heard(); got != want {
						t.Fatalf("Redis says %+v, the fake %+v", got, want)
					}
				}
				both(t, func(r *rig) string {
					b, err := r.get(t.Context(), "k")
					return fmt.Sprintf("%q, %v", b, err)
				})
				both(t, func(r *rig) string { return fmt.Sprint(slices.Sorted(maps.Keys(r.ttls()))) })
				for key, left := range redis.ttls() {
					if left <= 0 || left > time.Minute {
						t.Fatalf("%s expires in %v", key, left)
					}
				}
			},
		})
	})
}
