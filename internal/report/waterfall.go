// Requests as shapes: the waterfall of a herd, and upright bars for arrivals spread over time.

package report

import (
	"cmp"
	"fmt"
	"slices"
)

// herdLimit is the number of requests up to which each gets a row of its own.
const herdLimit = 1000

// timeline is the horizontal scale of a recording: from just before the key expires until the last
// visitor has left and the last query has ended.
func timeline(s *Sample) scale {
	if overTime(s) {
		return scale{s.From, s.To}
	}
	end := 1.0
	for _, r := range s.Requests {
		end = max(end, r.End)
	}
	for _, q := range s.Spans {
		if Heavy(q.Kind) {
			end = max(end, q.End)
		}
	}
	for _, e := range s.Events {
		end = max(end, e.At)
	}
	return stackScale(end)
}

// overTime reports whether the requests arrive over time rather than together.
func overTime(s *Sample) bool {
	first, last := arrivals(s.Requests)
	return last-first > s.TimeoutMS
}

func arrivals(requests []Request) (first, last float64) {
	if len(requests) == 0 {
		return 0, 0
	}
	first, last = requests[0].Start, requests[0].Start
	for _, r := range requests {
		first, last = min(first, r.Start), max(last, r.Start)
	}
	return first, last
}

// requestsChart draws the requests under test; slowest is the latency that the tallest upright bar stands for.
func requestsChart(id string, s *Sample, x scale, slowest, height float64) chart {
	c := uprights(s.Requests, slowest, x, height)
	herd := !overTime(s) && len(s.Requests) <= herdLimit
	if herd {
		c = waterfall(s.Requests, x, height)
	}
	c.id = id
	c.title = fmt.Sprintf("%s, one bar each", count(len(s.Requests), "request", "requests"))
	if len(s.Requests) > herdLimit {
		c.title = fmt.Sprintf("%s, the slowest of each moment", count(len(s.Requests), "request", "requests"))
	}
	c.desc = outcomesInWords(s.Requests)
	c.ticks = x.ticks(Milliseconds)
	c.events(s, x, true)
	if herd && s.TimeoutMS < x.to {
		c.mark(x.at(s.TimeoutMS), "clients give up")
	}
	return c
}

// waterfall gives each request a row; the first to leave is on top.
func waterfall(requests []Request, x scale, height float64) chart {
	sorted := slices.SortedStableFunc(slices.Values(requests), func(a, b Request) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.Process, b.Process))
	})
	row := rowHeight(len(sorted), height)
	c := chart{height: row * float64(len(sorted))}
	c.bars, c.segments = rows(sorted, 0, row, x)
	return c
}

// rowHeight is that of one request where so many share the height.
func rowHeight(n int, height float64) float64 {
	const tallest = 9
	return min(height/float64(max(n, 1)), tallest)
}

// phaseRow is the least height of a row that shows phases.
const phaseRow = 4

// rows draws the requests from a number on, each in its row, with its phases as a stripe if there is room.
func rows(requests []Request, from int, row float64, x scale) (bars, segments []bar) {
	for i, r := range requests[from:] {
		i += from
		left, width := x.span(r.Start, r.End)
		top := float64(i) * row
		bars = append(bars, bar{left, width, top, row * 0.82, r.Outcome.class(), tip(i+1, r)})
		if row < phaseRow {
			continue
		}
		for _, p := range parts(r) {
			left, width := x.at(p.from), x.at(p.to)-x.at(p.from)
			if width > 0 {
				segments = append(segments, bar{left, width, top + row*0.45, row * 0.37, p.phase.class, ""})
			}
		}
	}
	return bars, segments
}

// slowest is the longest that anybody waited in a scenario, so that its upright bars can be compared with each other.
func slowest(runs []Run) float64 {
	top := 0.0
	for _, r := range runs {
		if r.Sample != nil {
			for _, q := range slices.Concat(r.Sample.Requests, r.Sample.Unrelated) {
				top = max(top, q.Latency())
			}
		}
	}
	return top
}

// uprights puts each request at its arrival; the height is how long it waited, top being the tallest. Of more than
// herdLimit only the slowest of each outcome is drawn at each place: the others would hide behind it.
func uprights(requests []Request, top float64, x scale, height float64) chart {
	const width = 0.16
	c := chart{height: height}
	type place struct {
		at      int
		outcome Outcome
	}
	drawn := map[place]int{} // index into bars
	for i, r := range requests {
		h := max(height*r.Latency()/max(top, 1e-9), 1)
		b := bar{x: x.at(r.Start), w: width, y: height - h, h: h, class: r.Outcome.class()}
		if len(requests) <= herdLimit {
			b.tip = tip(i+1, r)
			c.bars = append(c.bars, b)
			continue
		}
		at := place{int(b.x / width), r.Outcome}
		if known, taken := drawn[at]; !taken {
			drawn[at] = len(c.bars)
			c.bars = append(c.bars, b)
		} else if h > c.bars[known].h {
			c.bars[known] = b
		}
	}
	if top > 0 {
		c.guides = []guide{{0, Milliseconds(top)}, {height / 2, Milliseconds(top / 2)}}
	}
	return c
}

// unrelatedChart draws what visitors of other pages felt meanwhile.
func unrelatedChart(id string, s *Sample, x scale, slowest float64) chart {
	var inView []Request
	for _, r := range s.Unrelated {
		if r.Start >= x.from && r.Start <= x.to {
			inView = append(inView, r)
		}
	}
	c := uprights(inView, slowest, x, 72)
	c.id = id
	c.title = fmt.Sprintf("%s for other pages, by how long they waited", count(len(inView), "request", "requests"))
	c.desc = outcomesInWords(inView)
	c.ticks = x.ticks(Milliseconds)
	c.events(s, x, false)
	return c
}

func tip(number int, r Request) string {
	text := fmt.Sprintf("#%d, process %d: %s after %s", number, r.Process, r.Outcome.Label(), Milliseconds(r.Latency()))
	if r.Error != "" {
		text += " (" + r.Error + ")"
	}
	if words := phasesInWords(r); words != "" {
		text += ": " + words
	}
	return text
}

// outcomeCounts counts requests by outcome, in the order of the legend, leaving out the absent.
func outcomeCounts(requests []Request) (present []Outcome, counts map[Outcome]int) {
	counts = map[Outcome]int{}
	for _, r := range requests {
		counts[r.Outcome]++
	}
	for _, o := range outcomes() {
		if counts[o] > 0 {
			present = append(present, o)
		}
	}
	return present, counts
}

func outcomesInWords(requests []Request) string {
	present, counts := outcomeCounts(requests)
	text := ""
	for i, o := range present {
		if i > 0 {
			text += ", "
		}
		text += Thousands(counts[o]) + " " + o.Label()
	}
	return text
}
