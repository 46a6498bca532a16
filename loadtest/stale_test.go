package main

import (
	"testing"

	"podbor/internal/report"
)

// Without a control the visitors who came well before the expiry say what a hit takes.
func TestVisitorsAroundTheExpiryAreHeldToTheHitsBefore(t *testing.T) {
	request := func(start, latency float64, o report.Outcome) report.Request {
		return report.Request{Start: start, End: start + latency, Outcome: o}
	}
	hot := []report.Request{
		request(-9000, 1, report.L1), request(-8000, 2, report.Redis), request(-7000, 50, report.Loaded), // before: 50 is the slowest hit
		request(-100, 149, report.L1), request(0, 151, report.Stale), request(100, 3, report.Stale), request(200, 5, report.Waited),
	}
	stale, measures := judgeStale(nil, hot)
	r := report.Run{Measures: measures}
	if stale != 2 || r.Measure(aHit) != 50 || r.Measure(slowerThanHits) != 1 || r.Measure(waitedForAQuery) != 1 {
		t.Errorf("%d stale, %+v; want 2, a hit of 50 ms, 1 slower, 1 waited", stale, measures)
	}
	_, measures = judgeStale([]float64{1}, hot)
	if r.Measures = measures; r.Measure(slowerThanHits) != 4 || r.Measure(waitedForAQuery) != 2 {
		t.Errorf("against a control: %+v; want 4 slower, 2 waited", measures)
	}
}
