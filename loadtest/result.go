// From what was recorded to the figures of a run.

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"podbor/internal/herd"
	"podbor/internal/report"
)

// result puts the figures together.
func (t *trial) result(ctx context.Context, l load, hot, other []report.Request, cpuShare float64) (report.Run, error) {
	after, err := t.scraper.Scrape(ctx)
	if err != nil {
		return report.Run{}, err
	}
	completed, err := herd.Completed(ctx, t.bench.sql)
	if err != nil {
		return report.Run{}, err
	}
	started := herd.Queries(after)
	for kind, n := range herd.Queries(t.before) {
		started[kind] -= n
	}
	slices.Sort(t.single)
	spans, peak := t.activity.Recorded(report.MS(l.from))

	r := report.Summarise(hot, other)
	counted := cmp.Or(l.counted, "facets")
	r.Strategy, r.Pods, r.Pool, r.Runs = t.strategy, t.bench.opts.pods, t.bench.opts.pool, 1
	r.DBQueries, r.DBQueriesCompleted, r.Queries = started[counted], completed[counted], started
	r.Counted = l.counted
	r.DBActivePeak = peak
	r.DBBusyS = report.BusyMS(spans, l.counted) / 1000
	r.SingleQueryMS = report.Percentile(t.single, 50)
	r.Generator = herd.Judge(append(slices.Clone(hot), other...), cpuShare)
	if r.DBQueries != r.DBQueriesCompleted {
		r.Notes = append(r.Notes, fmt.Sprintf("The processes started %d queries, PostgreSQL completed %d: the others were cancelled, or failed.", r.DBQueries, r.DBQueriesCompleted))
	}
	if t.expiry != nil {
		stale, err := t.expiry.stale(ctx, t.bench)
		if err != nil {
			return report.Run{}, err
		}
		r.Expiries = t.expiry.counted()
		for _, key := range stale {
			r.Notes = append(r.Notes, fmt.Sprintf("After the run Redis had no fresh copy under %s.", key))
		}
		t.events = append(t.events, report.Event{At: 0, Name: t.expiry.name()})
	}
	r.Sample = &report.Sample{
		From: report.MS(l.from), To: lastEnd(hot, other, spans), TimeoutMS: report.MS(t.bench.opts.timeout),
		Requests: hot, Unrelated: other, Spans: spans, Pools: t.pools.Recorded(), Events: t.events,
	}
	if servesStale(t.strategy) {
		stale, measures := judgeStale(t.hits, hot)
		r.StaleServed, r.Measures = &stale, measures
	}
	return r, nil
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
