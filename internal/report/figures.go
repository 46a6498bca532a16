// The figures of a run as text: one list for the terminal, the page and its tables.

package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A figure is one column of the comparison.
type figure struct {
	name, short string
	of          func(Run) float64 // NaN: has no meaning for this run
	format      func(float64) string
}

// figures returns the columns that scenarios share in reading order: cause, loss, wait, and what others felt.
func figures() []figure {
	seconds := func(v float64) string { return Milliseconds(1000 * v) }
	return []figure{
		{"queries started", "queries", where(hasQueries, func(r Run) float64 { return float64(r.DBQueries) }), whole},
		{"queries completed", "done", where(hasQueries, func(r Run) float64 { return float64(r.DBQueriesCompleted) }), whole},
		{"responses lost", "lost", where(hasRequests, func(r Run) float64 { return float64(r.Timeouts + r.Errors) }), whole},
		{"median", "p50", where(hasRequests, func(r Run) float64 { return r.Latency.P50 }), Milliseconds},
		{"99 %", "p99", where(hasRequests, func(r Run) float64 { return r.Latency.P99 }), Milliseconds},
		{"last response", "total", where(hasRequests, func(r Run) float64 { return r.TotalS }), seconds},
		{"database busy", "db busy", where(wasBusy, func(r Run) float64 { return r.DBBusyS }), seconds},
		{"other pages, 99 %", "others p99", where(hasOthers, func(r Run) float64 { return r.Unrelated.P99 }), Milliseconds},
		{"other pages lost", "lost", where(countsOthers, func(r Run) float64 { return float64(*r.UnrelatedErrors) }), whole},
	}
}

// columns returns the figures that have a meaning for a scenario: of the shared ones, and its own.
func columns(s Scenario) []figure {
	var all []figure
	for _, f := range figures() {
		if slices.ContainsFunc(s.Runs, func(r Run) bool { return !math.IsNaN(f.of(r)) }) {
			all = append(all, f)
		}
	}
	return append(all, measures(s)...)
}

// measures returns the scenario's own figures, in the order in which its runs bring them.
func measures(s Scenario) []figure {
	var all []figure
	for _, r := range s.Runs {
		for _, m := range r.Measures {
			if !slices.ContainsFunc(all, func(f figure) bool { return f.name == m.Name }) {
				all = append(all, figure{m.Name, m.Name, func(r Run) float64 { return r.Measure(m.Name) }, func(v float64) string { return inUnit(v, m.Unit) }})
			}
		}
	}
	return all
}

// inUnit writes a measure.
func inUnit(v float64, unit string) string {
	switch {
	case unit == "ms":
		return Milliseconds(v)
	case v == math.Trunc(v) || math.Abs(v) >= 100:
		return strings.TrimSpace(whole(math.Round(v)) + " " + unit)
	default:
		return strings.TrimSpace(strconv.FormatFloat(v, 'g', 2, 64) + " " + unit)
	}
}

func whole(v float64) string { return Thousands(int(v)) }

// where is a figure of the runs in which it has a meaning.
func where(meant func(Run) bool, of func(Run) float64) func(Run) float64 {
	return func(r Run) float64 {
		if !meant(r) {
			return math.NaN()
		}
		return of(r)
	}
}

func hasQueries(r Run) bool   { return len(r.Queries) > 0 } // else nobody counted them
func hasRequests(r Run) bool  { return r.Requests > 0 }
func wasBusy(r Run) bool      { return r.DBBusyS > 0 } // else no query was seen in PostgreSQL
func hasOthers(r Run) bool    { return r.Unrelated != nil }
func countsOthers(r Run) bool { return r.UnrelatedErrors != nil }

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
