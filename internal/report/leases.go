// The life of the lease: one line for each process, with what happened to it there.

package report

import (
	"cmp"
	"fmt"
	"slices"
)

// leasesChart marks what the processes counted. What happens nearly at once in one process is one mark with a number.
func leasesChart(id string, run Run, x scale) chart {
	const row, space, near = 15.0, 3.0, 1.0 // near: percent
	c := chart{id: id, height: float64(run.Pods)*(row+space) - space, ticks: x.ticks(Milliseconds), title: "The lease: who got it, who found it taken"}
	for p := range run.Pods {
		top := float64(p) * (row + space)
		c.bands = append(c.bands, bar{0, 100, top, row, "band", ""})
		c.guides = append(c.guides, guide{top, fmt.Sprintf("process %d", p+1)})
	}
	type group struct {
		Lease
		n int
	}
	var groups []group
	for _, l := range slices.SortedStableFunc(slices.Values(run.Sample.Leases), func(a, b Lease) int { return cmp.Compare(a.At, b.At) }) {
		i := slices.IndexFunc(groups, func(g group) bool {
			return g.Process == l.Process && g.Event == l.Event && x.at(l.At)-x.at(g.At) < near
		})
		if i < 0 {
			groups = append(groups, group{l, 1})
		} else {
			groups[i].n++
		}
	}
	free := make([]float64, run.Pods+1) // from where a label of that process has room
	totals := map[string]int{}
	var order []string
	for _, g := range groups {
		if totals[g.Event] == 0 {
			order = append(order, g.Event)
		}
		totals[g.Event] += g.n
		if g.Process < 1 || g.Process > run.Pods || g.At > x.to {
			continue
		}
		left, top := x.at(g.At), float64(g.Process-1)*(row+space)
		name := g.Event
		if g.n > 1 {
			name = fmt.Sprintf("%s ×%d", g.Event, g.n)
		}
		c.bars = append(c.bars, bar{left, 0.5, top, row, leaseClass(g.Event), fmt.Sprintf("process %d, %s: lease %s", g.Process, Milliseconds(g.At), name)})
		if left >= free[g.Process] && left < 80 {
			c.labels = append(c.labels, label{left + 0.8, top + row - 4, name})
			free[g.Process] = left + 5 + float64(len(name)) // percent: enough for a laptop
		}
	}
	c.desc = "No lease was taken."
	if len(order) > 0 {
		c.desc = "Events of the lease:"
		for i, event := range order {
			if i > 0 {
				c.desc += ","
			}
			c.desc += fmt.Sprintf(" %s %d ×", event, totals[event])
		}
		c.desc += "."
	}
	c.events(run.Sample, x, false)
	return c
}

// leaseClass gives good news, bad news and the rest a colour each; the word stands beside it.
func leaseClass(event string) string {
	switch event {
	case "acquired", "committed", "renewed":
		return "l-good"
	case "lost", "fenced", "takeover":
		return "l-bad"
	default:
		return "l-other"
	}
}
