// Scenario missing: bots ask for apartments that do not exist, most of them again and again.

package main

import (
	"context"
	"fmt"
	"strconv"

	"podbor/internal/herd"
	"podbor/internal/report"
)

const (
	botsRate  = 200.0 // requests per second
	botsKnown = 50    // ids that they come back to
	botsNew   = 10    // every so manieth request is for an id that nobody has asked for before
)

func missing(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	ids, duration := absentIDs(b.lastID), o.duration/3
	s := report.Scenario{
		Name: "missing",
		Asked: fmt.Sprintf("For %s, bots make %.0f requests a second for apartments that do not exist: every %dth for a new id, the others for one of %d.",
			ms(report.MS(duration)), botsRate, botsNew, botsKnown),
		Method: method(o, "The right answer is 404; anything else counts as lost. The ids lie beyond the last apartment.",
			"The unprotected side is off: in this site even plain cache-aside remembers what does not exist, because the policy of the apartments says so (for 60 s). Ask for it with -strategies to see what it still lets through: bots who ask at the same moment."),
	}
	var err error
	s.Runs, err = b.eachRepeat("missing", o, func(strategy string) (report.Run, error) {
		r, err := b.trial(ctx, strategy, load{
			hot: func(yield func(herd.Arrival) bool) {
				for a := range herd.Steady(0, duration, botsRate, o.pods, true, func(i int) string { return "/apartments/" + strconv.FormatInt(ids(i), 10) }) {
					a.Absent = true
					if !yield(a) {
						return
					}
				}
			},
			from: 0, until: duration,
			copies:  noCopies,
			counted: "apartment",
		})
		r.Measures = []report.Measure{{Name: "different ids", Value: float64(different(r.Requests, ids))}, {Name: "answers 404", Value: float64(r.Status["404"])}}
		r.Story = fmt.Sprintf("%s requests asked for %d apartments that do not exist; PostgreSQL was asked %s times.", count(float64(r.Requests)), different(r.Requests, ids), count(queriesOf(r)))
		return r, err
	})
	if err != nil {
		return s, err
	}
	s.Headline = inContrast(s.Runs, fmt.Sprintf("%s requests for what does not exist", count(float64(s.Runs[0].Requests))), func(r report.Run) string {
		return count(queriesOf(r)) + " queries"
	})
	s.Checks = missingChecks(s.Runs, ids)
	s.Verdict = verdict(s.Checks)
	return s, nil
}

// absentIDs returns the id that the i-th request asks for.
func absentIDs(lastID int64) func(i int) int64 {
	return func(i int) int64 {
		if i%botsNew == 0 {
			return lastID + botsKnown + 1 + int64(i/botsNew)
		}
		old := i - i/botsNew - 1 // so many have come back before
		return lastID + 1 + int64(old%botsKnown)
	}
}

func different(requests int, ids func(int) int64) int {
	seen := map[int64]bool{}
	for i := range requests {
		seen[ids(i)] = true
	}
	return len(seen)
}

func missingChecks(runs []report.Run, ids func(int) int64) []report.Check {
	var c checks
	for _, r := range runs {
		n := different(r.Requests, ids)
		c.exactly(r, "answers 404", func(r report.Run) float64 { return float64(r.Status["404"]) }, float64(r.Requests))
		switch r.Strategy {
		case "off":
			c.atLeast(r, "queries started", queriesOf, float64(r.Requests))
		case "aside": // remembers as well, but lets through those who ask at once
		default:
			most := n * wantQueries(r.Strategy, r.Pods)
			c.add(r.Strategy+": queries started, for "+count(float64(n))+" ids", each(r, queriesOf, count), "≤ "+count(float64(most)),
				all(r, func(r report.Run) bool { return r.DBQueries <= most }))
		}
	}
	c.trust(runs)
	return c.list
}
