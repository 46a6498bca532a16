// Close: nothing is left running, whoever calls at the same time or afterwards.

package cache

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestCloseWhileLoading(t *testing.T) {
	eachStrategy(t, append(flying, Lock), func(t *testing.T, p *testProcess, f *fakeRedis) {
		s := holding("a", 2*time.Second)
		waiting := make(chan []answer, 1)
		go func() { waiting <- herd(20, func(int) (doc, error) { return p.Get(t.Context(), "1", s.load) }) }()
		time.Sleep(time.Second)
		p.Close()
		answers := <-waiting
		wantErr(t, ErrClosed, answers...)
		wantTook(t, time.Second, answers...)
		if token, _ := f.holder(keyOf("1")); token != "" {
			t.Error("the lease is still there: other processes must wait for it to run out")
		}
	})
}

func TestWaitersElsewhereLoadWhenTheHolderCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		processes := newFakeRedis().starts(t, 2, testPolicy(Both))
		s := holding("a", time.Second)
		first := async(func() (doc, error) { return processes[0].Get(t.Context(), "1", s.load) })
		synctest.Wait()
		second := async(func() (doc, error) { return processes[1].Get(t.Context(), "1", s.load) })
		time.Sleep(500 * time.Millisecond)
		processes[0].Close()
		wantErr(t, ErrClosed, <-first)
		a := <-second
		wantText(t, "a", a)
		wantTook(t, 1500*time.Millisecond, a)
	})
}

func TestCloseDuringARefreshAndItsBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newFakeRedis().start(t, testPolicy(SWR))
		s := holding("a", 0)
		p.get("1", s)
		p.get("2", s)
		time.Sleep(61 * time.Second)
		s.takes = time.Second
		p.get("1", s)
		s.fail(errors.New("source is down"))
		p.get("2", s)
		time.Sleep(1500 * time.Millisecond)
		start := time.Now()
		p.Close()
		if took := time.Since(start); took != 0 {
			t.Errorf("Close took %v", took)
		}
	})
}

func TestCallsDuringAndAfterClose(t *testing.T) {
	// Not in a bubble: the race detector shall see it.
	for range 20 {
		p := newFakeRedis().start(t, testPolicy(Both))
		s := holding("a", time.Microsecond)
		calling := make(chan []answer, 1)
		started := make(chan struct{})
		go func() {
			close(started)
			calling <- herd(8, func(worker int) (doc, error) {
				for i := range 20 {
					if _, err := p.Get(t.Context(), fmt.Sprint(worker, i), s.load); err != nil {
						return doc{}, err
					}
				}
				return doc{}, nil
			})
		}()
		<-started
		p.Close()
		for _, a := range <-calling {
			if a.err != nil && !errors.Is(a.err, ErrClosed) {
				t.Fatal(a.err)
			}
		}
		a, _ := p.get("new", s)
		wantErr(t, ErrClosed, a)
	}
}
