// One recorded run: fresh processes, a warm page, one expiry, the load, and everything counted twice.

package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"

	"podbor/internal/report"
)

const (
	setUp       = 300 * time.Millisecond // for opening connections and starting the recordings
	afterwards  = 500 * time.Millisecond // other pages are asked for a little longer than the database is busy
	drainWithin = 5 * time.Minute        // an unprotected database works through its queue; much longer than this and something is wrong
	maxInFlight = 6000                   // open requests; below the usual limit of 10,000 or so file descriptors
)

// A load is what arrives around the expiry, which is at zero.
type load struct {
	hot, other  iter.Seq[arrival]
	from        time.Duration // the first arrival, negative
	until       time.Duration // other pages are asked for at least that long
	connections int           // opened ahead for each process
}

// A trial is a run in progress: what is needed from the beginning to the end.
type trial struct {
	bench    *bench
	strategy string
	fleet    *fleet
	client   *client
	scraper  *scraper
	zero     time.Time
	single   []float64
	activity *activity
	pools    *poolWatch
	expiry   *expiry // nil under off, which has nothing that could expire
	before   []metrics
}

// trial does one run of a strategy.
func (b *bench) trial(ctx context.Context, strategy string, l load) (_ report.Run, err error) {
	if err := b.cache.FlushAll(ctx).Err(); err != nil {
		return report.Run{}, fmt.Errorf("emptying Redis: %w", err)
	}
	f, err := b.startFleet(ctx, strategy, b.opts.pods)
	if err != nil {
		return report.Run{}, err
	}
	defer func() { err = errors.Join(err, f.stop()) }()
	t := &trial{bench: b, strategy: strategy, fleet: f, client: newClient(f.addresses, b.opts.timeout), scraper: newScraper(f.addresses)}
	defer t.client.close()
	defer t.scraper.close()

	if err := t.prepare(ctx, l); err != nil {
		return report.Run{}, err
	}
	return t.measure(ctx, l)
}

// prepare measures a single query, fills the cache and sets the moment of expiry.
func (t *trial) prepare(ctx context.Context, l load) (err error) {
	b := t.bench
	// A single query may take longer than a visitor would wait; the figure is wanted all the same.
	patient := newClient(t.fleet.addresses, time.Minute)
	defer patient.close()
	if t.single, err = b.single(ctx, patient); err != nil {
		return err
	}
	if t.strategy != "off" {
		if err := b.warm(ctx, patient); err != nil {
			return err
		}
	}
	// By then no process has a copy in its own memory any more, unless visitors keep asking.
	t.zero = time.Now().Add(max(localCopies, setUp-l.from)).Truncate(time.Millisecond)
	if t.strategy != "off" {
		if t.expiry, err = b.expireAt(ctx, t.zero); err != nil {
			return err
		}
	}
	return sleepUntil(ctx, t.zero.Add(l.from-setUp))
}

// measure records the run: it starts the counters, sends the load, and waits until nothing is left of it.
func (t *trial) measure(ctx context.Context, l load) (report.Run, error) {
	b := t.bench
	if err := t.client.prepare(ctx, l.connections); err != nil {
		return report.Run{}, err
	}
	if err := b.resetStatements(ctx); err != nil {
		return report.Run{}, err
	}
	var err error
	if t.before, err = t.scraper.scrape(ctx); err != nil {
		return report.Run{}, err
	}
	if t.activity, err = b.watchActivity(ctx, t.zero); err != nil {
		return report.Run{}, err
	}
	t.pools = watchPools(ctx, t.scraper, t.zero)

	hot, other, usage, loadErr := t.send(ctx, l)
	t.pools.close()
	if err := errors.Join(loadErr, t.activity.close(), t.fleet.alive()); err != nil {
		return report.Run{}, err
	}
	return t.result(ctx, l, hot, other, usage)
}

// send lets the page's visitors and those of other pages come, the latter until the database is idle again.
func (t *trial) send(ctx context.Context, l load) (hot, other []report.Request, cpuShare float64, err error) {
	g := generator{client: t.client, maxInFlight: maxInFlight}
	cpu := startUsage()
	enough := make(chan struct{})
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		_, other = g.send(ctx, enough, t.zero, l.other)
	}()
	hot, _ = g.send(ctx, nil, t.zero, l.hot)
	cpuShare = cpu.share()
	err = errors.Join(t.awaitIdle(ctx), sleepUntil(ctx, t.zero.Add(l.until)), sleepUntil(ctx, time.Now().Add(afterwards)))
	close(enough)
	<-finished
	return hot, other, cpuShare, errors.Join(err, t.awaitIdle(ctx))
}

// awaitIdle returns when nobody waits for a connection and no query for the page runs, three looks in a row.
func (t *trial) awaitIdle(ctx context.Context) error {
	deadline := time.Now().Add(drainWithin)
	for quiet := 0; quiet < 3; quiet++ {
		if err := sleepUntil(ctx, time.Now().Add(poolsEvery)); err != nil {
			return err
		}
		if err := t.fleet.alive(); err != nil {
			return err
		}
		if !t.pools.nobodyWaits() || t.activity.heavyRunning() > 0 {
			quiet = -1
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the database is still busy %v after the load", drainWithin)
		}
	}
	return nil
}

// result puts the figures together.
func (t *trial) result(ctx context.Context, l load, hot, other []report.Request, cpuShare float64) (report.Run, error) {
	after, err := t.scraper.scrape(ctx)
	if err != nil {
		return report.Run{}, err
	}
	completed, err := t.bench.completed(ctx)
	if err != nil {
		return report.Run{}, err
	}
	started := queries(after)
	for kind, n := range queries(t.before) {
		started[kind] -= n
	}
	slices.SortFunc(t.single, func(a, b float64) int { return int(a*1000) - int(b*1000) })
	spans, peak := t.activity.recorded(milliseconds(l.from))

	r := summarise(hot, other)
	r.Strategy, r.Pods, r.Pool, r.Runs = t.strategy, t.bench.opts.pods, t.bench.opts.pool, 1
	r.DBQueries, r.DBQueriesCompleted, r.Queries = started["facets"], completed["facets"], started
	r.DBActivePeak = peak
	r.DBBusyS = report.BusyMS(spans) / 1000
	r.SingleQueryMS = report.Percentile(t.single, 50)
	r.Generator = judgeGenerator(append(slices.Clone(hot), other...), cpuShare)
	if r.DBQueries != r.DBQueriesCompleted {
		r.Notes = append(r.Notes, fmt.Sprintf("The processes started %d heavy queries, PostgreSQL completed %d: the others were cancelled, or failed.", r.DBQueries, r.DBQueriesCompleted))
	}
	if t.expiry != nil {
		times, missing, err := t.expiry.close(ctx, t.bench)
		if err != nil {
			return report.Run{}, err
		}
		r.Expiries = &times
		for _, key := range missing {
			r.Notes = append(r.Notes, fmt.Sprintf("After the run Redis had no copy under %s.", key))
		}
	}
	r.Sample = &report.Sample{
		From: milliseconds(l.from), To: lastEnd(hot, other, spans), TimeoutMS: milliseconds(t.bench.opts.timeout),
		Requests: hot, Unrelated: other, Spans: spans, Pools: t.pools.recorded(),
	}
	if t.expiry != nil {
		r.Sample.Events = []report.Event{{At: 0, Name: "the copy expires"}}
	}
	return r, nil
}

// summarise counts what the visitors got.
func summarise(hot, other []report.Request) report.Run {
	r := report.Run{Requests: len(hot), Status: map[string]int{}}
	first, last := 0.0, 0.0
	for i, q := range hot {
		if i == 0 || q.Start < first {
			first = q.Start
		}
		last = max(last, q.End)
		switch {
		case q.Outcome == report.Timeout:
			r.Timeouts++
		case q.Status == http.StatusOK:
			r.OK++
		default:
			r.Errors++
		}
		if q.Status != 0 {
			r.Status[fmt.Sprint(q.Status)]++
		}
	}
	r.TotalS = (last - first) / 1000
	r.Latency = report.NewLatency(report.Latencies(hot))
	unrelated, lost := report.NewLatency(report.Latencies(other)), 0
	for _, q := range other {
		if q.Status != http.StatusOK || q.Outcome == report.Timeout {
			lost++
		}
	}
	r.Unrelated, r.UnrelatedErrors = &unrelated, &lost
	return r
}

func lastEnd(hot, other []report.Request, spans []report.Span) float64 {
	end := 0.0
	for _, r := range hot {
		end = max(end, r.End)
	}
	for _, r := range other {
		end = max(end, r.End)
	}
	for _, s := range spans {
		end = max(end, s.End)
	}
	return end
}
