// Tables that say the same as the pictures.

package report

import (
	"cmp"
	"fmt"
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
		rows = append(rows, []string{o.Label(), thousands(counts[o]), milliseconds(ms[0]),
			milliseconds(Percentile(ms, 50)), milliseconds(ms[len(ms)-1])})
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
		rows = append(rows, []string{kind, thousands(run.Queries[kind]), thousands(seen[kind]), milliseconds(held[kind])})
	}
	return rows
}

// busyChart is one line: when a heavy query was running.
func busyChart(id string, s *Sample, x scale) chart {
	const height = 16
	c := chart{id: id, height: height, ticks: x.timeTicks(), bands: []bar{{0, 100, 0, height, "band", ""}}}
	busy := 0.0
	for _, span := range busySpans(s.Spans) {
		left, width := x.span(span.Start, span.End)
		c.bars = append(c.bars, bar{left, width, 0, height, "q-facets", ""})
		busy += span.End - span.Start
	}
	c.title = fmt.Sprintf("Database busy with this page: %s", milliseconds(busy))
	c.desc = c.title
	return c
}

// busySpans merges overlapping heavy queries into the stretches during which at least one ran.
func busySpans(spans []Span) []Span {
	var merged []Span
	for _, s := range slices.SortedFunc(slices.Values(spans), func(a, b Span) int { return cmp.Compare(a.Start, b.Start) }) {
		switch n := len(merged); {
		case !heavy(s.Kind):
		case n > 0 && s.Start <= merged[n-1].End:
			merged[n-1].End = max(merged[n-1].End, s.End)
		default:
			merged = append(merged, s)
		}
	}
	return merged
}
