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

// kindRows has a row for each kind of query: started by the processes, seen on a connection, time held.
func kindRows(run Run) [][]string {
	seen, held := map[string]int{}, map[string]float64{}
	for _, s := range run.Sample.Spans {
		seen[s.Kind]++
		held[s.Kind] += s.End - s.Start
	}
	names := maps.Clone(seen)
	maps.Copy(names, run.Queries)
	var rows [][]string
	for _, kind := range slices.Sorted(maps.Keys(names)) {
		if run.Queries[kind] == 0 && seen[kind] == 0 {
			continue
		}
		rows = append(rows, []string{kind, Thousands(run.Queries[kind]), Thousands(seen[kind]), Milliseconds(held[kind])})
	}
	return rows
}
