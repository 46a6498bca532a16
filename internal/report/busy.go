// The time during which the database worked for the page under test.

package report

import (
	"cmp"
	"fmt"
	"slices"
)

// BusyMS returns for how long, in milliseconds, at least one heavy query ran.
func BusyMS(spans []Span) float64 {
	busy := 0.0
	for _, s := range busySpans(spans) {
		busy += s.End - s.Start
	}
	return busy
}

// busyChart is one line: when a heavy query was running.
func busyChart(id string, s *Sample, x scale) chart {
	const height = 16
	c := chart{id: id, height: height, ticks: x.timeTicks(), bands: []bar{{0, 100, 0, height, "band", ""}}}
	for _, span := range busySpans(s.Spans) {
		left, width := x.span(span.Start, span.End)
		c.bars = append(c.bars, bar{left, width, 0, height, "q-facets", ""})
	}
	c.title = fmt.Sprintf("Database busy with this page: %s", Milliseconds(BusyMS(s.Spans)))
	c.desc = c.title
	return c
}

// busySpans merges overlapping heavy queries into the stretches during which at least one ran.
func busySpans(spans []Span) []Span {
	var merged []Span
	for _, s := range slices.SortedFunc(slices.Values(spans), func(a, b Span) int { return cmp.Compare(a.Start, b.Start) }) {
		switch n := len(merged); {
		case !Heavy(s.Kind):
		case n > 0 && s.Start <= merged[n-1].End:
			merged[n-1].End = max(merged[n-1].End, s.End)
		default:
			merged = append(merged, s)
		}
	}
	return merged
}
