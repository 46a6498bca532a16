// Database connections as shapes: one lane each, and the queue for them.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Heavy reports whether a query belongs to the page under test.
func Heavy(kind string) bool { return kind == "facets" || kind == "list" }

// kinds fixes the order of query kinds in legends; others are drawn as "other".
func kinds() []string { return []string{"facets", "list", "apartment", "other"} }

func kindClass(kind string) string {
	if slices.Contains(kinds(), kind) {
		return "q-" + kind
	}
	return "q-other"
}

// lanesChart draws one lane for every connection the processes may open, used or not: the empty
// ones are the point of the protected strategies.
func lanesChart(id string, run Run, x scale) chart {
	type connection struct{ process, pid int }
	lanes := map[connection]int{}
	used := make([]int, run.Pods+1)
	spans := slices.SortedStableFunc(slices.Values(run.Sample.Spans), func(a, b Span) int {
		return cmp.Compare(a.Start, b.Start)
	})
	const tallest, space = 8.0, 6.0
	row := min(220/float64(max(run.Pods*run.Pool, 1)), tallest)
	top := func(process int) float64 { return float64(process-1) * (float64(run.Pool)*row + space) }

	c := chart{
		id:     id,
		height: top(run.Pods+1) - space,
		title:  fmt.Sprintf("%s, one lane each: who held it, and when", count(run.Pods*run.Pool, "database connection", "database connections")),
		ticks:  x.ticks(Milliseconds),
	}
	for p := 1; p <= run.Pods; p++ {
		c.bands = append(c.bands, bar{0, 100, top(p), float64(run.Pool) * row, "band", ""})
		c.guides = append(c.guides, guide{top(p), fmt.Sprintf("process %d", p)})
	}
	for _, s := range spans {
		if s.End < x.from || s.Start > x.to || s.Process < 1 || s.Process > run.Pods {
			continue
		}
		key := connection{s.Process, s.PID}
		lane, known := lanes[key]
		if !known {
			lane = used[s.Process] % run.Pool // a connection that was replaced gives its lane to the next
			lanes[key] = lane
			used[s.Process]++
		}
		left, width := x.span(s.Start, s.End)
		b := bar{left, width, top(s.Process) + float64(lane)*row, row * 0.8, kindClass(s.Kind), ""}
		if len(spans) <= herdLimit { // thousands of tips would only make the file large
			b.tip = fmt.Sprintf("process %d, connection %d: %s for %s", s.Process, s.PID, s.Kind, Milliseconds(s.End-s.Start))
		}
		c.bars = append(c.bars, b)
	}
	c.events(run.Sample, x, false)
	c.desc = fmt.Sprintf("%d of %d connections were used.", len(lanes), run.Pods*run.Pool)
	return c
}

// queueChart draws connections in use and, on top of them, requests waiting for one.
func queueChart(id string, run Run, x scale) chart {
	const height = 96
	limit := run.Pods * run.Pool
	moments := poolMoments(run.Sample.Pools)
	top, waiting, longest := limit, 0, 0.0
	for _, m := range moments {
		top = max(top, m.InUse+m.Waiting)
		if m.Waiting > waiting {
			waiting, longest = m.Waiting, m.At
		}
	}
	y := func(n int) float64 { return height * (1 - float64(n)/float64(max(top, 1))) }
	c := chart{
		id: id, height: height, ticks: x.ticks(Milliseconds),
		title:  "Connections in use and, above them, requests waiting for one",
		desc:   "Nobody waited for a connection whenever the pools were looked at.",
		guides: []guide{{y(limit), fmt.Sprintf("pool: %d × %d", run.Pods, run.Pool)}},
	}
	if waiting > 0 {
		c.desc = fmt.Sprintf("The longest queue was %s, at %s.", count(waiting, "request", "requests"), Milliseconds(longest))
		if y(top) < y(limit)-14 {
			c.guides = append(c.guides, guide{y(top), fmt.Sprintf("%d waiting", waiting)})
		}
	}
	c.events(run.Sample, x, false)
	c.curves = []curve{
		{steps(moments, x, height, y, func(p Pool) int { return p.InUse + p.Waiting }), "waiting", true},
		{steps(moments, x, height, y, func(p Pool) int { return p.InUse }), "in-use", true},
	}
	return c
}

// poolMoments adds up the processes' pools, moment by moment.
func poolMoments(pools []Pool) []Pool {
	var moments []Pool
	for _, p := range slices.SortedStableFunc(slices.Values(pools), func(a, b Pool) int { return cmp.Compare(a.At, b.At) }) {
		if n := len(moments); n == 0 || moments[n-1].At != p.At {
			moments = append(moments, Pool{At: p.At})
		}
		last := &moments[len(moments)-1]
		last.InUse += p.InUse
		last.Waiting += p.Waiting
	}
	return moments
}

// steps traces a figure as a staircase that returns to the ground at both ends.
func steps(moments []Pool, x scale, ground float64, y func(int) float64, figure func(Pool) int) string {
	var b strings.Builder
	at, level := x.from, ground
	point := func(t, y float64) { fmt.Fprintf(&b, "%s,%s ", trim(10*x.at(t), 1), trim(y, 1)) }
	point(at, ground)
	for _, m := range moments {
		if next := y(figure(m)); next != level {
			point(m.At, level)
			point(m.At, next)
			level = next
		}
		at = m.At
	}
	point(at, level)
	point(at, ground)
	return strings.TrimSpace(b.String())
}
