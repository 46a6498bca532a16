// Tables that say the same as the pictures.

package report

import (
	"maps"
	"slices"
)

// outcomeRows has a row for each outcome: requests, first and last answer, median.
func outcomeRows(requests []Request) [][]string {
	present, counts := outcomeCounts(requests)
	var rows [][]string
	for _, o := range present {
		var of []Request
		for _, r := range requests {
			if r.Outcome == o {
				of = append(of, r)
			}
		}
		ms := Latencies(of)
		rows = append(rows, []string{o.Label(), Thousands(counts[o]), Milliseconds(ms[0]),
			Milliseconds(Percentile(ms, 50)), Milliseconds(ms[len(ms)-1])})
	}
	return rows
}

// kindRows has a row for each kind of query: how many the processes started, and how long they held a connection.
func kindRows(run Run) [][]string {
	held := map[string]float64{}
	for _, s := range run.Sample.Spans {
		held[s.Kind] += s.End - s.Start
	}
	var rows [][]string
	for _, kind := range slices.Sorted(maps.Keys(run.Queries)) {
		if n := run.Queries[kind]; n > 0 {
			rows = append(rows, []string{kind, Thousands(n), Milliseconds(held[kind])})
		}
	}
	return rows
}
