// The time during which the database worked for what is under test.

package report

import (
	"cmp"
	"fmt"
	"slices"
)

// BusyMS returns for how long, in milliseconds, at least one of the counted queries ran.
func BusyMS(spans []Span, counted string) float64 {
	busy := 0.0
	for _, s := range busySpans(spans, counted) {
		busy += s.End - s.Start
	}
	return busy
}

// busyChart is one line: when one of the counted queries was running.
func busyChart(id string, run Run, x scale) chart {
	const height = 16
	c := chart{id: id, height: height, ticks: x.ticks(Milliseconds), bands: []bar{{0, 100, 0, height, "band", ""}}}
	for _, span := range busySpans(run.Sample.Spans, run.Counted) {
		left, width := x.span(span.Start, span.End)
		c.bars = append(c.bars, bar{left, width, 0, height, kindClass(span.Kind), ""})
	}
	c.title = fmt.Sprintf("Database busy with this: %s", Milliseconds(BusyMS(run.Sample.Spans, run.Counted)))
	c.desc = c.title
	return c
}

// busySpans merges overlapping counted queries into the stretches during which at least one ran.
func busySpans(spans []Span, counted string) []Span {
	var merged []Span
	for _, s := range slices.SortedFunc(slices.Values(spans), func(a, b Span) int { return cmp.Compare(a.Start, b.Start) }) {
		switch n := len(merged); {
		case s.Kind != counted && (counted != "" || !Heavy(s.Kind)):
		case n > 0 && s.Start <= merged[n-1].End:
			merged[n-1].End = max(merged[n-1].End, s.End)
		default:
			merged = append(merged, s)
		}
	}
	return merged
}
