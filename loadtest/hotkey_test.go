package main

import (
	"testing"
	"time"

	"podbor/internal/report"
)

func TestCommandsAreCountedAsRedisTellsThem(t *testing.T) {
	n, err := commands(map[string]string{
		"cmdstat_get":  "calls=21,usec=175,usec_per_call=8.33,rejected_calls=0,failed_calls=0",
		"cmdstat_set":  "calls=4,usec=1",
		"cmdstat_info": "calls=1000,usec=1",
		"cmdstat_ping": "calls=30,usec=1",
	})
	if n != 25 || err != nil {
		t.Errorf("%d commands (%v), want 25", n, err)
	}
	if _, err := commands(map[string]string{"cmdstat_get": "usec=175"}); err == nil {
		t.Error("a line without a count is no error")
	}
}

func TestCommandsPerSecond(t *testing.T) {
	w := commandWatch{counts: []int{100, 150, 150}}
	if got := w.perSecond(); w.total() != 50 || len(got) != 2 || got[0] != (report.Point{X: fameEvery.Seconds(), Y: 50 / fameEvery.Seconds()}) || got[1].Y != 0 {
		t.Errorf("%d in all, %v", w.total(), got)
	}
	if acts := new(commandWatch).acts(nil, 2*time.Second); acts[0].at != 0 || acts[len(acts)-1].at != 2*time.Second || acts[1].at-acts[0].at != 500*time.Millisecond {
		t.Errorf("looks from %v to %v", acts[0].at, acts[len(acts)-1].at)
	}
}

func TestHotkeyWantsOrdersOfMagnitude(t *testing.T) {
	run := func(strategy string, per float64) report.Run {
		r := good()["both"]
		r.Strategy, r.Measures = strategy, []report.Measure{{Name: perRequest, Value: per}}
		return report.Merge([]report.Run{r})
	}
	if f := failures(hotkeyChecks([]report.Run{run("lock", 2), run("both", 0.02)})); len(f) > 0 {
		t.Errorf("100 times fewer: %q failed", f)
	}
	for name, runs := range map[string][]report.Run{
		"10 times fewer": {run("lock", 2), run("both", 0.2)},
		"only lock":      {run("lock", 2)},
		"only both":      {run("both", 0.02)},
	} {
		if len(failures(hotkeyChecks(runs))) == 0 {
			t.Errorf("%s passes", name)
		}
	}
}
