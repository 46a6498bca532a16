package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"podbor/internal/report"
)

// shown are two edits in three processes: of the first, one process showed the old value for 3 ms; of the second, one did until
// we stopped looking, and one again after it had shown the new one.
func shown() []sighting {
	return []sighting{
		{wrote: true}, {old: 3 * time.Millisecond}, {},
		{}, {old: 101 * time.Millisecond, stuck: true}, {wrote: true, old: time.Millisecond, again: true},
	}
}

func TestMeasureRace(t *testing.T) {
	r := report.Run{Measures: measureRace(shown())}
	for name, want := range map[string]float64{edits: 2, oldWriter: 1, oldOthers: 2, oldAgain: 1, oldStuck: 1, oldOtherP99: 101, oldSeenP50: 3, oldOtherMax: 101} {
		if got := r.Measure(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestOldHistogram(t *testing.T) {
	got := map[float64]float64{}
	for _, p := range oldHistogram(shown()) {
		if p.Y > 0 {
			got[p.X] = p.Y
		}
	}
	if len(got) != 3 || got[0] != 1 || got[2] != 1 || got[100] != 1 {
		t.Errorf("bars %v, want one each at 0, 2 and 100 ms", got)
	}
}

func TestEveryOldValueFailsItsCheck(t *testing.T) {
	of := func(strategy string, seen ...sighting) report.Run {
		return report.Merge([]report.Run{{Strategy: strategy, Measures: measureRace(seen)}})
	}
	soon, late := sighting{old: 3 * time.Millisecond}, sighting{old: 30 * time.Millisecond}
	good := map[string]report.Run{"aside": of("aside", shown()...), "lock": of("lock", sighting{wrote: true}, sighting{}), "both": of("both", sighting{wrote: true}, soon)}
	checked := func(spoiled report.Run) []string {
		var runs []report.Run
		for _, strategy := range []string{"aside", "lock", "both"} {
			r := good[strategy]
			if spoiled.Strategy == strategy {
				r = spoiled
			}
			runs = append(runs, r)
		}
		return failures(raceChecks(runs))
	}
	if f := checked(report.Run{}); len(f) > 0 {
		t.Errorf("good runs: %q failed", f)
	}
	for _, c := range []struct {
		spoiled report.Run
		want    string
	}{
		{of("aside", sighting{wrote: true}, sighting{}), "aside: " + oldOthers},
		{of("aside", soon, sighting{wrote: true, old: 1}), "aside: " + oldStuck},
		{of("lock", sighting{wrote: true}, soon), "lock: " + oldOthers},
		{of("lock", sighting{wrote: true, old: 1}), "lock: " + oldWriter},
		{of("both", sighting{wrote: true, old: 1}), "both: " + oldWriter},
		{of("both", sighting{wrote: true}, sighting{again: true}), "both: " + oldAgain},
		{of("both", sighting{wrote: true}, sighting{old: 1, stuck: true}), "both: " + oldStuck},
		{of("both", sighting{wrote: true}, late), "both: " + oldOtherP99},
	} {
		if f := checked(c.spoiled); !slices.ContainsFunc(f, func(failed string) bool { return strings.HasPrefix(failed, c.want) }) {
			t.Errorf("failed are %q, want %q", f, c.want)
		}
	}
}
