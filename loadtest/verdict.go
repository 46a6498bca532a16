// The verdict: did the problem show, did the fix hold, and can the figures be trusted?

package main

import (
	"fmt"
	"math"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

const (
	problemQueries = 0.75 // of the herd start the query, without protection
	problemLost    = 0.5  // of the herd time out, without protection
	problemDelay   = time.Second
	slowestOfBoth  = 1.5 // × a single query
)

func verdict(checks []report.Check) string {
	for _, c := range checks {
		if !c.OK {
			return report.Fail
		}
	}
	return report.Pass
}

func stampedeChecks(runs []report.Run, herd int) []report.Check {
	var c checks
	for _, r := range runs {
		if unprotected(r.Strategy) {
			c.atLeast(r, "heavy queries started", queriesOf, problemQueries*float64(herd))
			c.moreThan(r, "responses timed out", func(r report.Run) float64 { return float64(r.Timeouts) }, problemLost*float64(herd))
			c.add(r.Strategy+": slowest other page", each(r, func(r report.Run) float64 { return r.Unrelated.Max }, ms), "> "+ms(report.MS(problemDelay)),
				all(r, func(r report.Run) bool { return r.Unrelated.Max > report.MS(problemDelay) }))
		}
	}
	c.protection(runs, 1)
	for _, r := range runs {
		if r.Strategy == "both" {
			ratio := againstSingle(r)
			c.add("both: 99 % of the herd against a single query", fmt.Sprintf("%.2f × %s", ratio, ms(r.SingleQueryMS)),
				fmt.Sprintf("≤ %.1f ×", slowestOfBoth), ratio <= slowestOfBoth)
		}
	}
	c.nobodyWaits(runs)
	c.better(runs, herdFigures())
	c.trust(runs)
	return c.list
}

// herdFigures are what a herd feels.
func herdFigures() []figure {
	return []figure{
		{"responses lost", lost, count},
		{"99 %", slowest, ms},
		{"last response", func(r report.Run) float64 { return 1000 * r.TotalS }, ms},
	}
}

func sustainedChecks(runs []report.Run) []report.Check {
	var c checks
	for _, r := range runs {
		if unprotected(r.Strategy) {
			within := func(r report.Run) bool { n := lostAll(r); return n >= lostFewest && n <= lostMost }
			c.add(r.Strategy+": responses lost, all pages", each(r, lostAll, count), fmt.Sprintf("%d – %s", lostFewest, count(lostMost)), all(r, within))
			c.moreThan(r, "responses lost, other pages", lostOther, 0)
		}
	}
	c.protection(runs, 1)
	c.nobodyWaits(runs)
	c.better(runs, []figure{
		{"responses lost", lostAll, count},
		{"99 %", slowest, ms},
		{"database busy", func(r report.Run) float64 { return 1000 * r.DBBusyS }, ms},
	})
	c.trust(runs)
	return c.list
}

// checks is a list that grows.
type checks struct{ list []report.Check }

func (c *checks) add(name, got, want string, ok bool) {
	c.list = append(c.list, report.Check{Name: name, Got: got, Want: want, OK: ok})
}

func (c *checks) atLeast(r report.Run, name string, f func(report.Run) float64, want float64) {
	c.add(r.Strategy+": "+name, each(r, f, count), "≥ "+count(math.Ceil(want)), all(r, func(r report.Run) bool { return f(r) >= want }))
}

func (c *checks) moreThan(r report.Run, name string, f func(report.Run) float64, want float64) {
	c.add(r.Strategy+": "+name, each(r, f, count), "> "+count(want), all(r, func(r report.Run) bool { return f(r) > want }))
}

func (c *checks) exactly(r report.Run, name string, f func(report.Run) float64, want float64) {
	c.add(r.Strategy+": "+name, each(r, f, count), count(want), all(r, func(r report.Run) bool { return f(r) == want }))
}

// protection holds every protected strategy to its exact number of queries for so many keys, and to losing nobody.
func (c *checks) protection(runs []report.Run, keys int) {
	for _, r := range runs {
		if !unprotected(r.Strategy) {
			c.exactly(r, "heavy queries started", queriesOf, float64(keys*wantQueries(r.Strategy, r.Pods)))
			c.exactly(r, "responses lost", lost, 0)
			c.exactly(r, "responses lost, other pages", lostOther, 0)
		}
	}
}

// nobodyWaits holds the strategies that serve stale copies to their promise.
func (c *checks) nobodyWaits(runs []report.Run) {
	for _, r := range runs {
		if servesStale(r.Strategy) {
			for _, name := range []string{slowerThanHits, waitedForAQuery} {
				c.exactly(r, name, func(r report.Run) float64 { return r.Measure(name) }, 0)
			}
		}
	}
}

type figure struct {
	name   string
	of     func(report.Run) float64
	format func(float64) string
}

// bothKinds wants strategies without and with protection, and returns them.
func (c *checks) bothKinds(runs []report.Run) (before, after []report.Run) {
	for _, r := range runs {
		if unprotected(r.Strategy) {
			before = append(before, r)
		} else {
			after = append(after, r)
		}
	}
	c.add("strategies with and without protection", fmt.Sprintf("%d and %d", len(after), len(before)), "both kinds", len(before) > 0 && len(after) > 0)
	return before, after
}

// better compares the medians of every protected strategy with the best unprotected one, figure by figure: fewer
// queries are no cure if anything else got worse.
func (c *checks) better(runs []report.Run, figures []figure) {
	before, after := c.bothKinds(runs)
	if len(before) == 0 {
		return
	}
	for _, r := range after {
		for _, f := range figures {
			best := math.Inf(1)
			for _, b := range before {
				best = min(best, f.of(b))
			}
			c.add(r.Strategy+": better than without, "+f.name, f.format(f.of(r)), "< "+f.format(best), f.of(r) < best)
		}
	}
}

// trust checks the measurement itself.
func (c *checks) trust(runs []report.Run) {
	for _, r := range runs {
		c.completed(r)
		c.method(r)
	}
}

// method checks how a run was done: one expiry, and a generator that kept up.
func (c *checks) method(r report.Run) {
	if r.Expiries != nil {
		c.exactly(r, "expiries of the copy, by Redis", func(r report.Run) float64 { return float64(*r.Expiries) }, 1)
	}
	c.add(r.Strategy+": generator, 99 % sent within", ms(r.Generator.LateP99MS), "≤ "+ms(report.MS(herd.LateP99)), r.Generator.KeptUp)
}

// completedBut holds the two counts of queries to each other when a number of clients have died, whose queries PostgreSQL
// ends or drops.
func (c *checks) completedBut(r report.Run, dead int) {
	c.add(r.Strategy+": queries completed, by PostgreSQL", each(r, func(r report.Run) float64 { return float64(r.DBQueriesCompleted) }, count),
		fmt.Sprintf("as many as started: %s, or %d less", each(r, queriesOf, count), dead),
		all(r, func(r report.Run) bool {
			return r.DBQueriesCompleted <= r.DBQueries && r.DBQueriesCompleted >= r.DBQueries-dead
		}))
}

// completed holds the two counts of queries to each other.
func (c *checks) completed(r report.Run) {
	c.add(r.Strategy+": queries completed, by PostgreSQL", each(r, func(r report.Run) float64 { return float64(r.DBQueriesCompleted) }, count),
		"as many as started: "+each(r, queriesOf, count), all(r, func(r report.Run) bool { return r.DBQueries == r.DBQueriesCompleted }))
}

func queriesOf(r report.Run) float64 { return float64(r.DBQueries) }
func lost(r report.Run) float64      { return float64(r.Timeouts + r.Errors) }
func lostOther(r report.Run) float64 { return float64(*r.UnrelatedErrors) }
func lostAll(r report.Run) float64   { return lost(r) + lostOther(r) }
func slowest(r report.Run) float64   { return r.Latency.P99 }

// all reports whether every repeat holds: a fix that holds on the average does not hold.
func all(r report.Run, holds func(report.Run) bool) bool {
	for _, repeat := range r.Repeats {
		if !holds(repeat) {
			return false
		}
	}
	return len(r.Repeats) > 0
}

// each shows the smallest and the largest value of the repeats.
func each(r report.Run, f func(report.Run) float64, format func(float64) string) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, repeat := range r.Repeats {
		low, high = min(low, f(repeat)), max(high, f(repeat))
	}
	if format(low) == format(high) {
		return format(low)
	}
	return format(low) + " – " + format(high)
}

// againstSingle is the median over the repeats of the herd's 99 % by the single query of the same repeat, measured on the same
// processes seconds before: the machine's speed drifts, and the two must drift together.
func againstSingle(r report.Run) float64 {
	var ratios []float64
	for _, repeat := range r.Repeats {
		ratios = append(ratios, repeat.Latency.P99/repeat.SingleQueryMS)
	}
	return report.Median(ratios)
}

func ms(v float64) string    { return report.Milliseconds(v) }
func count(v float64) string { return report.Thousands(int(v)) }
