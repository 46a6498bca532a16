// One recorded run: fresh processes, the load, what happens to the system meanwhile, and everything counted twice.

package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

const (
	setUp       = 300 * time.Millisecond // for opening connections and starting the recordings
	afterwards  = 500 * time.Millisecond // other pages are asked for a little longer than the database is busy
	drainWithin = 5 * time.Minute        // an unprotected database works through its queue; much longer than this and something is wrong
	poolsEvery  = 100 * time.Millisecond // the pools are looked at
	maxInFlight = 6000                   // open requests; below the usual limit of 10,000 or so file descriptors
)

// A load is what arrives around the zero of a run.
type load struct {
	hot, other  iter.Seq[herd.Arrival] // other may be nil
	from        time.Duration          // the first arrival, negative
	until       time.Duration          // other pages are asked for at least that long
	connections int                    // opened ahead for each process
	copies      copies
	control     iter.Seq[herd.Arrival] // sent once before, while the copy is fresh; may be nil
	counted     string                 // the kind of query that is counted; "" means the counts of listing pages
	acts        []act                  // in order of time
}

// copies says what becomes of the cached copies of the page under test.
type copies int

const (
	copiesExpire copies = iota // at zero: softly where the strategy serves stale ones
	noCopies                   // Redis is emptied before the first arrival
	copiesStay
)

// An act is something that is done to the system during a run.
type act struct {
	at   time.Duration
	name string // of the event that is drawn, "" for none
	do   func(context.Context, *trial) error
}

// A trial is a run in progress: what is needed from the beginning to the end.
type trial struct {
	bench    *bench
	strategy string
	fleet    *herd.Fleet
	client   *herd.Client
	scraper  *herd.Scraper
	zero     time.Time
	single   []float64
	hits     []float64 // latencies of the control, sorted
	activity *herd.Activity
	pools    *herd.PoolWatch
	expiry   *expiry // nil if nothing expires
	before   []herd.Metrics
	events   []report.Event // what was done, when it was really done
}

// trial does one run of a strategy.
func (b *bench) trial(ctx context.Context, strategy string, l load) (_ report.Run, err error) {
	if err := b.emptyCache(ctx); err != nil {
		return report.Run{}, err
	}
	f, err := b.startFleet(ctx, strategy, b.opts.pods)
	if err != nil {
		return report.Run{}, err
	}
	defer func() { err = errors.Join(err, f.Stop()) }()
	t := &trial{bench: b, strategy: strategy, fleet: f, client: herd.NewClient(f.Addresses, b.opts.timeout), scraper: herd.NewScraper(f)}
	defer t.client.Close()
	defer t.scraper.Close()

	if err := t.prepare(ctx, l); err != nil {
		return report.Run{}, err
	}
	return t.measure(ctx, l)
}

func (b *bench) emptyCache(ctx context.Context) error {
	if err := b.cache.FlushAll(ctx).Err(); err != nil {
		return fmt.Errorf("emptying Redis: %w", err)
	}
	return nil
}

// prepare measures a single query, brings the cache into the state that the load wants, and sets the zero.
func (t *trial) prepare(ctx context.Context, l load) (err error) {
	b := t.bench
	// A single query may take longer than a visitor would wait; the figure is wanted all the same.
	patient := herd.NewClient(t.fleet.Addresses, time.Minute)
	defer patient.Close()
	b.openConnections(ctx, patient)
	if l.counted == "" {
		if t.single, err = b.single(ctx, patient); err != nil {
			return err
		}
	}
	if l.copies != noCopies && t.strategy != "off" {
		if err := b.warm(ctx, patient); err != nil {
			return err
		}
	}
	if l.control != nil && t.strategy != "off" {
		if err := t.hit(ctx, l); err != nil {
			return err
		}
	}
	ahead := setUp - l.from
	if l.counted == "" { // no process may have a copy in its own memory any more, unless visitors keep asking
		ahead = max(ahead, localCopies)
	}
	t.zero = time.Now().Add(ahead).Truncate(time.Millisecond)
	switch {
	case l.copies != copiesExpire || t.strategy == "off":
	case servesStale(t.strategy):
		t.expiry, err = b.expireSoftlyAt(ctx, t.zero)
	default:
		t.expiry, err = b.expireAt(ctx, t.zero)
		err = errors.Join(err, b.keepFrame(ctx, t.zero.Add(l.until+t.client.Timeout()+drainWithin)))
	}
	if err := errors.Join(err, herd.SleepUntil(ctx, t.zero.Add(l.from-setUp))); err != nil {
		return err
	}
	if l.copies == noCopies {
		return b.emptyCache(ctx)
	}
	return nil
}

// hit sends the control, to know what a hit takes. Like the herd, it meets no copies in the processes' own memory. It is
// also what makes the processes those of a site that has visitors: one that has just started gets the memory for each
// answer under way from the kernel, page fault by page fault, which is not what a herd is about.
func (t *trial) hit(ctx context.Context, l load) error {
	if err := herd.SleepUntil(ctx, time.Now().Add(localCopies)); err != nil {
		return err
	}
	c := herd.NewClient(t.fleet.Addresses, t.client.Timeout())
	defer c.Close()
	if err := c.Prepare(ctx, l.connections); err != nil {
		return err
	}
	hits, _ := herd.Generator{Client: c, MaxInFlight: maxInFlight}.Send(ctx, nil, time.Now(), l.control)
	for _, r := range hits {
		if r.Status != http.StatusOK || waited(r) {
			return fmt.Errorf("measuring a hit: answered %q, status %d, %s", r.Outcome, r.Status, r.Error)
		}
	}
	t.hits = report.Latencies(hits)
	return nil
}

// measure records the run: it starts the counters, sends the load, and waits until nothing is left of it.
func (t *trial) measure(ctx context.Context, l load) (report.Run, error) {
	b := t.bench
	// Not earlier: the site closes a connection on which nothing has come for a few seconds.
	if err := t.client.Prepare(ctx, l.connections); err != nil {
		return report.Run{}, err
	}
	if err := herd.ResetStatements(ctx, b.sql); err != nil {
		return report.Run{}, err
	}
	var err error
	if t.before, err = t.scraper.Scrape(ctx); err != nil {
		return report.Run{}, err
	}
	conn, err := b.connect(ctx)
	if err != nil {
		return report.Run{}, err
	}
	t.activity = herd.WatchActivity(ctx, conn, t.zero)
	t.pools = herd.WatchPools(ctx, t.scraper, t.zero, "facets", poolsEvery)

	acting, stopActing := context.WithCancel(ctx)
	defer stopActing()
	acted := make(chan error, 1)
	go func() { acted <- t.act(acting, l.acts) }()
	hot, other, usage, loadErr := t.send(ctx, l)
	if loadErr != nil {
		stopActing()
	}
	actErr := <-acted
	t.pools.Close()
	if err := errors.Join(loadErr, actErr, t.activity.Close(), t.fleet.Alive()); err != nil {
		return report.Run{}, err
	}
	return t.result(ctx, l, hot, other, usage)
}

// act does to the system what the load plans, and notes when it was done.
func (t *trial) act(ctx context.Context, acts []act) error {
	for _, a := range acts {
		if err := herd.SleepUntil(ctx, t.zero.Add(a.at)); err != nil {
			return err
		}
		if err := a.do(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		if a.name != "" {
			t.events = append(t.events, report.Event{At: report.MS(time.Since(t.zero)), Name: a.name})
		}
	}
	return nil
}

// send lets the page's visitors and those of other pages come, the latter until the database is idle again.
func (t *trial) send(ctx context.Context, l load) (hot, other []report.Request, cpuShare float64, err error) {
	g := herd.Generator{Client: t.client, MaxInFlight: maxInFlight}
	cpu := herd.StartUsage()
	enough := make(chan struct{})
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		if l.other != nil {
			_, other = g.Send(ctx, enough, t.zero, l.other)
		}
	}()
	hot, _ = g.Send(ctx, nil, t.zero, l.hot)
	cpuShare = cpu.Share()
	if t.expiry != nil {
		err = t.expiry.stop()
	}
	err = errors.Join(err, t.awaitIdle(ctx), herd.SleepUntil(ctx, t.zero.Add(l.until)), herd.SleepUntil(ctx, time.Now().Add(afterwards)))
	close(enough)
	<-finished
	return hot, other, cpuShare, errors.Join(err, t.awaitIdle(ctx))
}

// awaitIdle returns when nobody waits for a connection and no query for the page runs, three looks in a row.
func (t *trial) awaitIdle(ctx context.Context) error {
	deadline := time.Now().Add(drainWithin)
	for quiet := 0; quiet < 3; quiet++ {
		if err := herd.SleepUntil(ctx, time.Now().Add(poolsEvery)); err != nil {
			return err
		}
		if err := t.fleet.Alive(); err != nil {
			return err
		}
		if !t.pools.NobodyWaits() || t.activity.HeavyRunning() > 0 {
			quiet = -1
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the database is still busy %v after the load", drainWithin)
		}
	}
	return nil
}
