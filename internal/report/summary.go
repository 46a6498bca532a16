// From many requests to percentiles, and from several repeats to one run.

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Percentile returns the nearest-rank percentile p (0 … 100) of sorted values, 0 for none.
// Nearest rank gives a value that was really measured; interpolation would invent one.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Latencies returns the sorted latencies of requests, in milliseconds.
func Latencies(requests []Request) []float64 {
	ms := make([]float64, len(requests))
	for i, r := range requests {
		ms[i] = r.Latency()
	}
	slices.Sort(ms)
	return ms
}

// NewLatency returns the percentiles of sorted latencies.
func NewLatency(sorted []float64) Latency {
	return Latency{
		P50: Percentile(sorted, 50),
		P90: Percentile(sorted, 90),
		P99: Percentile(sorted, 99),
		Max: Percentile(sorted, 100),
	}
}

// Median returns the middle of values, the lower one of two.
func Median[T cmp.Ordered](values []T) T {
	if len(values) == 0 {
		var zero T
		return zero
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// Merge makes one run out of the repeats of a strategy: every figure is the median over the repeats,
// so that no figure depends on which repeat was lucky. The repeats stay attached.
func Merge(repeats []Run) Run {
	if len(repeats) == 0 {
		return Run{}
	}
	run := repeats[0] // strategy, pods, pool and requests are the same in all
	run.Sample = nil
	run.Notes = nil
	run.Runs = len(repeats)
	run.Repeats = repeats

	run.OK = median(repeats, func(r Run) int { return r.OK })
	run.Timeouts = median(repeats, func(r Run) int { return r.Timeouts })
	run.Errors = median(repeats, func(r Run) int { return r.Errors })
	run.DBQueries = median(repeats, func(r Run) int { return r.DBQueries })
	run.DBQueriesCompleted = median(repeats, func(r Run) int { return r.DBQueriesCompleted })
	run.DBActivePeak = median(repeats, func(r Run) int { return r.DBActivePeak })
	run.DBBusyS = median(repeats, func(r Run) float64 { return r.DBBusyS })
	run.TotalS = median(repeats, func(r Run) float64 { return r.TotalS })
	run.SingleQueryMS = median(repeats, func(r Run) float64 { return r.SingleQueryMS })
	run.Status = medians(repeats, func(r Run) map[string]int { return r.Status })
	run.Queries = medians(repeats, func(r Run) map[string]int { return r.Queries })
	run.Latency = mergeLatency(repeats, func(r Run) Latency { return r.Latency })
	if run.Unrelated != nil {
		l := mergeLatency(repeats, func(r Run) Latency { return *r.Unrelated })
		run.Unrelated = &l
	}
	if run.UnrelatedErrors != nil {
		n := median(repeats, func(r Run) int { return *r.UnrelatedErrors })
		run.UnrelatedErrors = &n
	}
	run.Measures = nil
	for _, m := range repeats[0].Measures {
		m.Value = median(repeats, func(r Run) float64 { return r.Measure(m.Name) })
		run.Measures = append(run.Measures, m)
	}
	if run.TakeoverMS != nil {
		ms := median(repeats, func(r Run) float64 { return *r.TakeoverMS })
		run.TakeoverMS = &ms
	}
	if run.StaleServed != nil {
		n := median(repeats, func(r Run) int { return *r.StaleServed })
		run.StaleServed = &n
	}
	run.Generator = worstGenerator(repeats)
	for _, r := range repeats {
		for _, note := range r.Notes {
			if !slices.Contains(run.Notes, note) {
				run.Notes = append(run.Notes, note)
			}
		}
	}
	return run
}

func median[T cmp.Ordered](repeats []Run, figure func(Run) T) T {
	values := make([]T, len(repeats))
	for i, r := range repeats {
		values[i] = figure(r)
	}
	return Median(values)
}

func medians(repeats []Run, figures func(Run) map[string]int) map[string]int {
	merged := map[string]int{}
	for _, r := range repeats {
		for name := range figures(r) {
			merged[name] = median(repeats, func(r Run) int { return figures(r)[name] })
		}
	}
	return merged
}

func mergeLatency(repeats []Run, of func(Run) Latency) Latency {
	return Latency{
		P50: median(repeats, func(r Run) float64 { return of(r).P50 }),
		P90: median(repeats, func(r Run) float64 { return of(r).P90 }),
		P99: median(repeats, func(r Run) float64 { return of(r).P99 }),
		Max: median(repeats, func(r Run) float64 { return of(r).Max }),
	}
}

// worstGenerator takes the worst of each figure: one repeat with a late generator spoils the run.
func worstGenerator(repeats []Run) Generator {
	worst := Generator{KeptUp: true}
	for _, r := range repeats {
		worst.CPUShare = max(worst.CPUShare, r.Generator.CPUShare)
		worst.LateP99MS = max(worst.LateP99MS, r.Generator.LateP99MS)
		worst.LateMaxMS = max(worst.LateMaxMS, r.Generator.LateMaxMS)
		worst.KeptUp = worst.KeptUp && r.Generator.KeptUp
	}
	return worst
}

// typical returns the repeat that is drawn: the middle one by what its visitors lost and waited.
func typical(run Run) Run {
	if len(run.Repeats) == 0 {
		return run
	}
	sorted := slices.SortedStableFunc(slices.Values(run.Repeats), func(a, b Run) int {
		return cmp.Or(cmp.Compare(a.Timeouts+a.Errors, b.Timeouts+b.Errors),
			cmp.Compare(a.Latency.P99, b.Latency.P99), cmp.Compare(a.DBBusyS, b.DBBusyS))
	})
	return sorted[(len(sorted)-1)/2]
}

// protected reports whether a strategy coordinates its loads.
func protected(strategy string) bool { return strategy != "off" && strategy != "aside" }

// Summarise counts what the visitors got.
func Summarise(hot, other []Request) Run {
	r := Run{Requests: len(hot), Status: map[string]int{}}
	first, last := 0.0, 0.0
	for i, q := range hot {
		if i == 0 || q.Start < first {
			first = q.Start
		}
		last = max(last, q.End)
		switch q.Outcome {
		case Timeout:
			r.Timeouts++
		case Error, Shed:
			r.Errors++
		default:
			r.OK++
		}
		if q.Status != 0 {
			r.Status[fmt.Sprint(q.Status)]++
		}
	}
	r.TotalS = (last - first) / 1000
	r.Latency = NewLatency(Latencies(hot))
	if len(other) == 0 {
		return r
	}
	unrelated, lost := NewLatency(Latencies(other)), 0
	for _, q := range other {
		if q.Outcome == Timeout || q.Outcome == Error || q.Outcome == Shed {
			lost++
		}
	}
	r.Unrelated, r.UnrelatedErrors = &unrelated, &lost
	return r
}
