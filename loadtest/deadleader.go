// Scenario dead-leader: the process whose query everybody waits for is killed in the middle of it.

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"podbor/internal/herd"
	"podbor/internal/report"
)

const (
	lookEvery    = 2 * time.Millisecond   // for the query to run
	killedAfter  = 0.1                    // × a single query: what is still being parsed when its client dies is dropped
	takeoverRoom = 500 * time.Millisecond // beyond the lease and one query
)

func deadLeader(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	s := report.Scenario{
		Name: "dead-leader",
		Asked: fmt.Sprintf("A listing page is in the cache of %d processes. Its copy expires, and %d visitors ask for it. "+
			"When PostgreSQL has begun to run the query for them, the process that asked is killed (SIGKILL).", o.pods, o.herd),
		Method: deadLeaderMethod(o),
	}
	var err error
	s.Runs, err = b.eachRepeat(s.Name, o, func(strategy string) (report.Run, error) {
		var killed int // process, from 1
		l := b.herdLoad(o, herd.AtOnce(herdAt, o.herd, o.pods, b.page))
		l.acts = []act{{-setUp, "the leader is killed", func(ctx context.Context, t *trial) (err error) {
			killed, err = t.killLeader(ctx)
			return err
		}}}
		r, err := b.trial(ctx, strategy, l)
		if err != nil {
			return r, err
		}
		return withoutDead(r, killed), nil
	})
	if err != nil {
		return s, err
	}
	s.Headline = inContrast(s.Runs, "The leader is killed in the middle of its query", func(r report.Run) string {
		return fmt.Sprintf("%s queries, and %s of the other processes' %d visitors lost", count(queriesOf(r)), count(lost(r)), r.Requests)
	})
	s.Checks = deadLeaderChecks(s.Runs, policyOf("facets").LeaseTTL)
	s.Verdict = verdict(s.Checks)
	return s, nil
}

// killLeader waits for a heavy query to run, and kills the process that sent it. Under a lease that is its holder. It waits
// no longer than the visitors do: a query that ends between two looks would never be seen.
func (t *trial) killLeader(ctx context.Context) (process int, err error) {
	runs := time.Duration(killedAfter * report.Median(t.single) * float64(time.Millisecond))
	ctx, cancel := context.WithDeadlineCause(ctx, t.zero.Add(t.client.Timeout()),
		fmt.Errorf("no heavy query was seen to run for %v: with more rows (-rows) it takes longer", runs))
	defer cancel()
	conn, err := t.bench.connect(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for process == 0 {
		select {
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case <-ticker.C:
		}
		if process, err = heavyAt(ctx, conn, runs); err != nil && ctx.Err() == nil {
			return 0, fmt.Errorf("looking for the query: %w", err)
		}
	}
	t.before[process-1] = nil // its count is gone as well
	return process, t.fleet.Kill(process - 1)
}

// heavyAt returns the process that has had a heavy query running for longest, and for long enough, 0 if none has.
func heavyAt(ctx context.Context, conn *pgx.Conn, runs time.Duration) (int, error) {
	var application string
	err := conn.QueryRow(ctx, `
		SELECT application_name FROM pg_stat_activity
		WHERE state = 'active' AND application_name LIKE '`+herd.ApplicationPrefix+`%' AND query LIKE '/* facets */%'
		  AND query_start < clock_timestamp() - CAST($1 AS interval)
		ORDER BY query_start LIMIT 1`, runs).Scan(&application)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimPrefix(application, herd.ApplicationPrefix))
}

// withoutDead leaves the visitors of the killed process out of a run's figures, and adds its queries as PostgreSQL saw them.
func withoutDead(r report.Run, killed int) report.Run {
	living := func(requests []report.Request) []report.Request {
		return slices.DeleteFunc(slices.Clone(requests), func(q report.Request) bool { return q.Process == killed })
	}
	hot := living(r.Sample.Requests)
	l := report.Summarise(hot, living(r.Sample.Unrelated))
	dead := r.Requests - l.Requests
	r.Requests, r.OK, r.Timeouts, r.Errors, r.Status, r.TotalS = l.Requests, l.OK, l.Timeouts, l.Errors, l.Status, l.TotalS
	r.Latency, r.Unrelated, r.UnrelatedErrors = l.Latency, l.Unrelated, l.UnrelatedErrors
	connections := map[int]bool{} // each has had one such query at most; a slow one may be seen twice, being parsed and running
	for _, s := range r.Sample.Spans {
		if s.Process == killed && report.Heavy(s.Kind) {
			connections[s.PID] = true
		}
	}
	r.DBQueries += len(connections)
	at := slices.IndexFunc(r.Sample.Events, func(e report.Event) bool { return e.At > 0 })
	kill := r.Sample.Events[max(at, 0)].At
	r.Notes = append(r.Notes, fmt.Sprintf("Process %d was killed. Its %d visitors of the page are drawn, and left out of the figures: they are lost with it under any strategy. "+
		"Its queries are counted as PostgreSQL saw them run (pg_stat_activity).", killed, dead))
	r.Story = fmt.Sprintf("Process %d was killed %s after the expiry, while its query ran, and %d visitors were lost with it. The other processes had %d. ",
		killed, ms(kill), dead, r.Requests)
	if !slices.Contains([]string{"lock", "both"}, r.Strategy) {
		r.Story += fmt.Sprintf("Nobody there waited for the dead one: %s heavy queries were started in all, and %s of these visitors were lost.", count(queriesOf(r)), count(lost(r)))
		return r
	}
	takeover := 0.0
	for _, q := range hot {
		takeover = max(takeover, q.End-kill)
	}
	r.TakeoverMS = &takeover
	r.Story += fmt.Sprintf("They waited for its answer, until its lease ran out and one of them ran the query: the last had the page %s after the kill, %s heavy queries were started in all, and %s of these visitors were lost.",
		ms(takeover), count(queriesOf(r)), count(lost(r)))
	return r
}

func deadLeaderMethod(o options) []string {
	return method(o, copyExpires,
		fmt.Sprintf("pg_stat_activity is looked at every %v; the process whose heavy query it shows to have run for a tenth of a single query's time is killed at once. PostgreSQL goes on with the query, and drops it if it notices that there is nobody to send the answer to.", lookEvery),
		"The takeover counts from the moment at which the process was gone until the last visitor of the other processes has the page.",
		"A lock that never expires cannot be shown beside the lease: everybody would wait for ever. The comparison is aside, where nobody waits for another, so the death costs nobody but the dead process's own visitors, and the herd everybody else.",
		aSingleQuery)
}

func deadLeaderChecks(runs []report.Run, lease time.Duration) []report.Check {
	var c checks
	for _, r := range runs {
		if unprotected(r.Strategy) {
			c.moreThan(r, "responses lost by the other processes", lost, problemLost*float64(r.Requests))
			continue
		}
		c.exactly(r, "responses lost by the other processes", lost, 0)
		c.exactly(r, "responses lost by the other processes, other pages", lostOther, 0)
		if r.TakeoverMS == nil {
			continue
		}
		c.exactly(r, "heavy queries started, the dead one's included", queriesOf, 2)
		limit := func(r report.Run) float64 { return report.MS(lease+takeoverRoom) + r.SingleQueryMS }
		takeover := func(r report.Run) float64 { return *r.TakeoverMS }
		c.add(r.Strategy+": from the kill to the last answer", each(r, takeover, ms), fmt.Sprintf("≤ %s: the lease's %s, one query of %s, and %s", ms(limit(r)), ms(report.MS(lease)), ms(r.SingleQueryMS), ms(report.MS(takeoverRoom))),
			all(r, func(r report.Run) bool { return takeover(r) <= limit(r) }))
	}
	c.better(runs, []figure{
		{"responses lost", lost, count},
		{"queries", queriesOf, count},
		{"99 %", slowest, ms},
	})
	// Without protection the dead process leaves many queries, and PostgreSQL drops those that were still being parsed.
	for _, r := range runs {
		if !unprotected(r.Strategy) {
			c.completedBut(r, 1)
			c.method(r)
		}
	}
	return c.list
}
