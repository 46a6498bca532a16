// Scenario write-race: edits while visitors load what is edited. Is the old value seen after the edit was acknowledged?

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"podbor/internal/herd"
	"podbor/internal/report"
)

func writeRace(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	apartments := min(o.edits/2, len(b.ids))
	s := report.Scenario{
		Name: "write-race",
		Asked: fmt.Sprintf("%s edits in %d processes, while visitors ask each process for the apartment that is edited. "+
			"Half of the edits meet an apartment that nobody has a copy of, and visitors who load it; the others one that every process has shown.", count(float64(2*apartments)), o.pods),
		Method: raceMethod(o),
	}
	seen := map[string][]sighting{} // of every repeat
	var err error
	s.Runs, err = b.eachRepeat(s.Name, o, func(strategy string) (report.Run, error) {
		r, sightings, err := b.race(ctx, strategy, apartments)
		seen[strategy] = append(seen[strategy], sightings...)
		return r, err
	})
	if err != nil {
		return s, err
	}
	s.Headline = inContrast(s.Runs, "Edits while visitors load", func(r report.Run) string {
		return fmt.Sprintf("%s old values after the acknowledgement, %s of them until the TTL", count(float64(*r.StaleServed)), count(r.Measure(oldStuck)))
	})
	s.Charts = []report.Chart{raceChart(s.Runs, seen)}
	s.Checks = raceChecks(s.Runs)
	s.Verdict = verdict(s.Checks)
	return s, nil
}

func raceMethod(o options) []string {
	return []string{
		"PostgreSQL, Redis and the processes are real and run on one machine, together with the visitors. The processes are the site's cached store (models and cache, with relay and LISTEN) behind two small pages of the script's own: one shows an apartment's version, the other edits it.",
		fmt.Sprintf("Every repeat has fresh processes and an empty Redis. There are %d repeats, and the order of the strategies rotates. At any time %d apartments are being edited, each by one process; the processes take turns.", o.repeats, racers),
		"With every edit one visitor comes to each process, at a random moment of the time that an edit usually takes: at the first edit of an apartment it loads, and may read before the edit and store after it.",
		"An edit is acknowledged when its answer has arrived. From then on every process is asked again and again until it shows the edit. An old value is one shown to a visitor who came after the acknowledgement; how long it was seen counts until the last such visitor came.",
		fmt.Sprintf("When every process has shown the edit, and the visitors from before it have gone, all are asked once more: the old value must not come back. Where nothing but the TTL of 10 min ends an old value, we stop looking after %v; under protection after %v.", lookUnbounded, lookBounded),
		"Under lock no process keeps copies of its own; under both it does, and forgets them when it hears of the edit.",
	}
}

// race lets the edits of one strategy be made.
func (b *bench) race(ctx context.Context, strategy string, apartments int) (_ report.Run, _ []sighting, err error) {
	if err := b.emptyCache(ctx); err != nil {
		return report.Run{}, nil, err
	}
	edited, err := b.versions(ctx, b.ids[:apartments])
	if err != nil {
		return report.Run{}, nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return report.Run{}, nil, err
	}
	f, err := b.processes(self, editorVariable+"=1").Start(ctx, strategy, b.opts.pods)
	if err != nil {
		return report.Run{}, nil, err
	}
	defer func() { err = errors.Join(err, f.Stop()) }()
	r, start, cpu := newRace(f.Addresses, strategy), time.Now(), herd.StartUsage()
	if err := errors.Join(r.run(ctx, edited), f.Alive()); err != nil {
		return report.Run{}, nil, err
	}
	run := report.Run{
		Strategy: strategy, Pods: b.opts.pods, Pool: b.opts.pool, Runs: 1, TotalS: time.Since(start).Seconds(),
		Generator: report.Generator{CPUShare: cpu.Share(), KeptUp: true}, // its visitors wait for each other: it cannot be late
		Measures:  measureRace(r.seen),
	}
	stale := int(run.Measure(oldWriter) + run.Measure(oldOthers))
	run.StaleServed = &stale
	run.Story = raceStory(run)
	return run, r.seen, nil
}

// versions returns the apartments as the database has them, in the order of ids.
func (b *bench) versions(ctx context.Context, ids []int64) ([]apartment, error) {
	rows, err := b.sql.Query(ctx, `SELECT id, version FROM apartments WHERE id = ANY ($1) ORDER BY hashint8(id)`, ids)
	if err != nil {
		return nil, fmt.Errorf("reading versions: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a apartment, err error) {
		return a, row.Scan(&a.id, &a.version)
	})
	if err != nil {
		return nil, fmt.Errorf("reading versions: %w", err)
	}
	return all, nil
}

// raceChart is a histogram for each strategy: for how long old values were seen.
func raceChart(runs []report.Run, seen map[string][]sighting) report.Chart {
	c := report.Chart{
		Title: "Old values after the acknowledgement", Kind: report.Bars,
		X: "ms for which a process showed the old value", Y: "times",
		Sentence: fmt.Sprintf("The last bar, where there is one at %v, holds those that nothing would have ended but the TTL of 10 min. A process that showed no old value is in no bar.", lookUnbounded),
	}
	for _, r := range runs {
		c.Series = append(c.Series, report.Series{Name: r.Strategy, Points: oldHistogram(seen[r.Strategy])})
	}
	return c
}

// oldHistogram counts sightings by the report.MS that they lasted.
func oldHistogram(seen []sighting) []report.Point {
	const bin = 2.0 // report.MS
	points := make([]report.Point, int(report.MS(lookUnbounded)/bin)+1)
	for i := range points {
		points[i].X = float64(i) * bin
	}
	for _, s := range seen {
		if s.old > 0 {
			points[min(int(report.MS(s.old)/bin), len(points)-1)].Y++
		}
	}
	return points
}
