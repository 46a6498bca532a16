// The drawing vocabulary: a chart is bars, areas and lines over one horizontal scale.
//
// Horizontal positions are percentages of the chart's width and vertical ones pixels, so that one
// drawing fits a phone and a projector, with its text at the same readable size on both.

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A chart is one SVG with a title, its axis and, in words, what it shows.
type chart struct {
	id     string
	title  string
	desc   string
	height float64
	bars   []bar
	bands  []bar // background, behind the bars
	curves []curve
	ticks  []tick
	guides []guide
	marks  []mark

	// Of a part of a stack only.
	part      string  // which
	segments  []bar   // over the bars
	labels    []label // beside the bars
	room      int     // rows of labels above it that are kept free
	rowHeight float64 // of a request, in pixels
	waitFrom  float64 // where those begin who are still waiting, in percent
}

// A label is text among the bars; x in percent, the base line y in pixels.
type label struct {
	x, y float64
	text string
}

// A bar is a rectangle; x and w in percent, y and h in pixels.
type bar struct {
	x, w, y, h float64
	class, tip string
}

// A curve is a line or, closed, an area; points are in a box of 1000 × height.
type curve struct {
	points string
	class  string
	closed bool
}

// A tick is a labelled position on the horizontal axis.
type tick struct {
	at    float64
	label string
}

// A mark is a moment; its label, if it has one, stands above the chart, in a row of its own if another is near.
type mark struct {
	tick
	row int
}

// A guide is a labelled horizontal line, y in pixels.
type guide struct {
	y     float64
	label string
}

// A scale maps from … to onto 0 … 100 %.
type scale struct{ from, to float64 }

func (s scale) at(v float64) float64 {
	return 100 * (min(max(v, s.from), s.to) - s.from) / (s.to - s.from)
}

// span returns a bar's x and width; even the shortest event stays visible.
func (s scale) span(from, to float64) (x, w float64) {
	const hairline = 0.15
	x = s.at(from)
	return x, max(s.at(to)-x, hairline)
}

// ticks returns about five round figures, as write writes them.
func (s scale) ticks(write func(float64) string) []tick {
	step := roundStep((s.to - s.from) / 5)
	var ticks []tick
	for v := math.Ceil(s.from/step) * step; v <= s.to; v += step {
		ticks = append(ticks, tick{s.at(v), write(v)})
	}
	return ticks
}

// roundStep returns the next of 1, 2, 5 × 10^k.
func roundStep(raw float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*unit {
			return m * unit
		}
	}
	return 10 * unit
}

// Milliseconds writes a duration the way people read it: 0, 8 ms, 150 ms, 3 s, 28.4 s.
func Milliseconds(ms float64) string {
	switch a := math.Abs(ms); {
	case a == 0:
		return "0"
	case a < 9.95:
		return trim(ms, 1) + " ms"
	case a < 999.5:
		return trim(ms, 0) + " ms"
	case a < 9995:
		return trim(ms/1000, 2) + " s"
	default:
		return trim(ms/1000, 1) + " s"
	}
}

// trim formats v with at most so many decimals and no trailing zeros.
func trim(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

func percent(v float64) string { return trim(v, 2) + "%" }
func pixels(v float64) string  { return trim(v, 2) }

// anchor keeps the labels at both ends inside the chart.
func (t tick) anchor() string {
	switch {
	case t.at < 4:
		return "start"
	case t.at > 92:
		return "end"
	default:
		return "middle"
	}
}

// count returns "1 query" or "12 queries".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", Thousands(n), many)
}

// Thousands writes n with separators: 12,345.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// labelRow is the height of one row of labels above a chart.
const labelRow = 16.0

// mark adds a labelled moment. The label goes into the lowest row that has room for it.
func (c *chart) mark(at float64, label string) {
	m := mark{tick: tick{at, label}}
	for slices.ContainsFunc(c.marks, func(other mark) bool { return other.row == m.row && m.touches(other) }) {
		m.row++
	}
	c.marks = append(c.marks, m)
}

// touches reports whether two labels in one row would overlap on a narrow screen.
func (m mark) touches(other mark) bool {
	const wide = 30 // percent
	left := func(m mark) float64 {
		if m.labelAnchor() == "end" {
			return m.at - wide
		}
		return m.at
	}
	return math.Abs(left(m)-left(other)) < wide
}

// events marks what was done to the system, with its name only where the reader looks first.
func (c *chart) events(s *Sample, x scale, named bool) {
	for _, e := range slices.SortedStableFunc(slices.Values(s.Events), func(a, b Event) int { return cmp.Compare(a.At, b.At) }) {
		if named {
			c.mark(x.at(e.At), e.Name)
		} else {
			c.marks = append(c.marks, mark{tick: tick{at: x.at(e.At)}})
		}
	}
}

// top is the room that the labels of marks take above the chart.
func (c chart) top() float64 {
	rows := c.room
	for _, m := range c.marks {
		if m.label != "" {
			rows = max(rows, m.row+1)
		}
	}
	return float64(rows) * labelRow
}

// line is where a mark's line begins: at its label, if it has one.
func (m mark) line() float64 {
	if m.label == "" {
		return 0
	}
	return -labelRow*float64(m.row) - 4
}

// A mark's label begins at its line, near the right edge it ends there.
func (m mark) labelAnchor() string {
	if m.at > 70 {
		return "end"
	}
	return "start"
}
