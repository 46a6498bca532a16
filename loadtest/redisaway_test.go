package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"podbor/internal/report"
)

// recordedAbsence is a recording of two processes: Redis goes at 0 and is back at 10 s. Visitors come every 100 ms.
func recordedAbsence() *report.Sample {
	s := &report.Sample{
		From: -5000, To: 20_000, TimeoutMS: 3000,
		Events: []report.Event{{At: 0, Name: "gone"}, {At: 10_000, Name: "back"}},
	}
	for at, i := -5000.0, 0; at < 20_000; at, i = at+100, i+1 {
		r := report.Request{Start: at, Sent: at, End: at + 10, Process: 1 + i%2, Status: 200, Outcome: report.Redis}
		switch {
		case at >= 0 && at < 2000:
			r.End, r.Outcome = at+600, report.Loaded
		case at >= 2000 && at < 11_000:
			r.End, r.Outcome = at+200, report.Coalesced
		}
		s.Requests = append(s.Requests, r)
	}
	return s
}

func TestMeasureAway(t *testing.T) {
	s := recordedAbsence()
	s.Unrelated = []report.Request{
		{Start: 3000, End: 3400, Process: 1, Status: 200, Outcome: report.Loaded},
		{Start: 4000, End: 4100, Process: 2, Status: 503, Outcome: report.Shed},
		{Start: 5000, End: 5100, Process: 2, Status: 500, Outcome: report.Error},
		{Start: 6000, End: 9000, Process: 2, Outcome: report.Timeout},
	}
	r := report.Run{Measures: measureAway(s)}
	for name, want := range map[string]float64{
		awayFailed: 2, turnedAway: 1, cameWithout: 100, beforeP99: 10, firstP99: 600, awayP99: 3000, awayPageP99: 200, redisAgain: 1110, afterP99: 10,
	} {
		if got := r.Measure(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestAProcessThatNeverReturnsToRedisIsNoticed(t *testing.T) {
	s := recordedAbsence()
	for i := range s.Requests {
		if s.Requests[i].Process == 2 && s.Requests[i].Start > 0 {
			s.Requests[i].Outcome = report.Loaded
		}
	}
	r := report.Run{Measures: measureAway(s)}
	if got := r.Measure(redisAgain); got <= report.MS(awayBackWithin) {
		t.Errorf("hits again after %v, although process 2 never had one", ms(got))
	}
}

func TestAwayRateOverloadsTheDatabase(t *testing.T) {
	for _, c := range []struct {
		single time.Duration
		cores  int
		want   float64
	}{{200 * time.Millisecond, 2, 20}, {2 * time.Second, 2, 10}, {10 * time.Millisecond, 16, 100}} {
		if got := awayRate(c.single, c.cores); got != c.want {
			t.Errorf("a query of %v on %d cores: %v per second, want %v", c.single, c.cores, got, c.want)
		}
	}
}

func TestEveryDefectOfAnAbsenceFailsItsCheck(t *testing.T) {
	runs := func(spoil func(strategy string, r *report.Run)) []report.Run {
		var all []report.Run
		for _, strategy := range []string{"aside", "both"} {
			nobody, many := 0, 50
			r := report.Run{
				Strategy: strategy, Pods: 2, Pool: 20, Requests: 250, OK: 250, DBQueries: 10, DBQueriesCompleted: 10, DBActivePeak: 4, SingleQueryMS: 150,
				UnrelatedErrors: &nobody, Generator: report.Generator{KeptUp: true}, Sample: recordedAbsence(),
			}
			r.Measures = measureAway(r.Sample)
			if strategy == "aside" {
				r.DBQueries, r.DBQueriesCompleted, r.Timeouts, r.UnrelatedErrors = 90, 90, 80, &many
				set(&r, awayP99, 3000)
			}
			spoil(strategy, &r)
			all = append(all, report.Merge([]report.Run{r}))
		}
		return all
	}
	if f := failures(awayChecks(runs(func(string, *report.Run) {}))); len(f) > 0 {
		t.Errorf("good runs: %q failed", f)
	}
	for want, spoil := range map[string]func(r *report.Run){
		"both: " + awayFailed:                       func(r *report.Run) { set(r, awayFailed, 1) },
		"both: " + turnedAway:                       func(r *report.Run) { set(r, turnedAway, 3) }, // of 250
		"both: queries at once":                     func(r *report.Run) { r.DBActivePeak = 31 },
		"both: " + awayP99:                          func(r *report.Run) { set(r, awayP99, 301) },
		"both: " + redisAgain:                       func(r *report.Run) { set(r, redisAgain, 5001) },
		"both: " + afterP99:                         func(r *report.Run) { set(r, afterP99, 38) },
		"both: better than without, responses lost": func(r *report.Run) { r.Errors = 200 },
		"both: queries completed":                   func(r *report.Run) { r.DBQueriesCompleted = 9 },
		"aside: heavy queries started":              func(r *report.Run) { r.DBQueries, r.DBQueriesCompleted = 49, 49 },
		"aside: responses lost":                     func(r *report.Run) { r.Timeouts, r.UnrelatedErrors = 0, new(int) },
	} {
		f := failures(awayChecks(runs(func(strategy string, r *report.Run) {
			if strings.HasPrefix(want, strategy) {
				spoil(r)
			}
		})))
		if !slices.ContainsFunc(f, func(failed string) bool { return strings.HasPrefix(failed, want) }) {
			t.Errorf("failed are %q, want one that begins with %q", f, want)
		}
	}
}

// set changes a measure of a run.
func set(r *report.Run, name string, value float64) {
	r.Measures = slices.Clone(r.Measures)
	for i := range r.Measures {
		if r.Measures[i].Name == name {
			r.Measures[i].Value = value
		}
	}
}
