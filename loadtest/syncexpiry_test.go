package main

import (
	"slices"
	"testing"
	"time"

	"podbor/internal/report"
)

func TestRateCountsPerInterval(t *testing.T) {
	got := rate([]time.Duration{0, 100 * time.Millisecond, 249 * time.Millisecond, 250 * time.Millisecond, 800 * time.Millisecond}, 250*time.Millisecond)
	want := []report.Point{{X: 0, Y: 12}, {X: 0.25, Y: 4}, {X: 0.5}, {X: 0.75, Y: 4}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if highest(got) != want[0] || len(rate(nil, time.Second)) != 0 {
		t.Errorf("highest is %v, of nothing %v", highest(got), rate(nil, time.Second))
	}
}

func TestSyncExpiryWantsTheEndsScattered(t *testing.T) {
	run := func(strategy string, fullest, asked, p99 float64, shed int) report.Run {
		r := report.Run{Strategy: strategy, Requests: 10, Errors: shed, Latency: report.Latency{P99: p99}}
		r.Measures = []report.Measure{{Name: fullestSecond, Value: fullest}, {Name: peakAsked, Value: asked}}
		return report.Merge([]report.Run{r})
	}
	bad := run(noJitter, 20_000, 8000, 3000, 1500)
	if f := failures(syncExpiryChecks([]report.Run{bad, run(withJitter, 900, 700, 60, 0)})); len(f) > 0 {
		t.Errorf("%q failed", f)
	}
	for name, r := range map[string]report.Run{
		"ends together": run(withJitter, 9000, 700, 60, 0), "asked together": run(withJitter, 900, 7000, 60, 0),
		"slow": run(withJitter, 900, 700, 3000, 0), "turned away": run(withJitter, 900, 700, 60, 1),
	} {
		if len(failures(syncExpiryChecks([]report.Run{bad, r}))) == 0 {
			t.Errorf("%s passes", name)
		}
	}
}

func TestRateBeginsJustBeforeTheFirstMoment(t *testing.T) {
	got := rate([]time.Duration{600 * time.Second, 601 * time.Second}, time.Second)
	if want := []report.Point{{X: 599}, {X: 600, Y: 1}, {X: 601, Y: 1}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
