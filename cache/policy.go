// Policy: the staleness budget of one prefix, never one number for all.

package cache

import (
	"errors"
	"fmt"
	"time"
)

// A Policy says how the entries of one prefix live and how their loads are protected.
type Policy struct {
	Strategy Strategy

	// SoftTTL is how long a value counts as fresh, HardTTL how long it may be shown at all.
	// Strategies that do not serve stale values use an entry until its soft expiry; between the
	// two it is served only if there is nothing better: the load fails, or is shed.
	SoftTTL, HardTTL time.Duration
	// NegativeTTL is how long "not found" is remembered; 0 means it never is.
	NegativeTTL time.Duration
	// LocalTTL is how long one process may keep a copy of its own; 0 means no L1.
	LocalTTL time.Duration
	// Jitter lengthens every TTL by a random share up to this one, so that keys written
	// together do not expire together. 0.1 means +0 … 10 %.
	Jitter float64
	// Beta scales XFetch's eagerness; 1 is the published optimum.
	Beta float64

	// LoadTimeout bounds one load of a protected strategy.
	LoadTimeout time.Duration
	// LeaseTTL is how long a lease outlives a holder that died; a live one renews it.
	LeaseTTL time.Duration

	// ReplicaReads lets the prefix's GETs go to replicas, which takes load off the primary that a hot key sits on.
	// Everything else goes to the primary. Only for what no edit invalidates: a replica that lags still has what the
	// edit deleted, and a read would put it back into L1. What it has ends by the expiry in its envelope.
	ReplicaReads bool
}

// validate refuses what would surprise at run time: above all a TTL of zero, which Redis reads as "for ever".
func (p Policy) validate() error {
	if _, err := ParseStrategy(string(p.Strategy)); err != nil {
		return err
	}
	for _, d := range []struct {
		name string
		got  time.Duration
		min  time.Duration
	}{
		{"SoftTTL", p.SoftTTL, time.Millisecond},
		{"HardTTL", p.HardTTL, p.SoftTTL},
		{"NegativeTTL", p.NegativeTTL, 0},
		{"LocalTTL", p.LocalTTL, 0},
		{"LoadTimeout", p.LoadTimeout, time.Millisecond},
		{"LeaseTTL", p.LeaseTTL, 100 * time.Millisecond},
	} {
		if d.got < d.min {
			return fmt.Errorf("policy: %s is %v, want at least %v", d.name, d.got, d.min)
		}
	}
	if p.NegativeTTL > 0 && p.NegativeTTL < time.Millisecond {
		return errors.New("policy: NegativeTTL is below Redis's resolution of 1 ms")
	}
	if p.Jitter < 0 || p.Jitter > 1 {
		return fmt.Errorf("policy: Jitter is %v, want 0 … 1", p.Jitter)
	}
	if p.Strategy == XFetch && p.Beta <= 0 {
		return errors.New("policy: XFetch needs a positive Beta")
	}
	return nil
}

// expiries returns the soft and hard expiry of a value whose load began at start; rnd is in [0, 1).
func (p Policy) expiries(start time.Time, notFound bool, rnd float64) (soft, hard time.Time) {
	stretch := func(d time.Duration) time.Duration { return d + time.Duration(float64(d)*p.Jitter*rnd) }
	if notFound {
		soft = start.Add(stretch(p.NegativeTTL))
		return soft, soft
	}
	return start.Add(stretch(p.SoftTTL)), start.Add(stretch(p.HardTTL))
}

// usableUntil returns the end of an entry's ordinary use, which is also its TTL in Redis.
func (p Policy) usableUntil(e entry) time.Time {
	if p.Strategy.servesStale() {
		return e.hard
	}
	return e.soft
}
