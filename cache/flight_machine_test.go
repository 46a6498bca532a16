// The process as a state machine: flights, refreshes, L1, edits heard and missed, in any order.

package cache

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A pass is a call that has read its source and has not landed.
type pass struct {
	key  string
	call *call
	read int // version
}

// Nobody is ever given what is older than the last edit that the process has heard of: not by L1, and not by a call to join.
func TestAProcessShowsNothingOlderThanWhatItHeard(t *testing.T) {
	policy := testPolicy(Both)
	k := &kind{policy: policy, hot: newHotKeys()}
	keys := rapid.SampledFrom([]string{"{test:docs:1}", "{test:docs:2}", "{test:other:1}"})
	rapid.Check(t, func(rt *rapid.T) {
		p, err := newProcess(1 << 20)
		if err != nil {
			rt.Fatal(err)
		}
		p.subscribed.Store(true)
		now := time.Now()
		row, heard := map[string]int{}, map[string]int{} // versions
		var passes []pass
		hear := func(prefix string) {
			for key := range row {
				if strings.HasPrefix(key, prefix) {
					heard[key] = row[key]
				}
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"look": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				if _, call, leader := p.find(key, now, policy); leader {
					passes = append(passes, pass{key, call, row[key]})
				}
			},
			"refresh": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				if call, first := p.beginRefresh(key); first {
					passes = append(passes, pass{key, call, row[key]})
				}
			},
			"land": func(t *rapid.T) {
				if len(passes) == 0 {
					return
				}
				i := rapid.IntRange(0, len(passes)-1).Draw(t, "pass")
				landing := passes[i]
				passes = append(passes[:i:i], passes[i+1:]...)
				kept := p.current(landing.key, landing.call) && p.subscribed.Load()
				e := entry{start: now, soft: now.Add(policy.SoftTTL), hard: now.Add(policy.HardTTL)}
				p.land(landing.key, landing.call, k, outcome{entry: e, value: landing.read, result: Loaded}, now)
				<-landing.call.done // or those who wait hang
				if landing.call.out.value != landing.read {
					t.Fatalf("a call that read %d says %v", landing.read, landing.call.out.value)
				}
				if _, hit := p.local(landing.key, now); kept && !hit {
					t.Fatal("a call that nobody voided left nothing in L1")
				}
			},
			"edit": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				row[key]++
				p.void(key)
				hear(key)
			},
			"edit all of a prefix": func(*rapid.T) {
				for key := range row {
					row[key]++
				}
				p.voidPrefix("{test:docs:")
				hear("{test:docs:")
			},
			"edit unheard of":    func(t *rapid.T) { row[keys.Draw(t, "key")]++ },
			"subscription fails": func(*rapid.T) { p.subscribed.Store(false) },
			"subscribe again": func(*rapid.T) {
				p.flush()
				p.subscribed.Store(true)
				hear("")
			},
			"time passes": func(t *rapid.T) { now = now.Add(time.Duration(rapid.IntRange(1, 10).Draw(t, "seconds")) * time.Second) },
			"": func(t *rapid.T) { // what a caller would be given
				for key := range row {
					local, call, leader := p.find(key, now, policy)
					switch {
					case local != nil:
						if age := now.Sub(local.start); local.value.(int) < heard[key] || age >= policy.LocalTTL || !p.subscribed.Load() {
							t.Fatalf("L1 shows version %v of %s after %v (subscribed: %t), although %d was heard of",
								local.value, key, age, p.subscribed.Load(), heard[key])
						}
					case leader:
						p.land(key, call, k, outcome{err: ErrClosed}, now)
					default:
						running := slices.IndexFunc(passes, func(a pass) bool { return a.call == call })
						if running < 0 || passes[running].read < heard[key] {
							t.Fatalf("a caller for %s joins a call that is over or has read too early", key)
						}
					}
				}
			},
		})
	})
}
