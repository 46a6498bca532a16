// What three real processes show of a register on a real Redis while it is edited, and while members are killed and
// stopped, Redis loses everything, and connections are cut.

package cache

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

func TestWhatAFleetShows(t *testing.T) {
	t.Parallel()
	rounds := []round{
		{trouble: peace}, {trouble: peace, held: true}, {trouble: peace, put: true}, {trouble: peace, put: true, held: true},
		{trouble: killed, held: true}, {trouble: stopped, held: true}, {trouble: flushed}, {trouble: flushed, held: true},
		{trouble: cut}, {trouble: cut, held: true}, {trouble: unheard}, {trouble: unheard, held: true},
	}
	for _, strategy := range []Strategy{Lock, Both} {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			f := startFleet(t, os.Args[0], strategy)
			for range 2 {
				for _, r := range rounds {
					h := f.play(t, r)
					if model := promise(strategy, h); !h.possible(t, model) {
						t.Errorf("%s, held %t, put %t: nobody should have seen %s", r.trouble.name, r.held, r.put, h.draw(t, model))
					}
				}
			}
		})
	}
}

// promise is what a strategy keeps to.
func promise(s Strategy, h *history) porcupine.Model {
	switch {
	case s.joins(): // and so has L1
		return heard
	case h.lost:
		return fresh
	}
	return linear
}

// A round is the life of one id: edited by two members at once while all read it.
type round struct {
	trouble trouble
	held    bool // member 0 has begun to load it, and goes on loading until the edits are over; else all have it
	put     bool // edits put the new version, else they invalidate
}

// A trouble is what happens to the fleet meanwhile. Each part may be nil.
type trouble struct {
	name   string
	before func(t *testing.T, f *fleet, id string) // the edits
	during func(t *testing.T, f *fleet)            // before each of them
	after  func(t *testing.T, f *fleet)
}

var (
	peace = trouble{name: "nothing happens"}

	// Member 0 holds the lease of what it loads, so another member takes over.
	killed = trouble{
		name: "a member is killed",
		before: func(t *testing.T, f *fleet, id string) {
			f.signal(t, 0, syscall.SIGKILL)
			f.awaitTakeover(t, id)
		},
		after: func(t *testing.T, f *fleet) { f.start(t, 0) },
	}
	stopped = trouble{
		name: "a member is stopped for longer than its lease",
		before: func(t *testing.T, f *fleet, id string) {
			f.signal(t, 0, syscall.SIGSTOP)
			f.awaitTakeover(t, id)
		},
		after: func(t *testing.T, f *fleet) { f.signal(t, 0, syscall.SIGCONT) },
	}

	flushed = trouble{name: "Redis loses everything", during: func(t *testing.T, f *fleet) { f.redis.do(t, "FLUSHALL") }}
	cut     = trouble{name: "connections are cut", during: func(t *testing.T, f *fleet) { f.redis.do(t, "CLIENT", "KILL", "TYPE", "normal") }}
	unheard = trouble{name: "subscriptions are cut", before: func(t *testing.T, f *fleet, _ string) {
		f.redis.do(t, "CLIENT", "KILL", "TYPE", "pubsub")
	}}
)

func (f *fleet) awaitTakeover(t *testing.T, id string) {
	t.Helper()
	eventually(t, "another member loads", func() bool { l := f.source.loads(id); return l[1]+l[2] > 0 })
}

func (f *fleet) play(t *testing.T, r round) *history {
	t.Helper()
	f.rounds++
	lost := f.lost(t)
	id, h := fmt.Sprint(f.rounds), &history{begin: time.Now()}
	var first, others sync.WaitGroup
	release := func() {}
	if r.held {
		release = f.source.holdNext()
		first.Go(func() { f.read(t, h, h.client(), 0, id) })
		eventually(t, "the load begins", func() bool { return f.source.loads(id)[0] == 1 })
	} else {
		for number := range processes {
			f.read(t, h, h.client(), number, id)
		}
	}

	f.readers(t, h, &others, id, 10)
	if r.trouble.before != nil {
		r.trouble.before(t, f, id)
	}
	var editors sync.WaitGroup
	for number := 1; number < processes; number++ {
		editors.Go(func() {
			for range 2 {
				if r.trouble.during != nil {
					r.trouble.during(t, f)
				}
				f.edit(t, h, number, id, r.put)
			}
		})
	}
	editors.Wait()
	if r.trouble.after != nil {
		r.trouble.after(t, f)
	}
	for number := range processes {
		f.settle(t, h, number)
	}

	f.readers(t, h, &others, id, 5)
	pause(t.Context(), memberLease) // a lease that nobody renews runs out, one that was voided is renewed if ever
	release()
	first.Wait()
	others.Wait()
	f.readers(t, h, &others, id, 5)
	others.Wait()
	h.lost = f.lost(t) || lost
	return h
}

// readers starts two of them in each member, each of which reads so many times.
func (f *fleet) readers(t *testing.T, h *history, wg *sync.WaitGroup, id string, reads int) {
	for number := range processes {
		for range 2 {
			client := h.client()
			wg.Go(func() {
				for range reads {
					f.read(t, h, client, number, id)
					pause(t.Context(), rand.N(4*time.Millisecond))
				}
			})
		}
	}
}
