// The figures of a run as text: one list for the terminal, the page and its tables.

package report

import (
	"fmt"
	"math"
)

// A figure is one column of the comparison.
type figure struct {
	name, short string
	of          func(Run) float64 // NaN: has no meaning for this run
	format      func(float64) string
}

// figures returns the columns in reading order: cause, loss, wait, and what others felt.
func figures() []figure {
	whole := func(v float64) string { return Thousands(int(v)) }
	seconds := func(v float64) string { return Milliseconds(1000 * v) }
	return []figure{
		{"queries started", "queries", func(r Run) float64 { return float64(r.DBQueries) }, whole},
		{"queries completed", "done", func(r Run) float64 { return float64(r.DBQueriesCompleted) }, whole},
		{"responses lost", "lost", func(r Run) float64 { return float64(r.Timeouts + r.Errors) }, whole},
		{"median", "p50", func(r Run) float64 { return r.Latency.P50 }, Milliseconds},
		{"99 %", "p99", func(r Run) float64 { return r.Latency.P99 }, Milliseconds},
		{"last response", "total", func(r Run) float64 { return r.TotalS }, seconds},
		{"database busy", "db busy", func(r Run) float64 { return r.DBBusyS }, seconds},
		{"other pages, 99 %", "others p99", unrelatedP99, Milliseconds},
		{"other pages lost", "lost", unrelatedLost, whole},
	}
}

func unrelatedP99(r Run) float64 {
	if r.Unrelated == nil {
		return math.NaN()
	}
	return r.Unrelated.P99
}

func unrelatedLost(r Run) float64 {
	if r.UnrelatedErrors == nil {
		return math.NaN()
	}
	return float64(*r.UnrelatedErrors)
}

// median returns the figure of a run, "–" where it has no meaning.
func (f figure) median(r Run) string {
	v := f.of(r)
	if math.IsNaN(v) {
		return "–"
	}
	return f.format(v)
}

// spread returns the smallest and largest value of the repeats, "" when all read the same.
func (f figure) spread(r Run) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, repeat := range r.Repeats {
		v := f.of(repeat)
		low, high = min(low, v), max(high, v)
	}
	if len(r.Repeats) == 0 || math.IsNaN(low) || f.format(low) == f.format(high) {
		return ""
	}
	return fmt.Sprintf("%s – %s", f.format(low), f.format(high))
}
