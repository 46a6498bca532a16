// Redis down or silent: answers still come, soon, bounded, and no lease is left stuck.

package cache

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// leasing are the strategies that need Redis for a load.
var leasing = []Strategy{Lock, Both, SWR, XFetch}

func TestRedisFailsAtEachStep(t *testing.T) {
	for _, f := range []struct {
		name  string
		fault fault
	}{{"refused", refused}, {"silent", silent}, {"reply lost", replyLost}} {
		for _, command := range []string{"get", "acquire", "commit", "abandon", "renew", "set"} {
			t.Run(f.name+"/"+command, func(t *testing.T) {
				strategies := slices.Concat(leasing, []Strategy{Flight, Aside})
				if command == "commit" {
					// Under Lock callers share nothing but Redis: if that cannot store the answer, each loads in turn.
					strategies = strategies[1:]
				}
				eachStrategy(t, strategies, func(t *testing.T, p *testProcess, redis *fakeRedis) {
					p.remote.onCommand(failing(f.fault, command))
					s := holding("a", time.Second)
					answers := herd(8, func(int) (doc, error) { return p.Get(t.Context(), "1", s.load) })
					wantText(t, "a", answers...)
					for _, a := range answers {
						if a.took > time.Second+2*commandTimeout { // a waiter of lock asks twice
							t.Errorf("answer after %v", a.took)
						}
					}
					p.remote.onCommand(nil)
					time.Sleep(p.kind.policy.LeaseTTL)
					if token, _ := redis.holder(keyOf("1")); token != "" {
						t.Error("a lease is stuck")
					}
				})
			})
		}
	}
}

func TestRedisIsAway(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"a herd is one load per process, kept in L1 only": func(t *testing.T) {
			f := newFakeRedis()
			processes := f.starts(t, 3, testPolicy(Both))
			for _, p := range processes {
				p.remote.onCommand(failing(refused))
			}
			s := holding("a", 100*time.Millisecond)
			answers := herdOver(t, processes, 60, s)
			wantText(t, "a", answers...)
			wantTook(t, 100*time.Millisecond, answers...)
			wantLoads(t, s, 3)
			_, how := processes[0].get("1", s)
			wantResult(t, how, HitL1)
			if f.peek(keyOf("1")) != nil {
				t.Error("Redis has a value")
			}
		},
		"a caller of lock still obeys its own context": func(t *testing.T) {
			p := newFakeRedis().start(t, testPolicy(Lock))
			p.remote.onCommand(failing(refused))
			s := holding("a", time.Second)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			a := <-async(func() (doc, error) { return p.Get(ctx, "1", s.load) })
			if a.err == nil || a.took != 20*time.Millisecond {
				t.Errorf("answer %v after %v, want its deadline at 20 ms", a.err, a.took)
			}
		},
		"a silent Redis costs a caller two time-outs, not more": func(t *testing.T) {
			p := newFakeRedis().start(t, testPolicy(Both))
			p.remote.onCommand(failing(silent))
			s := holding("a", 100*time.Millisecond)
			a, _ := p.get("1", s)
			wantText(t, "a", a)
			if want := 2*commandTimeout + 100*time.Millisecond; a.took > want {
				t.Errorf("answer after %v, want at most %v", a.took, want)
			}
		},
		"a load that Redis left before its end is answered a time-out later at most": func(t *testing.T) {
			p := newFakeRedis().start(t, testPolicy(Both))
			s := holding("a", 100*time.Millisecond)
			got := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
			synctest.Wait()
			p.remote.onCommand(failing(silent))
			a := <-got
			wantText(t, "a", a)
			if want := commandTimeout + 100*time.Millisecond; a.took > want {
				t.Errorf("answer after %v, want at most %v", a.took, want)
			}
		},
		"an acquire whose reply was lost leaves no lease behind": func(t *testing.T) {
			f := newFakeRedis()
			p := f.start(t, testPolicy(Both))
			p.remote.onCommand(failing(replyLost, "acquire"))
			s := holding("a", time.Minute)
			go func() { _, _ = p.Get(t.Context(), "1", s.load) }()
			time.Sleep(commandTimeout + time.Millisecond)
			synctest.Wait()
			if token, _ := f.holder(keyOf("1")); token != "" {
				t.Error("other processes must wait for the lease to run out")
			}
		},
		"an invalidation that Redis did not get is an error, and obeyed in this process": func(t *testing.T) {
			s := holding("old", 0)
			p := warm(t, s)
			p.remote.onCommand(failing(refused))
			s.edit("new")
			if err := p.Group.Invalidate(t.Context(), "1"); !errors.Is(err, errRefused) {
				t.Errorf("error %v, want Redis's", err)
			}
			a, _ := p.get("1", s)
			wantText(t, "new", a)
		},
	})
}
