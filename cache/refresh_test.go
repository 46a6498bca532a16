// Background refresh: who sees a stale value, and how many loads an expiry costs.

package cache

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// XFetch with the unluckiest, a middling and the luckiest draw, for a value that takes 100 ms to load.
func Example_due() {
	expiry := time.Unix(1000, 0)
	e := entry{cost: 100 * time.Millisecond, soft: expiry}
	for _, rnd := range []float64{1, 0.5, 0.001} {
		earliest := expiry
		for due(XFetch, e, 1, earliest, rnd) {
			earliest = earliest.Add(-time.Millisecond)
		}
		fmt.Printf("random %v: due %v before expiry\n", rnd, expiry.Sub(earliest).Truncate(10*time.Millisecond))
	}
	// Output:
	// random 1: due 0s before expiry
	// random 0.5: due 70ms before expiry
	// random 0.001: due 690ms before expiry
}

func TestDue(t *testing.T) {
	soft := time.Unix(1000, 0)
	e := entry{cost: time.Second, soft: soft, hard: soft.Add(time.Hour)}
	for _, c := range []struct {
		strategy Strategy
		beta     float64
		at       time.Duration // from soft expiry
		rnd      float64
		want     bool
	}{
		{SWR, 1, -1, .5, false},
		{SWR, 1, 0, .5, true},
		{SWR, 1, time.Minute, 1, true},

		{XFetch, 1, -1, 1, false},
		{XFetch, 1, 0, 1, true},
		{XFetch, 1, -time.Second, 1 / math.E, true}, // −ln(1/e) = 1: one load time early
		{XFetch, 1, -time.Second - time.Microsecond, 1 / math.E, false},
		{XFetch, 2, -2 * time.Second, 1 / math.E, true},
		{XFetch, 2, -2*time.Second - time.Microsecond, 1 / math.E, false},
		{XFetch, 1, -time.Minute, math.SmallestNonzeroFloat64, true},

		{Both, 1, time.Minute, .5, false},
		{Flight, 1, time.Minute, .5, false},
		{Lock, 1, time.Minute, .5, false},
		{Aside, 1, time.Minute, .5, false},
	} {
		if got := due(c.strategy, e, c.beta, soft.Add(c.at), c.rnd); got != c.want {
			t.Errorf("due(%s, β %v, %v from expiry, random %v) = %t, want %t", c.strategy, c.beta, c.at, c.rnd, got, c.want)
		}
	}
}

// Callers who decide alone, without the lease: the price of XFetch by itself. A fixed seed makes the figures exact.
func TestXFetchAloneLoadsAboutEToTheOneOverBetaTimesPerExpiry(t *testing.T) {
	const trials, perLoad = 200, 200 // requests while one load runs: many, as on a hot key
	rnd := rand.New(rand.NewPCG(1, 2))
	cost := time.Second
	for _, beta := range []float64{0.5, 1, 2} {
		loads := 0
		for range trials {
			soft := time.Unix(1000, 0)
			e := entry{cost: cost, soft: soft}
			var landed time.Time // when the first load's answer replaces the value
			for now := soft.Add(-20 * cost); landed.IsZero() || now.Before(landed); now = now.Add(cost / perLoad) {
				if due(XFetch, e, beta, now, 1-rnd.Float64()) {
					loads++
					if landed.IsZero() {
						landed = now.Add(cost)
					}
				}
			}
		}
		mean, theory := float64(loads)/trials, math.Exp(1/beta)
		t.Logf("β = %v: %.2f loads per expiry, e^(1/β) = %.2f", beta, mean, theory)
		if mean < theory/2 || mean > theory*2 {
			t.Errorf("β = %v: %.2f loads per expiry, want about %.2f", beta, mean, theory)
		}
	}
}

// readers makes a request every 20 ms in each process for a while, and returns the answers.
func readers(t *testing.T, processes []*testProcess, s *source, during time.Duration) []answer {
	t.Helper()
	var all []answer
	for _, answers := range herdPerProcess(processes, func(p *testProcess) (answers []answer) {
		for end := time.Now().Add(during); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			a, _ := p.get("1", s)
			answers = append(answers, a)
		}
		return answers
	}) {
		all = append(all, answers...)
	}
	return all
}

func herdPerProcess[T any](processes []*testProcess, do func(p *testProcess) T) []T {
	results := make([]T, len(processes))
	herd(len(processes), func(i int) (doc, error) { results[i] = do(processes[i]); return doc{}, nil })
	return results
}

func TestNobodyWaitsAcrossAnExpiry(t *testing.T) {
	for _, strategy := range []Strategy{SWR, XFetch} {
		t.Run(string(strategy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				processes := newFakeRedis().starts(t, 3, testPolicy(strategy))
				s := holding("a", 150*time.Millisecond)
				processes[0].get("1", s)
				for expiry := 1; expiry <= 3; expiry++ {
					wantTook(t, 0, readers(t, processes, s, time.Minute)...)
					wantLoads(t, s, 1+expiry) // one refresh over three processes
				}
			})
		})
	}
}

func TestSWR(t *testing.T) {
	// stale starts a process with a value past its soft expiry.
	stale := func(t *testing.T, s *source) *testProcess {
		p := newFakeRedis().start(t, testPolicy(SWR))
		p.get("1", s)
		time.Sleep(61 * time.Second)
		return p
	}
	errDown := errors.New("source is down")
	bubble(t, map[string]func(t *testing.T){
		"serves the stale value at once, and the fresh one as soon as it is loaded": func(t *testing.T) {
			s := holding("old", 150*time.Millisecond)
			p := stale(t, s)
			s.edit("new")
			a, how := p.get("1", s)
			wantText(t, "old", a)
			wantTook(t, 0, a)
			wantResult(t, how, Stale)
			time.Sleep(151 * time.Millisecond)
			a, how = p.get("1", s)
			wantText(t, "new", a)
			wantResult(t, how, HitL1)
			wantLoads(t, s, 2)
		},
		"refreshes although the caller is gone": func(t *testing.T) {
			s := holding("old", 150*time.Millisecond)
			p := stale(t, s)
			s.edit("new")
			ctx, leave := context.WithCancel(t.Context())
			wantText(t, "old", <-async(func() (doc, error) { return p.Get(ctx, "1", s.load) }))
			leave()
			time.Sleep(200 * time.Millisecond)
			a, _ := p.get("1", s)
			wantText(t, "new", a)
		},
		"asks a source that is down once a second, serves until the hard expiry, and recovers": func(t *testing.T) {
			s := holding("a", 10*time.Millisecond)
			p := stale(t, s)
			s.fail(errDown)
			before := s.loads()
			answers := readers(t, []*testProcess{p}, s, 30*time.Second)
			wantText(t, "a", answers...)
			wantTook(t, 0, answers...)
			if loads := s.loads() - before; loads < 28 || loads > 31 {
				t.Errorf("%d attempts in 30 s, want about one a second", loads)
			}

			time.Sleep(10 * time.Minute) // past the hard expiry
			a, how := p.get("1", s)
			wantErr(t, errDown, a)
			wantResult(t, how, Failed)

			s.fail(nil)
			a, _ = p.get("1", s)
			wantText(t, "a", a)
		},
		"survives a refresh that panics or exits": func(t *testing.T) {
			s := holding("a", 10*time.Millisecond)
			p := stale(t, s)
			for _, bad := range []func(){func() { panic("x") }, func() { panic(nil) }, runtime.Goexit} {
				s.bad = bad
				a, how := p.get("1", s)
				wantText(t, "a", a)
				wantResult(t, how, Stale)
				time.Sleep(2 * time.Second)
				synctest.Wait()
			}
			wantCount(t, "panicked loads", p.kind.metrics.loads(loadPanic), 3)
			s.bad = nil
			p.get("1", s)
			time.Sleep(time.Second)
			_, how := p.get("1", s)
			wantResult(t, how, HitL1)
		},
		"takes over the fresh value of another process without a load": func(t *testing.T) {
			s := holding("old", 10*time.Millisecond)
			f := newFakeRedis()
			policy := testPolicy(SWR)
			policy.LocalTTL = time.Hour
			p, other := f.start(t, policy), f.start(t, testPolicy(SWR))
			p.get("1", s)
			time.Sleep(61 * time.Second)
			s.edit("new")
			other.get("1", s)
			time.Sleep(time.Second)
			wantLoads(t, s, 2)
			p.get("1", s) // stale from L1, and finds the new one behind
			time.Sleep(time.Second)
			a, _ := p.get("1", s)
			wantText(t, "new", a)
			wantLoads(t, s, 2)
		},
		"bounds the refreshes of different keys": func(t *testing.T) {
			p := newFakeRedis().start(t, testPolicy(SWR))
			p.bulkhead = newBulkhead(100, time.Second) // wider than the bound under test
			s := holding("a", 0)
			for i := range 50 {
				p.get(fmt.Sprint(i), s)
			}
			time.Sleep(61 * time.Second)
			s.takes, s.peak = time.Second, 0
			for i := range 50 {
				a, how := p.get(fmt.Sprint(i), s)
				wantTook(t, 0, a)
				wantResult(t, how, Stale)
			}
			time.Sleep(5 * time.Second)
			synctest.Wait()
			if s.peak != maxRefreshes {
				t.Errorf("%d loads at once, want %d", s.peak, maxRefreshes)
			}
		},
	})
}

// A deployment may change a prefix's strategy while values of the former one are in Redis.
func TestAStrategyThatServesNoStaleValuesMeetsOneOfSWR(t *testing.T) {
	for _, strategy := range []Strategy{Aside, Flight, Lock, Both} {
		t.Run(string(strategy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFakeRedis()
				before, p := f.start(t, testPolicy(SWR)), f.start(t, testPolicy(strategy))
				s := holding("old", 0)
				before.get("1", s)
				s.edit("new")
				time.Sleep(59 * time.Second)
				a, how := p.get("1", s)
				wantText(t, "old", a)
				wantResult(t, how, HitRedis)
				time.Sleep(time.Second)
				a, how = p.get("1", s)
				wantText(t, "new", a)
				wantResult(t, how, Loaded)
			})
		})
	}
}
