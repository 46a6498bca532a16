// Single-flight: whatever a caller or a load does, the others in the process are not hurt.

package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// flying are the strategies whose callers share a flight.
var flying = []Strategy{Flight, Both, SWR, XFetch}

// eachStrategy runs a scene once per strategy, each in its own bubble of time, with one process.
func eachStrategy(t *testing.T, strategies []Strategy, scene func(t *testing.T, p *testProcess, f *fakeRedis)) {
	t.Helper()
	for _, s := range strategies {
		t.Run(string(s), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFakeRedis()
				scene(t, f.start(t, testPolicy(s)), f)
			})
		})
	}
}

func TestAHerdIsOneLoad(t *testing.T) {
	eachStrategy(t, flying, func(t *testing.T, p *testProcess, _ *fakeRedis) {
		s := holding("a", 150*time.Millisecond)
		answers := herd(200, func(int) (doc, error) { return p.Get(t.Context(), "1", s.load) })
		wantText(t, "a", answers...)
		wantTook(t, 150*time.Millisecond, answers...)
		wantLoads(t, s, 1)
	})
}

func TestACallerLeaves(t *testing.T) {
	eachStrategy(t, append(flying, Lock), func(t *testing.T, p *testProcess, _ *fakeRedis) {
		s := holding("a", 500*time.Millisecond)
		leader, leave := context.WithCancel(t.Context())
		first := async(func() (doc, error) { return p.Get(leader, "1", s.load) })
		synctest.Wait()
		others := make(chan []answer, 1)
		go func() { others <- herd(49, func(int) (doc, error) { return p.Get(t.Context(), "1", s.load) }) }()
		hasty, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		impatient := async(func() (doc, error) { return p.Get(hasty, "1", s.load) })

		time.Sleep(50 * time.Millisecond)
		leave()
		a := <-first
		wantErr(t, context.Canceled, a)
		wantTook(t, 50*time.Millisecond, a)
		a = <-impatient
		wantErr(t, context.DeadlineExceeded, a)
		wantTook(t, 20*time.Millisecond, a)

		time.Sleep(50 * time.Millisecond)
		newcomer := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
		wantText(t, "a", <-others...)
		a = <-newcomer
		wantText(t, "a", a)
		wantTook(t, 400*time.Millisecond, a)
		wantLoads(t, s, 1)
	})
}

func TestAllLeaveAndTheAnswerIsKept(t *testing.T) {
	eachStrategy(t, append(flying, Lock), func(t *testing.T, p *testProcess, f *fakeRedis) {
		s := holding("a", 500*time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		wantErr(t, context.DeadlineExceeded, herd(20, func(int) (doc, error) { return p.Get(ctx, "1", s.load) })...)
		time.Sleep(time.Second)
		a, how := p.get("1", s)
		wantText(t, "a", a)
		wantTook(t, 0, a)
		if !how.hit() {
			t.Errorf("answered by %q, want a hit", how)
		}
		wantLoads(t, s, 1)
		if f.peek(keyOf("1")) == nil {
			t.Error("Redis has no value")
		}
	})
}

func TestALoadThatBreaksHurtsNobody(t *testing.T) {
	for name, load := range map[string]func(context.Context) (doc, error){
		"panics":          func(context.Context) (doc, error) { time.Sleep(time.Second); panic("x") },
		"panics with nil": func(context.Context) (doc, error) { time.Sleep(time.Second); panic(nil) },
		"exits":           func(context.Context) (doc, error) { time.Sleep(time.Second); runtime.Goexit(); return doc{}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			eachStrategy(t, flying, func(t *testing.T, p *testProcess, f *fakeRedis) {
				answers := herd(20, func(int) (doc, error) { return p.Get(t.Context(), "1", load) })
				wantErr(t, ErrLoadPanicked, answers...)
				wantTook(t, time.Second, answers...)
				if name == "panics" && !strings.Contains(answers[0].err.Error(), "panicked: x") {
					t.Errorf("error %q does not say what the load panicked with", answers[0].err)
				}
				if token, _ := f.holder(keyOf("1")); token != "" {
					t.Error("the lease is still there")
				}
				s := holding("a", time.Millisecond)
				a, _ := p.get("1", s)
				wantText(t, "a", a)
				wantTook(t, time.Millisecond, a)
				wantCount(t, "panicked loads", p.kind.metrics.loads(loadPanic), 1)
			})
		})
	}
}

func TestErrorsAreNotKept(t *testing.T) {
	errDown := errors.New("source is down")
	eachStrategy(t, append(flying, Lock, Aside), func(t *testing.T, p *testProcess, _ *fakeRedis) {
		s := holding("a", time.Millisecond)
		s.fail(errDown)
		a, how := p.get("1", s)
		wantErr(t, errDown, a)
		wantResult(t, how, Failed)
		s.fail(nil)
		a, _ = p.get("1", s)
		wantText(t, "a", a)
		wantLoads(t, s, 2)
	})
}

func TestNotFound(t *testing.T) {
	t.Run("is remembered for the negative TTL", func(t *testing.T) {
		eachStrategy(t, append(flying, Lock, Aside), func(t *testing.T, p *testProcess, _ *fakeRedis) {
			s := holding("a", time.Millisecond)
			s.fail(ErrNotFound)
			wantErr(t, ErrNotFound, herd(100, func(int) (doc, error) { return p.Get(t.Context(), "1", s.load) })...)
			before := s.loads()
			time.Sleep(29 * time.Second)
			a, how := p.get("1", s)
			wantErr(t, ErrNotFound, a)
			wantResult(t, how, Negative)
			wantLoads(t, s, before)
			if p.kind.policy.Strategy != Aside {
				wantLoads(t, s, 1)
			}

			s.fail(nil) // it exists now
			time.Sleep(time.Second)
			a, _ = p.get("1", s)
			wantText(t, "a", a)
		})
	})
	t.Run("is not remembered without one", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			policy := testPolicy(Both)
			policy.NegativeTTL = 0
			f := newFakeRedis()
			p := f.start(t, policy)
			s := holding("", time.Millisecond)
			s.fail(ErrNotFound)
			for range 2 {
				a, _ := p.get("1", s)
				wantErr(t, ErrNotFound, a)
			}
			wantLoads(t, s, 2)
			if f.peek(keyOf("1")) != nil {
				t.Error("Redis has a value")
			}
		})
	})
}

// deaf is a load that takes a minute and ignores its context.
func deaf(context.Context) (doc, error) { time.Sleep(time.Minute); return doc{Text: "late"}, nil }

func TestALoadThatIgnoresItsContext(t *testing.T) {
	eachStrategy(t, flying, func(t *testing.T, p *testProcess, f *fakeRedis) {
		answers := herd(20, func(int) (doc, error) { return p.Get(t.Context(), "1", deaf) })
		wantErr(t, ErrLoadTimeout, answers...)
		wantTook(t, 3*time.Second, answers...)

		// It is gone from the key, but not from the bulkhead: it still uses a connection.
		for range 7 {
			if !p.bulkhead.slots.TryAcquire(1) {
				t.Fatal("more than one slot is taken")
			}
		}
		if p.bulkhead.slots.TryAcquire(1) {
			t.Fatal("the slot of the running load is free")
		}
		s := holding("a", time.Millisecond)
		a, how := p.get("1", s)
		wantErr(t, ErrOverloaded, a)
		wantTook(t, 500*time.Millisecond, a)
		wantResult(t, how, Shed)
		p.bulkhead.slots.Release(7)

		time.Sleep(time.Minute)
		synctest.Wait()
		if f.peek(keyOf("1")) != nil {
			t.Error("the late answer was stored")
		}
		if !p.bulkhead.slots.TryAcquire(8) {
			t.Fatal("slots leak")
		}
		p.bulkhead.slots.Release(8)
	})
}

func TestTheBulkheadBoundsDifferentKeys(t *testing.T) {
	eachStrategy(t, append(flying, Lock), func(t *testing.T, p *testProcess, _ *fakeRedis) {
		s := holding("a", 2*time.Second)
		answers := herd(100, func(i int) (doc, error) { return p.Get(t.Context(), string(rune('A'+i)), s.load) })
		var ok, shed []answer
		for _, a := range answers {
			if a.err == nil {
				ok = append(ok, a)
			} else {
				shed = append(shed, a)
			}
		}
		wantTook(t, 2*time.Second, ok...)
		wantErr(t, ErrOverloaded, shed...)
		wantTook(t, 500*time.Millisecond, shed...)
		if len(ok) != 8 || s.peak != 8 {
			t.Errorf("%d answers, %d loads at once, want 8 of each", len(ok), s.peak)
		}
	})
}

// Not in a bubble: the end of a load races with the wake-up of who waits for it.
func TestTheEndOfALoadIsNotTakenForItsCancellation(t *testing.T) {
	p := newFakeRedis().start(t, testPolicy(Both))
	s := holding("a", 0)
	herd(8, func(worker int) (doc, error) {
		for i := range 500 {
			d, err := p.Get(t.Context(), fmt.Sprint(worker, i), s.load)
			if err != nil || d.Text != "a" {
				t.Errorf("load %d: %q, %v", i, d.Text, err)
			}
		}
		return doc{}, nil
	})
}

// Not in a bubble either: a caller that misses L1 just before a load fills it must not load again. Redis is away, or
// one GET would hide it.
func TestACallerThatMeetsTheEndOfALoadDoesNotLoadAgain(t *testing.T) {
	p := newFakeRedis().start(t, testPolicy(Both))
	p.remote.onCommand(failing(refused))
	s := holding("a", 0)
	const keys = 1000
	for i := range keys {
		wantText(t, "a", herd(8, func(int) (doc, error) { return p.Get(t.Context(), fmt.Sprint(i), s.load) })...)
	}
	wantLoads(t, s, keys)
}
