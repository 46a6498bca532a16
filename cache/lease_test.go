// The lease: one load over all processes, whoever dies, hangs or is not heard.

package cache

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// starts returns n processes on one Redis.
func (f *fakeRedis) starts(t *testing.T, n int, p Policy) []*testProcess {
	processes := make([]*testProcess, n)
	for i := range processes {
		processes[i] = f.start(t, p)
	}
	return processes
}

// herdOver spreads n calls for key 1 over the processes.
func herdOver(t *testing.T, processes []*testProcess, n int, s *source) []answer {
	return herd(n, func(i int) (doc, error) { return processes[i%len(processes)].Get(t.Context(), "1", s.load) })
}

// bubble runs every scene in a bubble of its own.
func bubble(t *testing.T, scenes map[string]func(t *testing.T)) {
	t.Helper()
	for name, scene := range scenes {
		t.Run(name, func(t *testing.T) { synctest.Test(t, scene) })
	}
}

func TestLoadsOfAHerdOverThreeProcesses(t *testing.T) {
	for strategy, want := range map[Strategy]int{Off: 200, Aside: 200, Flight: 3, Lock: 1, Both: 1, SWR: 1, XFetch: 1} {
		t.Run(string(strategy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				processes := newFakeRedis().starts(t, 3, testPolicy(strategy))
				s := holding("a", 150*time.Millisecond)
				answers := herdOver(t, processes, 200, s)
				wantText(t, "a", answers...)
				wantTook(t, 150*time.Millisecond, answers...)
				wantLoads(t, s, want)
			})
		})
	}
}

func TestTheHolder(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"dies, and exactly one other takes over when the lease runs out": func(t *testing.T) {
			f := newFakeRedis()
			processes := f.starts(t, 4, testPolicy(Both))
			dead := holding("never", time.Hour)
			first := async(func() (doc, error) { return processes[0].Get(t.Context(), "1", dead.load) })
			synctest.Wait()
			processes[0].vanish()

			s := holding("a", 150*time.Millisecond)
			start := time.Now()
			wantText(t, "a", herdOver(t, processes[1:], 150, s)...)
			if took := time.Since(start); took > 2*time.Second+pollEvery+150*time.Millisecond {
				t.Errorf("takeover took %v, want at most lease TTL + a poll + a load", took)
			}
			wantLoads(t, s, 1)
			takeovers := 0.0
			for _, p := range processes[1:] {
				takeovers += counted(t, p.kind.metrics.leases(leaseTakeover))
			}
			if takeovers != 1 {
				t.Errorf("%v takeovers counted, want 1", takeovers)
			}
			wantErr(t, ErrLoadTimeout, <-first)
		},
		"keeps its lease through a load of ten lease TTLs": func(t *testing.T) {
			policy := testPolicy(Both)
			policy.LoadTimeout = 30 * time.Second
			processes := newFakeRedis().starts(t, 2, policy)
			s := holding("a", 20*time.Second)
			wantText(t, "a", herdOver(t, processes, 20, s)...)
			wantLoads(t, s, 1)
		},
		"loses its lease if its load hangs": func(t *testing.T) {
			f := newFakeRedis()
			p := f.start(t, testPolicy(Both))
			stuck := async(func() (doc, error) { return p.Get(t.Context(), "1", deaf) })
			time.Sleep(3*time.Second - 1)
			if token, _ := f.holder(keyOf("1")); token == "" {
				t.Error("the lease was lost before the load timeout")
			}
			wantErr(t, ErrLoadTimeout, <-stuck)
			if token, _ := f.holder(keyOf("1")); token != "" {
				t.Error("a load that hangs keeps its lease")
			}
			time.Sleep(time.Minute)
			if token, _ := f.holder(keyOf("1")); token != "" {
				t.Error("a heartbeat runs on")
			}
		},
		"pauses for longer than its lease, and its late answer is stored nowhere": func(t *testing.T) {
			f := newFakeRedis()
			processes := f.starts(t, 2, testPolicy(Both))
			old, s := holding("old", 2500*time.Millisecond), holding("new", 150*time.Millisecond)
			late := async(func() (doc, error) { return processes[0].Get(t.Context(), "1", old.load) })
			synctest.Wait()
			processes[0].remote.onCommand(failing(silent, "renew")) // SIGSTOP

			a := <-async(func() (doc, error) { return processes[1].Get(t.Context(), "1", s.load) })
			wantText(t, "new", a)
			processes[0].remote.onCommand(nil) // SIGCONT
			wantText(t, "old", <-late)
			wantCount(t, "fenced commits", processes[0].kind.metrics.leases(leaseFenced), 1)
			got, how := processes[1].get("1", s)
			wantText(t, "new", got)
			wantResult(t, how, HitL1)
			time.Sleep(10 * time.Second)
			got, how = processes[0].get("1", s)
			wantText(t, "new", got)
			wantResult(t, how, HitRedis)
		},
		"counts no lost lease when its load ends during a heartbeat": func(t *testing.T) {
			p := newFakeRedis().start(t, testPolicy(Both))
			p.remote.onCommand(func(command string) fault {
				if command == "renew" {
					time.Sleep(time.Second)
				}
				return none
			})
			s := holding("a", time.Second)
			a, _ := p.get("1", s)
			wantText(t, "a", a)
			time.Sleep(time.Minute)
			wantCount(t, "lost leases", p.kind.metrics.leases(leaseLost), 0)
			wantCount(t, "commits", p.kind.metrics.leases(leaseCommitted), 1)
		},
		"notices that an edit voided its lease": func(t *testing.T) {
			p := newFakeRedis().start(t, testPolicy(Both))
			s := holding("a", 2*time.Second)
			got := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
			synctest.Wait()
			p.edit(t, s, "b")
			wantText(t, "a", <-got)
			wantCount(t, "lost leases", p.kind.metrics.leases(leaseLost), 1)
			wantCount(t, "fenced commits", p.kind.metrics.leases(leaseFenced), 1)
		},
		"gives its lease back when it has nothing to store": func(t *testing.T) {
			f := newFakeRedis()
			policy := testPolicy(Both)
			policy.SoftTTL, policy.HardTTL = 100*time.Millisecond, 100*time.Millisecond
			p := f.start(t, policy)
			s := holding("a", time.Second) // longer than the answer lives
			a, _ := p.get("1", s)
			wantText(t, "a", a)
			if token, _ := f.holder(keyOf("1")); token != "" || f.peek(keyOf("1")) != nil {
				t.Errorf("lease %q, value %q, want neither", token, f.peek(keyOf("1")))
			}
		},
	})
}

func TestAFailureReachesTheWaitersOfOtherProcesses(t *testing.T) {
	errDown := errors.New("source is down")
	for name, c := range map[string]struct {
		load func(s *source)
		want error
	}{
		"panic":     {func(s *source) { s.bad = func() { panic("x") } }, ErrLoadPanicked},
		"timeout":   {func(s *source) { s.bad = func() { time.Sleep(time.Minute) } }, ErrLoadTimeout},
		"not found": {func(s *source) { s.err = ErrNotFound }, ErrNotFound},
		"error":     {func(s *source) { s.err = errDown }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy := testPolicy(Both)
				policy.NegativeTTL = 0
				processes := newFakeRedis().starts(t, 3, policy)
				s := holding("a", 100*time.Millisecond)
				c.load(s)
				for _, a := range herdOver(t, processes, 30, s) {
					if a.err == nil || c.want != nil && !errors.Is(a.err, c.want) {
						t.Errorf("error %v, want one that is %v", a.err, c.want)
					}
					if c.want == nil && !errors.Is(a.err, errDown) && a.err.Error() != `get docs 1: load in another process: source is down` {
						t.Errorf("error %q does not tell the cause", a.err)
					}
					if a.took > policy.LoadTimeout {
						t.Errorf("answer after %v, want no load after the first", a.took)
					}
				}
				wantLoads(t, s, 1)
			})
		})
	}
}

func TestWithoutMessages(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"waiters find the value by polling": func(t *testing.T) {
			f := newFakeRedis()
			f.loseMessages()
			processes := f.starts(t, 3, testPolicy(Both))
			s := holding("a", 1050*time.Millisecond)
			answers := herdOver(t, processes, 30, s)
			wantText(t, "a", answers...)
			for _, a := range answers {
				if a.took > 1050*time.Millisecond+2*pollEvery {
					t.Errorf("answer after %v, want at most a poll late", a.took)
				}
			}
			wantLoads(t, s, 1)
		},
		"waiters take over from a holder that gave up": func(t *testing.T) {
			f := newFakeRedis()
			f.loseMessages()
			processes := f.starts(t, 2, testPolicy(Both))
			failing, s := holding("", 300*time.Millisecond), holding("a", 0)
			failing.fail(errors.New("source is down"))
			first := async(func() (doc, error) { return processes[0].Get(t.Context(), "1", failing.load) })
			synctest.Wait()
			a, _ := processes[1].get("1", s)
			wantText(t, "a", a)
			if (<-first).err == nil {
				t.Error("the failed load has no error")
			}
		},
	})
}
