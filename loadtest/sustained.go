// Scenario sustained: requests keep arriving, and the page's copy expires in the middle.

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

const (
	lostTarget     = 500.0 // responses, as in the incident
	lostFewest     = 300
	lostMost       = 1000
	unrelatedShare = 0.2 // of the lost: other pages that starve for a connection
)

func sustained(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	share, err := b.queryShare(ctx)
	if err != nil {
		return report.Scenario{}, err
	}
	m := newMix(share, o.pods*o.pool, o.timeout, o.duration)
	if o.rate > 0 {
		m.hot = o.rate
	}
	s := report.Scenario{
		Name: "sustained",
		Asked: fmt.Sprintf("For %s, %.0f requests a second arrive for a cached listing page and %.1f a second for other pages, whatever the answers. "+
			"The listing page's copy expires in the middle.", ms(report.MS(o.duration)), m.hot, m.other),
		Method:   method(o, copyExpires, copyIsStale, aSingleQuery),
		Computed: m.facts(o),
	}
	half := o.duration / 2
	s.Runs, err = b.eachRepeat("sustained", o, func(strategy string) (report.Run, error) {
		return b.trial(ctx, strategy, load{
			hot:   herd.Steady(-half, half, m.hot, o.pods, true, func(int) string { return b.page }),
			other: herd.Steady(-half, half, m.other, o.pods, false, b.coldPage),
			from:  -half,
			until: half,
		})
	})
	if err != nil {
		return s, err
	}
	s.Checks = sustainedChecks(s.Runs)
	s.Verdict = verdict(s.Checks)
	return s, nil
}

// queryShare measures how much of the database's time a query takes when the pools are full of them: as many visitors
// at once as there are connections, and until the last one is answered. Under that load a query takes more than when
// it is alone, and how much more depends on the machine.
func (b *bench) queryShare(ctx context.Context) (share time.Duration, err error) {
	err = b.unprotected(ctx, "measuring queries side by side", func(c *herd.Client) error {
		b.openConnections(ctx, c)
		if _, err := b.single(ctx, c); err != nil { // which reads the table into memory
			return err
		}
		n := b.opts.pods * b.opts.pool
		start := time.Now()
		hot, _ := herd.Generator{Client: c, MaxInFlight: maxInFlight}.Send(ctx, nil, start, herd.AtOnce(0, n, b.opts.pods, b.page))
		for _, r := range hot {
			if r.Outcome != report.Loaded {
				return fmt.Errorf("%d queries side by side: one was answered %q: %s", n, r.Outcome, r.Error)
			}
		}
		share = time.Since(start) / time.Duration(n)
		return ctx.Err()
	})
	return share, err
}

// unprotected lends measure a client of processes without any protection.
func (b *bench) unprotected(ctx context.Context, what string, measure func(*herd.Client) error) (err error) {
	b.out.say("%s", what)
	f, err := b.startFleet(ctx, "off", b.opts.pods)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Stop()) }()
	c := herd.NewClient(f.Addresses, drainWithin)
	defer c.Close()
	return measure(c)
}

// A mix is how many requests a second arrive for the page and for other pages.
type mix struct {
	hot, other float64
	window     time.Duration // from the expiry until the first query of the crowd has ended
	share      time.Duration // of the database's time for a query
}

// newMix chooses rates at which an unprotected site loses about lostTarget responses.
//
// The database does 1/q queries a second; n queries at once get an n-th each. After the expiry every arrival (h a
// second) starts one, until the P connections of the pools are taken. The first query is done, and the page in the
// cache again, at the time W when it has got its share:
//
//	∫ dt / (q·n(t)) = 1   with n(t) = 1 until 1/h, then h·t, and P from P/h on
//	W = P/h + P·q − (1 + ln P)·P/h
//
// Until then h·W visitors have missed. The database needs q for each of them, so with W well over the clients'
// patience nearly all are lost; h is chosen for 80 % of the target. Other pages need a connection as well, and the
// queue of the misses lasts for h·W·q, longer than the run: all their visitors are lost who come after the pools
// are full (P/h) and give up before the end. Their rate is chosen for the other 20 %.
func newMix(share time.Duration, connections int, timeout, duration time.Duration) mix {
	q, p := share.Seconds(), float64(connections)
	// h·W = P + h·P·q − (1 + ln P)·P, solved for h.
	hot := ((1-unrelatedShare)*lostTarget + p*math.Log(p)) / (p * q)
	window := (p + hot*p*q - (1+math.Log(p))*p) / hot
	starving := duration.Seconds()/2 - p/hot
	return mix{
		hot:    hot,
		other:  unrelatedShare * lostTarget / max(starving, timeout.Seconds()),
		window: time.Duration(window * float64(time.Second)),
		share:  share,
	}
}

func (m mix) facts(o options) []report.Fact {
	how := fmt.Sprintf("side by side in full pools a query takes the database q = %v, the pools have P = %d connections; the first query of the crowd ends W = P·q − P·ln P / h after the expiry", m.share.Round(time.Millisecond), o.pods*o.pool)
	if o.rate > 0 {
		how = "given by -rate"
	}
	return []report.Fact{
		{Name: "rate for the page", Value: fmt.Sprintf("h = %.0f/s", m.hot), How: how + fmt.Sprintf("; so that about %.0f visitors come in that time", (1-unrelatedShare)*lostTarget)},
		{Name: "time until the page is in the cache again", Value: fmt.Sprintf("W ≈ %v", m.window.Round(100*time.Millisecond)), How: "without protection, by that formula"},
		{Name: "rate for other pages", Value: fmt.Sprintf("%.1f/s", m.other), How: fmt.Sprintf("so that about %.0f visitors of other pages come while the pools are full", unrelatedShare*lostTarget)},
	}
}
