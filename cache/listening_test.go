// News from the source itself, and news about many keys at once.

package cache

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestNewsFromTheSourceItself(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"let L1 be used without the subscription": func(t *testing.T) {
			s := holding("old", 0)
			p := warm(t, s)
			p.process.subscribed.Store(false)
			p.SetListening(true)
			_, how := p.get("1", s)
			wantResult(t, how, HitL1)
			s.edit("new")
			p.VoidLocal("docs", "1")
			p.remote.onCommand(failing(refused))
			a, _ := p.get("1", s)
			wantText(t, "new", a)

			p.SetListening(false)
			_, how = p.get("1", s)
			wantResult(t, how, Loaded)
		},
		"do not let a value out of Redis into L1, for it may be older than the news": func(t *testing.T) {
			f := newFakeRedis()
			p, other := f.start(t, testPolicy(Both)), f.start(t, testPolicy(Both))
			s := holding("a", 0)
			other.get("1", s)
			p.process.subscribed.Store(false)
			p.SetListening(true)
			for range 2 {
				_, how := p.get("1", s)
				wantResult(t, how, HitRedis)
			}
			p.get("2", s)
			_, how := p.get("2", s) // its own load
			wantResult(t, how, HitL1)
		},
		"void a load in progress": func(t *testing.T) {
			s := holding("old", time.Second)
			p := newFakeRedis().start(t, testPolicy(Both))
			before := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
			synctest.Wait()
			s.edit("new")
			p.VoidLocal("docs", "1")
			wantText(t, "old", <-before)
			_, how := p.get("1", s)
			wantResult(t, how, HitRedis) // Redis was not told; L1 has nothing
		},
	})
}

func TestNewsOfAWholePrefix(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeRedis()
		p, other := f.start(t, testPolicy(Both)), f.start(t, testPolicy(Both))
		rest, err := NewGroup[doc](p.Cache, "docs2", 1, testPolicy(Both))
		if err != nil {
			t.Fatal(err)
		}
		neighbour := &testProcess{p.Cache, rest, p.remote}
		s := holding("a", 0)
		for _, id := range []string{"1", "2"} {
			p.get(id, s)
			other.get(id, s)
			neighbour.get(id, s)
		}
		s.takes = time.Second
		loading := async(func() (doc, error) { return p.Get(t.Context(), "3", s.load) })
		synctest.Wait()
		if err := other.InvalidatePrefix(t.Context(), "docs"); err != nil {
			t.Fatal(err)
		}
		wantText(t, "a", <-loading)
		for _, id := range []string{"1", "2", "3"} {
			_, how := p.get(id, s)
			wantResult(t, how, HitRedis)
		}
		for _, id := range []string{"1", "2"} {
			_, how := other.get(id, s)
			wantResult(t, how, HitRedis)
			_, how = neighbour.get(id, s)
			wantResult(t, how, HitL1) // another prefix, although its name begins alike
		}
	})
}
