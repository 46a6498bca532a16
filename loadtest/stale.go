// What visitors felt of an expiry under the strategies that serve a stale copy and refresh it behind.

package main

import (
	"slices"

	"podbor/internal/report"
)

const (
	slowerThanAHit = 3       // × the slowest of the hits
	beforeStale    = -2000.0 // report.MS: until then nobody refreshes, so all are plain hits
)

// The measures of judgeStale.
const (
	aHit            = "a hit, the slowest"
	slowerThanHits  = "slower than 3 × a hit"
	waitedForAQuery = "waited for a query"
)

func servesStale(strategy string) bool { return strategy == "swr" || strategy == "xfetch" }

// waited reports whether an answer took a query, be it the visitor's own or another's.
func waited(r report.Request) bool {
	return slices.Contains([]report.Outcome{report.Loaded, report.Waited, report.Coalesced}, r.Outcome)
}

// judgeStale compares the visitors around an expiry with hits. These are the control's, or, in a steady load, those of the
// visitors who came well before. A hit is what the slowest of these takes: the machine is shared with everything else, and of
// a thousand plain hits a few take many times what most do. Anything less would blame the expiry for that.
func judgeStale(hits []float64, hot []report.Request) (stale int, measures []report.Measure) {
	around := hot
	if hits == nil {
		early := slices.DeleteFunc(slices.Clone(hot), func(r report.Request) bool { return r.Start >= beforeStale })
		hits = report.Latencies(early)
		around = slices.DeleteFunc(slices.Clone(hot), func(r report.Request) bool { return r.Start < beforeStale })
	}
	hit := report.Percentile(hits, 100)
	slower, query := 0, 0
	for _, r := range around {
		if r.Outcome == report.Stale {
			stale++
		}
		if r.Latency() > slowerThanAHit*hit {
			slower++
		}
		if waited(r) {
			query++
		}
	}
	return stale, []report.Measure{{Name: aHit, Value: hit, Unit: "ms"}, {Name: slowerThanHits, Value: float64(slower)}, {Name: waitedForAQuery, Value: float64(query)}}
}
