// Stale if error: an old copy beats no answer, but neither an edit nor a "not found".

package cache

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestAnOldCopy(t *testing.T) {
	errDown := errors.New("source is down")
	// old starts a process with a copy past its soft expiry, and a source that fails.
	old := func(t *testing.T, f *fakeRedis, s *source) *testProcess {
		p := f.start(t, testPolicy(Both))
		p.get("1", s)
		time.Sleep(61 * time.Second)
		s.fail(errDown)
		return p
	}
	bubble(t, map[string]func(t *testing.T){
		"is served when the load fails, until the hard expiry": func(t *testing.T) {
			s := holding("a", 0)
			p := old(t, newFakeRedis(), s)
			for range 3 {
				a, how := p.get("1", s)
				wantText(t, "a", a)
				wantResult(t, how, Stale)
			}
			wantLoads(t, s, 4) // each call tried
			time.Sleep(9 * time.Minute)
			a, how := p.get("1", s)
			wantErr(t, errDown, a)
			wantResult(t, how, Failed)
		},
		"is served when the load is shed": func(t *testing.T) {
			s := holding("a", 0)
			p := old(t, newFakeRedis(), s)
			if !p.bulkhead.slots.TryAcquire(8) {
				t.Fatal("no free slots")
			}
			a, how := p.get("1", s)
			wantText(t, "a", a)
			wantResult(t, how, Stale)
			wantTook(t, 500*time.Millisecond, a)
			p.bulkhead.slots.Release(8)
		},
		"is served although messages do not arrive": func(t *testing.T) {
			s := holding("a", 0)
			p := old(t, newFakeRedis(), s)
			p.remote.onCommand(failing(refused))
			p.process.subscribed.Store(false)
			a, how := p.get("1", s)
			wantText(t, "a", a)
			wantResult(t, how, Stale)
		},
		"is not served after an edit": func(t *testing.T) {
			f := newFakeRedis()
			s := holding("a", 0)
			p := old(t, f, s)
			f.start(t, testPolicy(Both)).edit(t, s, "b")
			a, _ := p.get("1", s)
			wantErr(t, errDown, a)
		},
		"does not hide that there is no such thing any more": func(t *testing.T) {
			f := newFakeRedis()
			s := holding("a", time.Second)
			policy := testPolicy(Both)
			policy.NegativeTTL = 0 // so that the answer comes as a failure of another process
			p, other := f.start(t, policy), f.start(t, policy)
			p.get("1", s)
			time.Sleep(61 * time.Second)
			s.fail(ErrNotFound)
			loading := async(func() (doc, error) { return other.Get(t.Context(), "1", s.load) })
			synctest.Wait()
			a, _ := p.get("1", s)
			wantErr(t, ErrNotFound, a, <-loading)
		},
		"is no excuse for a caller who leaves": func(t *testing.T) {
			s := holding("a", time.Second)
			p := old(t, newFakeRedis(), s)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			a := <-async(func() (doc, error) { return p.Get(ctx, "1", s.load) })
			wantErr(t, context.DeadlineExceeded, a)
			wantTook(t, 20*time.Millisecond, a)
		},
	})
}
