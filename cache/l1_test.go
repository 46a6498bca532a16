// L1: when a process's own copy may be shown.

package cache

import (
	"testing"
	"testing/synctest"
	"time"
)

// warm starts a process that has key 1 in L1 and in Redis.
func warm(t *testing.T, s *source) *testProcess {
	t.Helper()
	p := newFakeRedis().start(t, testPolicy(Both))
	a, how := p.get("1", s)
	wantErr(t, nil, a)
	wantResult(t, how, Loaded)
	return p
}

func TestL1(t *testing.T) {
	for name, scene := range map[string]func(t *testing.T){
		"answers until the local TTL, then Redis does": func(t *testing.T) {
			s := holding("a", 0)
			p := warm(t, s)
			time.Sleep(5*time.Second - 1)
			_, how := p.get("1", s)
			wantResult(t, how, HitL1)
			time.Sleep(time.Nanosecond)
			_, how = p.get("1", s)
			wantResult(t, how, HitRedis)
			_, how = p.get("1", s)
			wantResult(t, how, HitL1)
			wantLoads(t, s, 1)
		},
		"does not outlive the value": func(t *testing.T) {
			s := holding("a", 0)
			p := warm(t, s)
			time.Sleep(58 * time.Second)
			_, how := p.get("1", s)
			wantResult(t, how, HitRedis) // and fills L1 for 5 s, of which the value has 2
			time.Sleep(2 * time.Second)
			_, how = p.get("1", s)
			wantResult(t, how, Loaded)
		},
		"is forgotten by a flush": func(t *testing.T) {
			s := holding("a", 0)
			p := warm(t, s)
			p.process.flush()
			_, how := p.get("1", s)
			wantResult(t, how, HitRedis)
		},
		"is not used while messages do not arrive": func(t *testing.T) {
			s := holding("a", 0)
			p := warm(t, s)
			p.process.subscribed.Store(false)
			_, how := p.get("1", s)
			wantResult(t, how, HitRedis)
		},
		"is off with a local TTL of 0": func(t *testing.T) {
			policy := testPolicy(Both)
			policy.LocalTTL = 0
			p := newFakeRedis().start(t, policy)
			s := holding("a", 0)
			p.get("1", s)
			_, how := p.get("1", s)
			wantResult(t, how, HitRedis)
		},
		"remembers what does not exist": func(t *testing.T) {
			s := holding("a", 0)
			p := newFakeRedis().start(t, testPolicy(Both))
			s.fail(ErrNotFound)
			p.get("1", s)
			p.remote.onCommand(func(command string) fault { t.Errorf("asked Redis to %s", command); return none })
			a, how := p.get("1", s)
			wantErr(t, ErrNotFound, a)
			wantResult(t, how, Negative)
		},
	} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, scene) })
	}
}
