// Scenario sync-expiry: a job writes many keys at once, and so they die at once, unless jitter scatters their ends.

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"podbor/cache"
	"podbor/internal/herd"
	"podbor/internal/report"
	"podbor/models"
)

const (
	noJitter, withJitter = "no-jitter", "jitter"

	playedKeys  = 3_000 // of those written, with short TTLs, asked for again
	playedTTL   = 5 * time.Second
	playedEvery = 250 * time.Millisecond // of the chart

	fullestSecond = "keys that end in the fullest second"
	peakAsked     = "most queries asked for per second"
	peakStarted   = "most queries started per second"
)

// syncExpiry uses the cache package itself, as a job beside the site would.
func syncExpiry(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	o.strategies = []string{noJitter, withJitter}
	own := policyOf("apartment")
	s := report.Scenario{
		Name: "sync-expiry",
		Asked: fmt.Sprintf("A job writes %s apartments into the cache at once. When do they end, and what does the database feel then? Once without jitter and once with.",
			count(float64(o.keys))),
		Method: []string{
			fmt.Sprintf("The script writes %s keys through the cache package, under the site's own policy for apartments: %s, and with jitter up to %.0f %% longer. Then it asks Redis for the real TTL of each (PTTL).", count(float64(o.keys)), ms(report.MS(own.SoftTTL)), 100*own.Jitter),
			fmt.Sprintf("Ten minutes are long to wait for, so the ends are played with %s keys that live for %s, and with jitter for up to twice as long: a tenth of so short a time would be no longer than the writing. Each key has a visitor at the moment it ends, as hot keys do.", count(float64(min(playedKeys, o.keys))), ms(report.MS(playedTTL))),
			fmt.Sprintf("Visitors go through the cache package (strategy both, %d loads at once at most, and 503 for who would wait longer than 2 s) to the real query for an apartment. A query is asked for when its visitor comes. Those started are counted too, and by PostgreSQL those that have ended.", bulkhead(b.opts.pool)),
			"The visitors and the cache share a process, whose lateness is part of what they wait for.",
		},
	}
	ends := report.Chart{Title: "When the keys end", Kind: report.Bars, X: "s after writing began", Y: "keys per second",
		Sentence: "Written together, they end together, as fast as they were written. Jitter scatters the ends over a tenth of their life."}
	load := report.Chart{Title: "What the database is asked for", Kind: report.Bars, X: "s after writing began", Y: "queries per second",
		Sentence: "Without jitter all are asked for within the time that the writing took, far more than the database can answer, and visitors are turned away. With it they come one after the other."}
	var err error
	s.Runs, err = b.eachRepeat("sync-expiry", o, func(strategy string) (report.Run, error) {
		long, short := own, own
		short.SoftTTL, short.Jitter = playedTTL, 1
		if strategy == noJitter {
			long.Jitter, short.Jitter = 0, 0
		}
		histogram, err := b.writtenEnds(ctx, long)
		if err != nil {
			return report.Run{}, err
		}
		r, asked, started, err := b.playEnds(ctx, short)
		if err != nil {
			return r, err
		}
		r.Strategy = strategy
		most, peak := highest(histogram), highest(asked)
		r.Measures = []report.Measure{{Name: fullestSecond, Value: most.Y}, {Name: peakAsked, Value: peak.Y}, {Name: peakStarted, Value: highest(started).Y}}
		r.Story = fmt.Sprintf("Of %s keys, %s end in the fullest second. In the run with %s of them up to %s queries a second were asked for, and %s visitors were turned away.",
			count(float64(o.keys)), count(most.Y), count(playedKeys), count(peak.Y), count(lost(r)))
		if len(ends.Series) < len(o.strategies) { // one repeat of each is drawn
			ends.Series = append(ends.Series, report.Series{Name: strategy, Points: histogram})
			load.Series = append(load.Series, report.Series{Name: strategy, Points: asked})
		}
		return r, nil
	})
	if err != nil {
		return s, err
	}
	s.Charts = []report.Chart{ends, load}
	s.Headline = inContrast(s.Runs, fmt.Sprintf("%s keys written at once", count(float64(o.keys))), func(r report.Run) string {
		return fmt.Sprintf("%s end in the fullest second", count(r.Measure(fullestSecond)))
	})
	s.Checks = syncExpiryChecks(s.Runs)
	s.Verdict = verdict(s.Checks)
	return s, nil
}

// policyOf returns the site's own policy for a prefix.
func policyOf(prefix string) cache.Policy {
	rows := models.Policies(cache.Both)
	return rows[slices.IndexFunc(rows, func(p models.Policy) bool { return p.Prefix == prefix })].Policy
}

// writtenEnds writes many keys and returns how many of them end in each second after writing began.
func (b *bench) writtenEnds(ctx context.Context, p cache.Policy) ([]report.Point, error) {
	j, err := b.startJob(ctx, p)
	if err != nil {
		return nil, err
	}
	defer j.close()
	ids := make([]int64, b.opts.keys)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	start := time.Now()
	if err := j.write(ctx, ids); err != nil {
		return nil, err
	}
	ends, err := j.ends(ctx)
	if err != nil {
		return nil, err
	}
	if len(ends) != len(ids) {
		return nil, fmt.Errorf("wrote %d keys, Redis has %d of them", len(ids), len(ends))
	}
	var moments []time.Duration
	for _, end := range ends {
		moments = append(moments, end.Sub(start))
	}
	return rate(moments, time.Second), nil
}

// playEnds writes some keys and asks for each of them at the moment it ends. It returns what the visitors felt, and how
// many queries they asked for, and got started, per second.
func (b *bench) playEnds(ctx context.Context, p cache.Policy) (r report.Run, asked, started []report.Point, err error) {
	j, err := b.startJob(ctx, p)
	if err != nil {
		return r, nil, nil, err
	}
	defer j.close()
	start := time.Now()
	if err := j.write(ctx, b.ids[:min(playedKeys, b.opts.keys, len(b.ids))]); err != nil {
		return r, nil, nil, err
	}
	ends, err := j.ends(ctx)
	if err != nil {
		return r, nil, nil, err
	}
	if err := herd.ResetStatements(ctx, b.sql); err != nil {
		return r, nil, nil, err
	}
	cpu := herd.StartUsage()
	visits := j.visit(ctx, ends, start)
	share := cpu.Share()
	completed, err := herd.Completed(ctx, b.sql)
	if err != nil {
		return r, nil, nil, err
	}
	r = report.Summarise(visits, nil)
	r.Pods, r.Pool, r.Runs, r.Counted = 1, b.opts.pool, 1, "apartment"
	r.DBQueries, r.DBQueriesCompleted = len(j.queries), completed["apartment"]
	r.Generator = herd.Judge(visits, share)
	var begun, due []time.Duration
	for _, at := range j.queries {
		begun = append(begun, at.Sub(start))
	}
	for _, v := range visits {
		due = append(due, time.Duration(v.Start*float64(time.Millisecond)))
	}
	return r, rate(due, playedEvery), rate(begun, playedEvery), ctx.Err()
}

// rate counts moments per interval and returns them as a rate per second, from just before the first to the last.
func rate(moments []time.Duration, every time.Duration) []report.Point {
	if len(moments) == 0 {
		return nil
	}
	slot := func(at time.Duration) int { return int(at / every) }
	from := max(slot(slices.Min(moments))-1, 0)
	points := make([]report.Point, slot(slices.Max(moments))-from+1)
	for i := range points {
		points[i].X = float64(from+i) * every.Seconds()
	}
	for _, at := range moments {
		points[slot(at)-from].Y += 1 / every.Seconds()
	}
	return points
}

func highest(points []report.Point) report.Point {
	return slices.MaxFunc(points, func(a, b report.Point) int { return cmp.Compare(a.Y, b.Y) })
}

func syncExpiryChecks(runs []report.Run) []report.Check {
	var c checks
	without, with := runs[0], runs[1]
	for _, f := range []struct {
		name string
		at   float64 // most of what there is without jitter
	}{{fullestSecond, 0.2}, {peakAsked, 0.5}} {
		got, most := with.Measure(f.name), f.at*without.Measure(f.name)
		c.add("jitter: "+f.name, count(got), fmt.Sprintf("≤ %s, %.0f %% of what there are without", count(most), 100*f.at), got <= most)
	}
	c.add("jitter: visitors wait less, 99 %", ms(with.Latency.P99), "< "+ms(without.Latency.P99), with.Latency.P99 < without.Latency.P99)
	c.exactly(with, "visitors turned away", lost, 0)
	for _, r := range runs {
		c.completed(r)
	}
	return c.list
}
