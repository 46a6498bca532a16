// The tour: every step is one run and one question, and its answer says what the run's figures say.

package handlers_test

import (
	"strings"
	"testing"

	"podbor/handlers"
	"podbor/internal/lab"
	"podbor/internal/report"
)

// finished is a run of step n with the given figures.
func finished(n int, guess *int, run report.Run) *lab.Record {
	plan := handlers.TourPlan(n)
	plan.Guess = guess
	run.Strategy, run.Pods, run.Pool = plan.Strategy, plan.Processes, 20
	if run.Requests == 0 {
		run.Requests = plan.Herd
	}
	return &lab.Record{Plan: plan, Phase: lab.Done, Run: run}
}

func TestTour(t *testing.T) {
	s := newSite(t)
	strategies := []string{"off", "aside", "flight", "lock", "both", "swr", "xfetch"}
	for i, strategy := range strategies {
		n := i + 1
		doc := s.tour(t, n, nil)
		plan := handlers.TourPlan(n)
		must(t, plan.Check())
		form := doc.Find(`form[action="/lab/runs"][method=post]`)
		for name, want := range map[string]string{"strategy": strategy, "herd": "200", "processes": "3", "timeout_ms": "3000", "state": string(plan.State), "csrf": "token"} {
			if got := form.Find(`[name="`+name+`"]`).AttrOr("value", ""); got != want {
				t.Errorf("step %d: %s is %q, want %q", n, name, got, want)
			}
		}
		if text := doc.Find(".tour-at").Text(); !strings.HasPrefix(text, "Step ") || !strings.Contains(text, " of 7") {
			t.Errorf("step %d is called %q", n, text)
		}
		if doc.Find(`[aria-current=step]`).Text() != strategy {
			t.Errorf("step %d is marked as %q", n, doc.Find(`[aria-current=step]`).Text())
		}
		if doc.Find("[rel=prev]").Length() != min(n-1, 1) || doc.Find("[rel=next]").Length() != min(7-n, 1) || doc.Find(".tour-answer").Length() > 0 {
			t.Errorf("step %d: wrong ways on, or an answer before the run", n)
		}
	}
}

func TestTourAnswersWithTheRunsFigures(t *testing.T) {
	s := newSite(t)
	number := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		step  int
		guess *int
		run   report.Run
		want  []string
	}{
		"all lost": {1, number(200), report.Run{DBQueries: 200, Timeouts: 200, SingleQueryMS: 197, Latency: report.Latency{P99: 3010}},
			[]string{"200 queries were run", "You guessed it exactly.", "All 200 visitors were lost.", "waited 3.01 s", "takes 197 ms", "60 database connections"}},
		"nobody lost":    {1, nil, report.Run{DBQueries: 200}, []string{"You did not guess.", "No visitor was lost.", "fast enough"}},
		"some errors":    {2, number(1), report.Run{DBQueries: 1200, Requests: 1000, Timeouts: 4, Errors: 1}, []string{"1,200 queries", "You guessed 1: there were more.", "5 of 1,000 visitors were lost. 4 gave up waiting, 1 got an error.", "stampede"}},
		"one lost":       {2, nil, report.Run{DBQueries: 60, Timeouts: 1}, []string{"1 of 200 visitors was lost.", "60 of 200 visitors"}},
		"per process":    {3, number(4), report.Run{DBQueries: 3}, []string{"3 queries", "You guessed 4: fewer were enough.", "each of the 3 processes"}},
		"one query":      {4, number(1), report.Run{DBQueries: 1}, []string{"1 query was run", "each of 200 visitors asked Redis"}},
		"both":           {5, nil, report.Run{DBQueries: 1, SingleQueryMS: 200, Latency: report.Latency{P99: 233}}, []string{"3 conversations with Redis instead of 200", "200 ms of the 233 ms"}},
		"nobody waited":  {6, nil, report.Run{DBQueries: 1, SingleQueryMS: 200, Latency: report.Latency{P99: 43}, StaleServed: number(200)}, []string{"nobody waited for it", "200 visitors saw the old copy"}},
		"somebody did":   {6, nil, report.Run{DBQueries: 1, SingleQueryMS: 200, Latency: report.Latency{P99: 300}, StaleServed: number(1)}, []string{"in the background.", "1 visitor saw the old copy"}},
		"nobody saw it":  {7, nil, report.Run{DBQueries: 1, StaleServed: number(0)}, []string{"no visitor saw the old copy"}},
		"broken promise": {4, nil, report.Run{DBQueries: 2}, []string{"2 queries", "not what this strategy promises"}},
	} {
		text := strings.Join(strings.Fields(s.tour(t, c.step, finished(c.step, c.guess, c.run)).Find(".tour-answer").Text()), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in %q", name, want, text)
			}
		}
		if strings.Contains(text, "1 queries") || strings.Contains(text, "1 visitors") {
			t.Errorf("%s: %q", name, text)
		}
	}

	for phase, want := range map[lab.Phase]string{lab.Cancelled: "was cancelled", lab.Failed: "failed: no Redis.", lab.Running: "on its way", lab.Preparing: "on its way"} {
		record := finished(3, nil, report.Run{})
		record.Phase, record.Problem = phase, "no Redis"
		if doc := s.tour(t, 3, record); !strings.Contains(doc.Find("[role=status]").Text(), want) || doc.Find(".tour-answer").Length() > 0 {
			t.Errorf("%s: %q", phase, doc.Find("[role=status]").Text())
		}
	}
	other := finished(3, nil, report.Run{DBQueries: 3})
	other.Plan.Herd++
	if s.tour(t, 3, other).Find(".tour-answer").Length() > 0 {
		t.Error("a run of another plan answers")
	}
}
