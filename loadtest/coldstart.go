// Scenario coldstart: a deploy. The processes are fresh, the cache is empty, and the visitors are there already.

package main

import (
	"context"
	"fmt"

	"podbor/internal/herd"
	"podbor/internal/report"
)

func coldstart(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	var pages []string
	for _, city := range b.cities {
		pages = append(pages, "/"+city, "/"+city+"?area_min=60")
	}
	s := report.Scenario{
		Name: "coldstart",
		Asked: fmt.Sprintf("%d fresh processes start serving with an empty Redis, and %d visitors ask for %d listing pages at once, each willing to wait %s.",
			o.pods, o.herd, len(pages), ms(report.MS(o.timeout))),
		Method: method(o, "FLUSHALL empties Redis once the connections are open and a single query has been measured; the processes' own copies have run out by then. The herd goes round the pages, so that every process is asked for each."),
	}
	var err error
	s.Runs, err = b.eachRepeat("coldstart", o, func(strategy string) (report.Run, error) {
		l := b.herdLoad(o, tour(o.herd, o.pods, pages))
		l.copies = noCopies
		r, err := b.trial(ctx, strategy, l)
		r.Measures = []report.Measure{{Name: "queries per page", Value: float64(r.DBQueries) / float64(len(pages))}}
		r.Story = fmt.Sprintf("%d visitors came at once for %d pages, none of which was in the cache: %d heavy queries. %d of the visitors were left without their page.",
			r.Requests, len(pages), r.DBQueries, r.Timeouts+r.Errors)
		return r, err
	})
	if err != nil {
		return s, err
	}
	s.Headline = inContrast(s.Runs, fmt.Sprintf("%d visitors of a cold cache with %d pages", o.herd, len(pages)), func(r report.Run) string {
		return fmt.Sprintf("%d heavy queries and %d lost", r.DBQueries, r.Timeouts+r.Errors)
	})
	s.Checks = coldstartChecks(s.Runs, o.herd, len(pages))
	s.Verdict = verdict(s.Checks)
	return s, nil
}

// tour is a herd that goes round the pages, every process being asked for each.
func tour(n, processes int, pages []string) func(yield func(herd.Arrival) bool) {
	return func(yield func(herd.Arrival) bool) {
		for i := range n {
			if !yield(herd.Arrival{Due: herdAt, Process: i % processes, Path: pages[i/processes%len(pages)], Hot: true}) {
				return
			}
		}
	}
}

func coldstartChecks(runs []report.Run, herd, pages int) []report.Check {
	var c checks
	for _, r := range runs {
		if unprotected(r.Strategy) {
			c.atLeast(r, "heavy queries started", queriesOf, problemQueries*float64(herd))
			c.moreThan(r, "responses lost", lost, 0)
		}
	}
	c.protection(runs, pages)
	c.better(runs, herdFigures())
	c.trust(runs)
	return c.list
}

// inContrast sums a scenario up by what the first and the last strategy have to show.
func inContrast(runs []report.Run, about string, figures func(report.Run) string) string {
	first, last := runs[0], runs[len(runs)-1]
	return fmt.Sprintf("%s: %s under “%s”, %s under “%s”.", about, figures(first), first.Strategy, figures(last), last.Strategy)
}
