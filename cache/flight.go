// Single-flight and L1: what the callers of one process share, and the process's half of the fence.

package cache

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
)

// A process holds the flights and the L1 of one process.
//
// Single-flight: check the cache, join the running call, else start one. Without it every
// concurrent miss of this process loads; with it one does, and N processes load N times.
//
// The fence: an invalidation must win against a load that read before it. Both levels obey
// one rule each. In Redis: commit only while the lease still holds your token (lease.go).
// Here: fill L1 only while your call is still registered. Both look-ups, removal and fill
// happen under mu, because this interleaving leaves an old value in L1 otherwise:
//
//  1. a call reads the row
//  2. the row is edited; void removes the L1 entry (there is none yet)
//  3. the call ends and inserts what it read
//  4. void removes the call (too late)
type process struct {
	mu sync.Mutex
	// Registered calls by key, guarded by mu. At most one joinable call per key, and
	// apart from it at most one background refresh, which nobody joins: a caller with a
	// stale value in hand does not wait, and one without it wants its own flight.
	flights   map[string]*call
	refreshes map[string]*call

	// l1 is written under mu and read without it: hits share no lock.
	l1 *otter.Cache[string, *localEntry]
	// epoch numbers the time between two flushes. It is changed under mu; entries of an
	// older epoch are misses.
	epoch atomic.Uint64
	// Whether invalidations reach this process, and how: over the subscription in Redis, or from
	// the source itself (Cache.SetListening). Its copies may be trusted while either works.
	subscribed, listening atomic.Bool
}

func (p *process) live() bool { return p.subscribed.Load() || p.listening.Load() }

// A call is one pass through the slower levels, shared by all who joined it.
type call struct {
	done chan struct{} // closed once out is set
	out  outcome       // written once before done is closed, read only after
}

func newCall() *call { return &call{done: make(chan struct{})} }

// A localEntry is a decoded value in L1.
type localEntry struct {
	entry
	value any
	epoch uint64
	until time.Time // end of the local TTL
}

func newProcess(l1Bytes uint64) (*process, error) {
	l1, err := otter.New(&otter.Options[string, *localEntry]{
		MaximumWeight: l1Bytes,
		Weigher:       func(key string, e *localEntry) uint32 { return uint32(len(key) + len(e.payload) + 256) },
	})
	if err != nil {
		return nil, err
	}
	return &process{flights: map[string]*call{}, refreshes: map[string]*call{}, l1: l1}, nil
}

// local returns the L1 entry of key if it may be shown: within its local TTL, of this epoch, and with
// the process connected to those who would void it.
func (p *process) local(key string, now time.Time) (*localEntry, bool) {
	e, ok := p.l1.GetIfPresent(key)
	if !ok || !p.live() || e.epoch != p.epoch.Load() || !now.Before(e.until) {
		return nil, false
	}
	return e, true
}

// fallback returns the L1 entry of key for want of anything better: until its hard expiry, whether or not it would
// have been voided meanwhile.
func (p *process) fallback(key string, now time.Time) (*localEntry, bool) {
	e, ok := p.l1.GetIfPresent(key)
	if !ok || !now.Before(e.hard) {
		return nil, false
	}
	return e, true
}

// find returns the L1 entry of key, or its running call, or a new call, which the caller then leads and must land.
// Under strategies that do not join, the call is the caller's own: nobody joins it and it fills no L1.
//
// It looks into L1 twice, without the mutex and with it. A call that ended in between has left its value
// there, and without the second look
//
//	A: misses L1          B: lands its call, fills L1, unregisters
//	A: finds no call, starts a second load
func (p *process) find(key string, now time.Time, policy Policy) (hit *localEntry, c *call, leader bool) {
	if !policy.Strategy.joins() {
		return nil, newCall(), true
	}
	if e, ok := p.local(key, now); ok {
		return e, nil, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.local(key, now); ok {
		return e, nil, false
	}
	if running, ok := p.flights[key]; ok {
		return nil, running, false
	}
	c = newCall()
	p.flights[key] = c
	return nil, c, true
}

// beginRefresh registers a background refresh of key, which the caller must land, unless one is registered.
func (p *process) beginRefresh(key string) (*call, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, running := p.refreshes[key]; running {
		return nil, false
	}
	c := newCall()
	p.refreshes[key] = c
	return c, true
}

// current reports whether c is still registered, that is, not voided.
func (p *process) current(key string, c *call) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.currentLocked(key, c)
}

func (p *process) currentLocked(key string, c *call) bool {
	return p.flights[key] == c || p.refreshes[key] == c
}

// land ends a call: it gives its outcome to all who joined, unregisters it, and keeps a copy in L1 for the
// local TTL, unless there is nothing to keep or the call was voided meanwhile.
func (p *process) land(key string, c *call, k *kind, out outcome, now time.Time) {
	localTTL := k.localTTL(key)
	p.mu.Lock()
	// Without the subscription a value out of Redis is not kept: the source's word may have come before Redis was told.
	trusted := p.subscribed.Load() || out.result == Loaded
	if p.currentLocked(key, c) && localTTL > 0 && out.stored(k.policy) && trusted {
		until := now.Add(localTTL)
		if end := k.policy.usableUntil(out.entry); end.Before(until) {
			until = end
		}
		p.l1.Set(key, &localEntry{entry: out.entry, value: out.value, epoch: p.epoch.Load(), until: until})
	}
	if p.flights[key] == c {
		delete(p.flights, key)
	}
	if p.refreshes[key] == c {
		delete(p.refreshes, key)
	}
	p.mu.Unlock()
	c.out = out
	close(c.done)
}

// void forgets key: its L1 entry, and the right of running calls to fill it. Callers who come
// later start anew; those who already wait get what their call read.
func (p *process) void(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.flights, key)
	delete(p.refreshes, key)
	p.l1.Invalidate(key)
}

// voidPrefix is void for all keys that start with prefix. It looks at every key of L1: meant for bulk edits.
func (p *process) voidPrefix(prefix string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ours := func(key string, _ *call) bool { return strings.HasPrefix(key, prefix) }
	maps.DeleteFunc(p.flights, ours)
	maps.DeleteFunc(p.refreshes, ours)
	for key := range p.l1.Keys() {
		if ours(key, nil) {
			p.l1.Invalidate(key)
		}
	}
}

// flush forgets everything: messages may have been lost.
func (p *process) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.flights)
	clear(p.refreshes)
	p.epoch.Add(1)
}
