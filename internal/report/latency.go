// Latencies as shapes: the percentile curve and the histogram, both on logarithmic scales.

package report

import (
	"fmt"
	"math"
	"strings"
)

// The range of latencies that the logarithmic axes show.
const (
	shortestMS = 1.0
	longestMS  = 10_000.0
)

// logScale is a scale over the decades from shortestMS to longestMS.
func logScale() scale { return scale{math.Log10(shortestMS), math.Log10(longestMS)} }

func decades(s scale) []float64 {
	var at []float64
	for d := s.from; d <= s.to; d++ {
		at = append(at, d)
	}
	return at
}

// percentileChart draws run's latencies by percentile, with the scenario's other strategies faintly
// behind it. Each step to the right leaves a tenth of the requests: 90, 99, 99.9 are equally wide.
func percentileChart(id string, run Run, others []Run) chart {
	const height = 200
	values := Latencies(run.Sample.Requests)
	x := scale{0, math.Log10(float64(max(len(values), 10)))}
	c := chart{id: id, height: height, title: "Latency by percentile, both axes logarithmic"}
	for _, other := range others {
		c.curves = append(c.curves, curve{points: percentileCurve(Latencies(other.Sample.Requests), x, height), class: "faint"})
	}
	c.curves = append(c.curves, curve{points: percentileCurve(values, x, height), class: "strong"})
	for _, p := range []float64{0, 50, 90, 99, 99.9} {
		if at := math.Log10(100 / (100 - p)); at <= x.to {
			c.ticks = append(c.ticks, tick{x.at(at), "p" + trim(p, 1)})
		}
	}
	y := logScale()
	for _, d := range decades(y) {
		c.guides = append(c.guides, guide{height * (1 - y.at(d)/100), Milliseconds(math.Pow(10, d))})
	}
	l := NewLatency(values)
	c.desc = fmt.Sprintf("Half within %s, 90 %% within %s, 99 %% within %s, the slowest %s.",
		Milliseconds(l.P50), Milliseconds(l.P90), Milliseconds(l.P99), Milliseconds(l.Max))
	return c
}

func percentileCurve(sorted []float64, x scale, height float64) string {
	var b strings.Builder
	y := logScale()
	last := ""
	for i, ms := range sorted {
		beyond := float64(len(sorted)-i) / float64(len(sorted)) // share of requests at least this slow
		point := trim(10*x.at(-math.Log10(beyond)), 0) + "," + trim(height*(1-y.at(math.Log10(max(ms, shortestMS)))/100), 0) + " "
		if point != last { // thousands of requests share a few hundred points
			b.WriteString(point)
		}
		last = point
	}
	return strings.TrimSpace(b.String())
}

// histogramChart counts requests by latency. Hits and misses are two humps, which a mean would hide.
func histogramChart(id string, run Run) chart {
	const height, perDecade = 200, 10
	x := logScale()
	bins := int(x.to-x.from) * perDecade
	answered, lost := make([]int, bins), make([]int, bins)
	for _, r := range run.Sample.Requests {
		at := x.at(math.Log10(max(r.Latency(), shortestMS))) / 100
		bin := min(int(at*float64(bins)), bins-1)
		if r.Outcome.lost() {
			lost[bin]++
		} else {
			answered[bin]++
		}
	}
	tallest := 1
	for i := range bins {
		tallest = max(tallest, answered[i]+lost[i])
	}
	c := chart{id: id, height: height, title: "Histogram of latencies", desc: "How many requests took how long; see the table."}
	c.guides = []guide{{0, Thousands(tallest)}}
	for _, d := range decades(x) {
		c.ticks = append(c.ticks, tick{x.at(d), Milliseconds(math.Pow(10, d))})
	}
	width := 100 / float64(bins)
	for i := range bins {
		left := float64(i) * width
		up := height * float64(answered[i]) / float64(tallest)
		down := height * float64(lost[i]) / float64(tallest)
		from, to := math.Pow(10, x.from+float64(i)/perDecade), math.Pow(10, x.from+float64(i+1)/perDecade)
		between := fmt.Sprintf("between %s and %s", Milliseconds(from), Milliseconds(to))
		if answered[i] > 0 {
			c.bars = append(c.bars, bar{left, width * 0.9, height - up, up, "answered", fmt.Sprintf("%d answered %s", answered[i], between)})
		}
		if lost[i] > 0 {
			c.bars = append(c.bars, bar{left, width * 0.9, height - up - down, down, Timeout.class(), fmt.Sprintf("%d lost %s", lost[i], between)})
		}
	}
	return c
}
