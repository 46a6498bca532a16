// What visitors felt while Redis was away, and whether that is bearable.

package main

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"

	"podbor/internal/report"
)

const (
	awayFirst      = 2 * time.Second // until the breaker has opened and every process has a copy of its own again
	awayBackWithin = 5 * time.Second
	awayShed       = 0.01 // of all requests may be turned away
	awaySlower     = 2    // × a single query
	awayNormal     = 3    // × the slowest hundredth before
	awayProblem    = 0.5  // of the visitors who come without Redis have a query made, without protection
	awayLost       = 0.05 // of all requests are lost, without protection
)

// The measures of measureAway.
const (
	awayFailed  = "answers other than 200 and 503, all pages"
	turnedAway  = "turned away (503), all pages"
	cameWithout = "visitors of the page who came without Redis"
	beforeP99   = "before, 99 %"
	firstP99    = "the first 2 s away, 99 %"
	awayP99     = "while away, all pages, 99 %"
	awayPageP99 = "while away, the page, 99 %"
	redisAgain  = "hits from Redis again after"
	afterP99    = "normal again, 99 %"
)

// measureAway looks at a recording whose first event took Redis away and whose second brought it back.
func measureAway(s *report.Sample) []report.Measure {
	gone, back := s.Events[0].At, s.Events[1].At
	first, normal := gone+report.MS(awayFirst), back+report.MS(awayBackWithin)
	everything := slices.Concat(s.Requests, s.Unrelated)
	failed, shed := 0, 0
	for _, r := range everything {
		switch {
		case r.Outcome == report.Shed:
			shed++
		case r.Status != http.StatusOK || r.Outcome == report.Timeout:
			failed++
		}
	}
	ms := func(name string, value float64) report.Measure {
		return report.Measure{Name: name, Value: value, Unit: "ms"}
	}
	return []report.Measure{
		{Name: awayFailed, Value: float64(failed)},
		{Name: turnedAway, Value: float64(shed)},
		{Name: cameWithout, Value: float64(len(arrived(s.Requests, gone, back)))},
		ms(beforeP99, p99(arrived(s.Requests, s.From, gone))),
		ms(firstP99, p99(arrived(everything, gone, first))),
		ms(awayP99, p99(arrived(everything, first, back))),
		ms(awayPageP99, p99(arrived(s.Requests, first, back))),
		ms(redisAgain, lastFirstHit(arrived(everything, back, s.To), s.To)-back),
		ms(afterP99, p99(arrived(s.Requests, normal, s.To))),
	}
}

// arrived returns the requests that were due between two moments.
func arrived(requests []report.Request, from, to float64) []report.Request {
	return slices.DeleteFunc(slices.Clone(requests), func(r report.Request) bool { return r.Start < from || r.Start >= to })
}

func p99(requests []report.Request) float64 {
	return report.Percentile(report.Latencies(requests), 99)
}

// lastFirstHit is when the last process has served its first hit from Redis, or never, if one has not.
func lastFirstHit(requests []report.Request, never float64) float64 {
	first := map[int]float64{}
	for _, r := range requests {
		if _, seen := first[r.Process]; !seen {
			first[r.Process] = never
		}
		if r.Outcome == report.Redis {
			first[r.Process] = min(first[r.Process], r.End)
		}
	}
	if len(first) == 0 {
		return never
	}
	last := math.Inf(-1)
	for _, at := range first {
		last = max(last, at)
	}
	return last
}

func measure(name string) func(report.Run) float64 {
	return func(r report.Run) float64 { return r.Measure(name) }
}

func everyRequest(r report.Run) float64 {
	return float64(len(r.Sample.Requests) + len(r.Sample.Unrelated))
}

func awayChecks(runs []report.Run) []report.Check {
	var c checks
	for _, r := range runs {
		if unprotected(r.Strategy) {
			came := measure(cameWithout)(r)
			c.atLeast(r, "heavy queries started", queriesOf, awayProblem*came)
			c.moreThan(r, "responses lost, all pages", lostAll, awayLost*everyRequest(r.Repeats[0]))
			continue
		}
		c.exactly(r, awayFailed, measure(awayFailed), 0)
		c.add(r.Strategy+": "+turnedAway, each(r, measure(turnedAway), count), fmt.Sprintf("< %.0f %% of them", 100*awayShed),
			all(r, func(r report.Run) bool { return r.Measure(turnedAway) < awayShed*everyRequest(r) }))
		loads := r.Pods * bulkhead(r.Pool)
		c.add(r.Strategy+": queries at once, by PostgreSQL", each(r, func(r report.Run) float64 { return float64(r.DBActivePeak) }, count),
			fmt.Sprintf("≤ %d: the bulkhead × processes", loads), all(r, func(r report.Run) bool { return r.DBActivePeak <= loads }))
		c.add(r.Strategy+": "+awayP99, each(r, measure(awayP99), ms), fmt.Sprintf("< %d × a single query of %s", awaySlower, ms(r.SingleQueryMS)),
			all(r, func(r report.Run) bool { return r.Measure(awayP99) < awaySlower*r.SingleQueryMS }))
		c.add(r.Strategy+": "+redisAgain, each(r, measure(redisAgain), ms), "≤ "+ms(report.MS(awayBackWithin)),
			all(r, func(r report.Run) bool { return r.Measure(redisAgain) <= report.MS(awayBackWithin) }))
		// Hits of a few report.MS differ by more than that from one half minute to the next.
		c.add(r.Strategy+": "+afterP99, each(r, measure(afterP99), ms),
			fmt.Sprintf("≤ %d × %s as before, or a quarter of a single query of %s", awayNormal, ms(r.Measure(beforeP99)), ms(r.SingleQueryMS)),
			all(r, func(r report.Run) bool {
				return r.Measure(afterP99) <= max(awayNormal*r.Measure(beforeP99), r.SingleQueryMS/4)
			}))
	}
	c.better(runs, []figure{
		{"responses lost, all pages", lostAll, count},
		{"queries", queriesOf, count},
		{awayP99, measure(awayP99), ms},
	})
	c.trust(runs)
	return c.list
}

// bulkhead is how many loads the site lets a process run at once (maxLoads, in the site's caches.go).
func bulkhead(pool int) int { return max(1, pool*3/4) }

func awayStory(r report.Run) string {
	s := fmt.Sprintf("%s visitors of the page came while Redis was away. %s heavy queries were started in the whole run, and up to %d queries ran at once. ",
		count(r.Measure(cameWithout)), count(queriesOf(r)), r.DBActivePeak)
	if failed := r.Measure(awayFailed); failed > 0 {
		s += fmt.Sprintf("%s visitors of all pages got no answer or an error", count(failed))
	} else {
		s += "Nobody got an error"
	}
	if shed := r.Measure(turnedAway); shed > 0 {
		s += fmt.Sprintf(", %s were asked to come back later (503)", count(shed))
	}
	s += fmt.Sprintf(". After the first 2 s the slowest hundredth of all waited %s, of the page's %s. ", ms(r.Measure(awayP99)), ms(r.Measure(awayPageP99)))
	if r.Strategy == "off" {
		return s
	}
	return s + fmt.Sprintf("Every process served hits from Redis again %s after its return.", ms(r.Measure(redisAgain)))
}
