// What the race showed, and what each strategy promises about it.

package main

import (
	"fmt"
	"slices"
	"time"

	"podbor/internal/report"
)

// messageP99 is how soon the other processes hear of an edit, 99 times in 100.
const messageP99 = 20 * time.Millisecond

// The measures of measureRace. Each counts what one process showed of one edit.
const (
	edits       = "edits"
	oldWriter   = "old after the acknowledgement, in the process that edited"
	oldOthers   = "old after the acknowledgement, in the others"
	oldAgain    = "old again after the edit had been shown"
	oldStuck    = "old until the TTL"
	oldOtherP99 = "old in the others, 99 % of all edits within"
	oldSeenP50  = "old in the others, where it was seen, half within"
	oldSeenP99  = "old in the others, where it was seen, 99 % within"
	oldOtherMax = "old in the others, at most"
)

func measureRace(seen []sighting) []report.Measure {
	var wrote, writer, others, again, stuck float64
	var lasted, where []float64 // in the other processes, report.MS; everywhere, and where an old value was seen
	for _, s := range seen {
		old := s.old > 0
		switch {
		case s.wrote:
			wrote++
			writer += one(old)
		default:
			others += one(old)
			lasted = append(lasted, report.MS(s.old))
			if old {
				where = append(where, report.MS(s.old))
			}
		}
		again += one(s.again)
		stuck += one(s.stuck)
	}
	slices.Sort(lasted)
	slices.Sort(where)
	return []report.Measure{
		{Name: edits, Value: wrote},
		{Name: oldWriter, Value: writer},
		{Name: oldOthers, Value: others},
		{Name: oldAgain, Value: again},
		{Name: oldStuck, Value: stuck},
		{Name: oldOtherP99, Value: report.Percentile(lasted, 99), Unit: "ms"},
		{Name: oldSeenP50, Value: report.Percentile(where, 50), Unit: "ms"},
		{Name: oldSeenP99, Value: report.Percentile(where, 99), Unit: "ms"},
		{Name: oldOtherMax, Value: report.Percentile(lasted, 100), Unit: "ms"},
	}
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func raceChecks(runs []report.Run) []report.Check {
	var c checks
	for _, r := range runs {
		if unprotected(r.Strategy) {
			c.moreThan(r, oldWriter, measure(oldWriter), 0)
			c.moreThan(r, oldOthers, measure(oldOthers), 0)
			c.moreThan(r, oldStuck, measure(oldStuck), 0)
			continue
		}
		c.exactly(r, oldWriter, measure(oldWriter), 0)
		c.exactly(r, oldAgain, measure(oldAgain), 0)
		c.exactly(r, oldStuck, measure(oldStuck), 0)
		if r.Strategy == "lock" {
			c.exactly(r, oldOthers, measure(oldOthers), 0)
			continue
		}
		limit := report.MS(messageP99)
		c.add(r.Strategy+": "+oldOtherP99, each(r, measure(oldOtherP99), ms), "< "+ms(limit),
			all(r, func(r report.Run) bool { return r.Measure(oldOtherP99) < limit }))
	}
	c.bothKinds(runs)
	return c.list
}

func raceStory(r report.Run) string {
	s := fmt.Sprintf("%s edits. The process that edited showed the old value after %s of them, the other processes did %s times. ",
		count(r.Measure(edits)), count(r.Measure(oldWriter)), count(r.Measure(oldOthers)))
	if n := r.Measure(oldStuck); n > 0 {
		s += fmt.Sprintf("%s of these would have lasted until the TTL: somebody had loaded before the edit and stored after it.", count(n))
		return s
	}
	if r.Measure(oldOthers) > 0 {
		s += fmt.Sprintf("That was until they had heard of the edit: half of these within %s, the slowest within %s of the acknowledgement. ", ms(r.Measure(oldSeenP50)), ms(r.Measure(oldOtherMax)))
	}
	return s + fmt.Sprintf("The old value came back %s times.", count(r.Measure(oldAgain)))
}
