// A scenario's own pictures: histograms and lines, one beneath the other on the same axes.

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A plotView is a Chart arranged for reading.
type plotView struct {
	Chart
	series []chart
	head   []string // of the table that says the same
	rows   [][]string
}

func newPlotView(id string, c Chart) plotView {
	v := plotView{Chart: c, head: []string{c.X}}
	from, to, top := extent(c)
	x := scale{from, to}
	for i, s := range c.Series {
		v.series = append(v.series, seriesChart(fmt.Sprintf("%s-%d", id, i+1), c, i, x, top))
		v.head = append(v.head, s.Name)
	}
	v.rows = plotRows(c)
	return v
}

// extent returns the ranges of both axes; they are never empty.
func extent(c Chart) (from, to, top float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, s := range c.Series {
		for i, p := range s.Points {
			from, to, top = min(from, p.X), max(to, p.X), max(top, p.Y)
			if c.Kind == Bars {
				to = max(to, s.end(i))
			}
		}
	}
	if to <= from {
		from, to = min(from, 0), max(to, 1)
	}
	if math.IsInf(from, 0) {
		from, to = 0, 1
	}
	return from, to, max(top, 1e-9)
}

func seriesChart(id string, c Chart, i int, x scale, top float64) chart {
	const height = 96
	s := c.Series[i]
	d := chart{id: id, height: height, title: s.Name, ticks: x.ticks(number), guides: []guide{{0, number(top) + " " + c.Y}, {height / 2, number(top / 2)}}}
	class := "series-other"
	if i < 2 {
		class = fmt.Sprintf("series-%d", i+1)
	}
	highest := Point{Y: math.Inf(-1)}
	var line strings.Builder
	for j, p := range s.Points {
		if p.Y > highest.Y {
			highest = p
		}
		up := height * p.Y / top
		if c.Kind == Line {
			fmt.Fprintf(&line, "%s,%s ", trim(10*x.at(p.X), 1), trim(height-up, 1))
			continue
		}
		if p.Y > 0 {
			left, width := x.span(p.X, s.end(j))
			d.bars = append(d.bars, bar{left, width, height - max(up, 1), max(up, 1), class, fmt.Sprintf("%s %s at %s %s", number(p.Y), c.Y, number(p.X), c.X)})
		}
	}
	if c.Kind == Line {
		d.curves = []curve{{points: strings.TrimSpace(line.String()), class: class}}
	}
	d.desc = "Nothing was recorded."
	if len(s.Points) > 0 {
		d.desc = fmt.Sprintf("At most %s %s, at %s %s.", number(highest.Y), c.Y, number(highest.X), c.X)
	}
	return d
}

// end is where the bar of a point ends: at the next one; the last is as wide as the one before.
func (s Series) end(i int) float64 {
	switch {
	case i+1 < len(s.Points):
		return s.Points[i+1].X
	case i > 0:
		return 2*s.Points[i].X - s.Points[i-1].X
	default:
		return s.Points[i].X + 1
	}
}

// plotRows has a row for every x at which any series has a value other than 0.
func plotRows(c Chart) [][]string {
	at := map[float64][]string{}
	var order []float64
	for i, s := range c.Series {
		for _, p := range s.Points {
			if p.Y == 0 {
				continue
			}
			if at[p.X] == nil {
				at[p.X] = make([]string, len(c.Series))
				order = append(order, p.X)
			}
			at[p.X][i] = number(p.Y)
		}
	}
	slices.Sort(order)
	rows := make([][]string, 0, len(order))
	for _, x := range order {
		row := []string{number(x)}
		for _, value := range at[x] {
			if value == "" {
				value = "0"
			}
			row = append(row, value)
		}
		rows = append(rows, row)
	}
	return rows
}

// number writes a figure with as many digits as it deserves.
func number(v float64) string {
	if math.Abs(v) >= 100 {
		return whole(math.Round(v))
	}
	return trim(v, 2)
}
