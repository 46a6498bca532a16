// Invalidation: what was read before an edit is never stored after it, on either level.

package cache

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// fencing are the strategies that promise it. Flight alone has no fence in Redis.
var fencing = []Strategy{Lock, Both, SWR, XFetch}

// edit changes the row and invalidates, as a handler does.
func (p *testProcess) edit(t *testing.T, s *source, text string) {
	t.Helper()
	s.edit(text)
	if err := p.Group.Invalidate(context.Background(), "1"); err != nil {
		t.Fatal(err)
	}
}

// wantNewEverywhere asks all processes now, after L1 ran out, and after everything ran out.
func wantNewEverywhere(t *testing.T, s *source, processes ...*testProcess) {
	t.Helper()
	for _, after := range []time.Duration{0, 6 * time.Second, 11 * time.Minute} {
		time.Sleep(after)
		for _, p := range processes {
			a, _ := p.get("1", s)
			wantText(t, "new", a)
		}
	}
}

func TestAnEditDuringALoad(t *testing.T) {
	for _, elsewhere := range []bool{false, true} {
		// Flight hears of an edit in its own process at least.
		name, strategies := "in the same process", slices.Concat(fencing, []Strategy{Flight})
		if elsewhere {
			name, strategies = "in another process", fencing
		}
		t.Run(name, func(t *testing.T) {
			eachStrategy(t, strategies, func(t *testing.T, p *testProcess, f *fakeRedis) {
				editor := p
				if elsewhere {
					editor = f.start(t, p.kind.policy)
				}
				s := holding("old", time.Second)
				before := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
				time.Sleep(500 * time.Millisecond)
				editor.edit(t, s, "new")
				after := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
				other := async(func() (doc, error) { return editor.Get(t.Context(), "1", s.load) })

				wantText(t, "old", <-before) // its read overlapped the edit
				if f.peek(keyOf("1")) != nil {
					t.Error("the old value was stored")
				}
				wantText(t, "new", <-after, <-other)
				wantLoads(t, s, 2)
				wantNewEverywhere(t, s, p, editor)
			})
		})
	}
}

func TestADeleteDuringALoad(t *testing.T) {
	eachStrategy(t, fencing, func(t *testing.T, p *testProcess, _ *fakeRedis) {
		s := holding("old", time.Second)
		before := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
		time.Sleep(500 * time.Millisecond)
		s.fail(ErrNotFound)
		p.edit(t, s, "")
		wantText(t, "old", <-before)
		for range 3 {
			a, _ := p.get("1", s)
			wantErr(t, ErrNotFound, a)
			time.Sleep(6 * time.Second)
		}
	})
}

func TestAnEditOfACachedValue(t *testing.T) {
	eachStrategy(t, slices.Concat(fencing, []Strategy{Flight}), func(t *testing.T, p *testProcess, f *fakeRedis) {
		other := f.start(t, p.kind.policy)
		s := holding("old", time.Millisecond)
		p.get("1", s)
		other.get("1", s)
		p.edit(t, s, "new")
		wantNewEverywhere(t, s, p, other)
	})
}

func TestAnEditMadeByAnotherProgramThroughTheRelayOfThisProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := holding("old", 0)
		p := warm(t, s)
		s.edit("new")
		// Not invalidate, which voids its own process by itself: the message alone must do.
		if err := p.Cache.remote.void(t.Context(), keyOf("1"), message{Kind: voided, Key: keyOf("1"), From: p.id}); err != nil {
			t.Fatal(err)
		}
		wantNewEverywhere(t, s, p)
	})
}

func TestAnEditBetweenTheReadAndTheInsertIntoL1(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"of a value found in Redis": func(t *testing.T) {
			f := newFakeRedis()
			p, editor := f.start(t, testPolicy(Both)), f.start(t, testPolicy(Both))
			s := holding("old", 0)
			editor.get("1", s)
			p.remote.delay = map[string]time.Duration{"get": time.Second}
			before := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
			synctest.Wait()
			editor.edit(t, s, "new")
			wantText(t, "old", <-before)
			wantNewEverywhere(t, s, p, editor)
		},
		"of a value that was just committed": func(t *testing.T) {
			f := newFakeRedis()
			p, editor := f.start(t, testPolicy(Both)), f.start(t, testPolicy(Both))
			s := holding("old", 0)
			p.remote.delay = map[string]time.Duration{"commit": time.Second}
			before := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
			synctest.Wait()
			editor.edit(t, s, "new")
			wantText(t, "old", <-before)
			wantNewEverywhere(t, s, p, editor)
		},
		"of a background refresh": func(t *testing.T) {
			f := newFakeRedis()
			p, editor := f.start(t, testPolicy(SWR)), f.start(t, testPolicy(SWR))
			s := holding("old", 0)
			p.get("1", s)
			time.Sleep(61 * time.Second)
			s.takes = time.Second
			a, how := p.get("1", s)
			wantText(t, "old", a)
			wantResult(t, how, Stale)
			synctest.Wait()
			editor.edit(t, s, "new")
			time.Sleep(2 * time.Second)
			wantNewEverywhere(t, s, p, editor)
		},
	})
}

func TestLostMessages(t *testing.T) {
	bubble(t, map[string]func(t *testing.T){
		"a flush during a load forbids its insert into L1": func(t *testing.T) {
			f := newFakeRedis()
			p, editor := f.start(t, testPolicy(Both)), f.start(t, testPolicy(Both))
			s := holding("old", time.Second)
			before := async(func() (doc, error) { return p.Get(t.Context(), "1", s.load) })
			synctest.Wait()
			f.loseMessages()
			editor.edit(t, s, "new")
			p.process.flush() // the subscription was confirmed again
			wantText(t, "old", <-before)
			wantNewEverywhere(t, s, p, editor)
		},
		"a flush during a background refresh forbids its insert too": func(t *testing.T) {
			f := newFakeRedis()
			p, editor := f.start(t, testPolicy(SWR)), f.start(t, testPolicy(SWR))
			s := holding("old", 0)
			p.get("1", s)
			time.Sleep(61 * time.Second)
			s.takes = time.Second
			p.get("1", s)
			synctest.Wait()
			f.loseMessages()
			editor.edit(t, s, "new")
			p.process.flush()
			time.Sleep(2 * time.Second)
			wantNewEverywhere(t, s, p, editor)
		},
		"what the editing process reads between the two halves of an invalidation is forgotten": func(t *testing.T) {
			f := newFakeRedis()
			f.loseMessages()
			p := f.start(t, testPolicy(Both))
			s := holding("old", 0)
			p.get("1", s)
			p.remote.onCommand(func(command string) fault {
				if command == "void" {
					time.Sleep(time.Second) // before it has an effect
				}
				return none
			})
			s.edit("new")
			told := make(chan error, 1)
			go func() { told <- p.Group.Invalidate(t.Context(), "1") }()
			time.Sleep(500 * time.Millisecond)
			a, _ := p.get("1", s)
			wantText(t, "old", a)
			if err := <-told; err != nil {
				t.Fatal(err)
			}
			wantNewEverywhere(t, s, p)
		},
		"an L1 copy lives on for the local TTL at most": func(t *testing.T) {
			f := newFakeRedis()
			p, editor := f.start(t, testPolicy(Both)), f.start(t, testPolicy(Both))
			s := holding("old", 0)
			p.get("1", s)
			time.Sleep(time.Second)
			f.loseMessages()
			editor.edit(t, s, "new")
			a, how := p.get("1", s)
			wantText(t, "old", a)
			wantResult(t, how, HitL1)
			time.Sleep(4 * time.Second)
			wantNewEverywhere(t, s, p, editor)
		},
	})
}
