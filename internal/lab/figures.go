// What a run has shown so far, in figures.

package lab

import (
	"cmp"
	"slices"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

// measured puts the figures together; u.mu is held. While the run goes on, the herd counts whole, and Queries is what the
// processes said when last looked at.
func (u *run) measured(over bool) report.Run {
	p, known := u.record.Plan, u.record.Run
	hot, other := slices.Clone(u.hot), slices.Clone(u.other)
	run := report.Summarise(hot, other)
	run.Strategy, run.Pods, run.Runs, run.Pool = p.Strategy, p.Processes, 1, known.Pool
	run.Counted, run.Notes, run.Generator, run.DBQueriesCompleted = known.Counted, known.Notes, known.Generator, u.completed
	run.SingleQueryMS = report.MS(u.single)
	run.Queries = known.Queries
	if run.Queries == nil {
		run.Queries = u.started(u.pools.Latest())
	}
	spans, peak := u.activity.Recorded(0)
	run.DBQueries = run.Queries[cmp.Or(run.Counted, "facets")] + u.ofTheDead(spans, cmp.Or(run.Counted, "facets"))
	run.DBActivePeak = peak
	run.DBBusyS = report.BusyMS(spans, run.Counted) / 1000
	run.Sample = &report.Sample{
		From: 0, TimeoutMS: float64(p.TimeoutMS), Requests: hot, Unrelated: other, Spans: spans,
		Pools: u.pools.Recorded(), Leases: u.pools.Leases(), Events: slices.Clone(u.events),
	}
	if over {
		for _, r := range slices.Concat(hot, other) {
			run.Sample.To = max(run.Sample.To, r.End)
		}
		for _, s := range spans {
			run.Sample.To = max(run.Sample.To, s.End)
		}
		return run
	}
	run.Requests, run.Sample.To = p.Herd, report.MS(time.Since(u.zero))
	return run
}

// started returns how many queries the processes have started since the herd was sent.
func (u *run) started(now []herd.Metrics) map[string]int {
	queries := map[string]int{}
	for i, m := range now {
		if m == nil {
			continue // killed
		}
		for kind, n := range herd.Queries([]herd.Metrics{m}) {
			queries[kind] += n - herd.Queries(u.before[i : i+1])[kind]
		}
	}
	return queries
}

// ofTheDead counts queries of processes that were killed, as PostgreSQL saw them: their own counts died with them.
func (u *run) ofTheDead(spans []report.Span, kind string) int {
	connections := map[int]bool{} // each has had one such query at most
	for _, s := range spans {
		if s.Kind == kind && slices.Contains(u.killed, s.Process) {
			connections[s.PID] = true
		}
	}
	return len(connections)
}
