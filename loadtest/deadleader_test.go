package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"podbor/internal/report"
)

// deathOf is a run of two processes, of which the second is killed 20 ms after the expiry while its query runs; the first
// takes over, and its last visitor has the page after 2.2 s.
func deathOf(strategy string) report.Run {
	r := report.Run{Strategy: strategy, Pods: 2, Requests: 4, OK: 2, Errors: 2, DBQueries: 1, DBQueriesCompleted: 2, SingleQueryMS: 150, Generator: report.Generator{KeptUp: true}}
	r.Sample = &report.Sample{
		Requests: []report.Request{
			{Start: 5, End: 2190, Process: 1, Status: 200, Outcome: report.Loaded},
			{Start: 5, End: 2200, Process: 1, Status: 200, Outcome: report.Coalesced},
			{Start: 5, End: 21, Process: 2, Outcome: report.Error},
			{Start: 5, End: 22, Process: 2, Outcome: report.Error},
		},
		Unrelated: []report.Request{{Start: 1, End: 3, Process: 1, Status: 200, Outcome: report.Loaded}, {Start: 50, End: 50, Process: 2, Outcome: report.Error}},
		Spans:     []report.Span{{Process: 2, PID: 7, Kind: "facets", Start: 10, End: 12}, {Process: 2, PID: 7, Kind: "facets", Start: 12, End: 160}, {Process: 1, Kind: "facets", Start: 2010, End: 2180}, {Process: 2, Kind: "cities", Start: 6, End: 7}},
		Events:    []report.Event{{At: 20, Name: "the leader is killed"}, {At: 0, Name: "the copy expires"}},
	}
	return r
}

func TestTheDeadLeadersVisitorsAreNotCounted(t *testing.T) {
	r := withoutDead(deathOf("both"), 2)
	if r.Requests != 2 || r.OK != 2 || r.Errors != 0 || *r.UnrelatedErrors != 0 || len(r.Sample.Requests) != 4 {
		t.Errorf("%d requests, %d answered, %d errors, %d of other pages, %d drawn; want 2, 2, 0, 0, 4", r.Requests, r.OK, r.Errors, *r.UnrelatedErrors, len(r.Sample.Requests))
	}
	if r.DBQueries != 2 {
		t.Errorf("%d heavy queries, want the survivor's and the dead one's", r.DBQueries)
	}
	if r.TakeoverMS == nil || *r.TakeoverMS != 2180 {
		t.Errorf("takeover %v, want 2180 ms from the kill to the last answer", r.TakeoverMS)
	}
	if r := withoutDead(deathOf("aside"), 2); r.TakeoverMS != nil {
		t.Error("a takeover under aside, where nobody waits for another")
	}
}

func TestEveryDefectOfATakeoverFailsItsCheck(t *testing.T) {
	checked := func(spoil func(*report.Run)) []string {
		aside, both := withoutDead(deathOf("aside"), 2), withoutDead(deathOf("both"), 2)
		aside.OK, aside.Timeouts, aside.DBQueries, aside.DBQueriesCompleted, aside.Latency.P99 = 0, 2, 4, 4, 3000
		spoil(&both)
		return failures(deadLeaderChecks([]report.Run{report.Merge([]report.Run{aside}), report.Merge([]report.Run{both})}, 2*time.Second))
	}
	if f := checked(func(*report.Run) {}); len(f) > 0 {
		t.Errorf("good runs: %q failed", f)
	}
	if f := checked(func(r *report.Run) { r.DBQueriesCompleted = 1 }); len(f) > 0 { // nobody wanted the dead one's answer
		t.Errorf("the dead leader's query was dropped: %q failed", f)
	}
	late, one := 2651.0, 1
	for want, spoil := range map[string]func(*report.Run){
		"both: from the kill":                                      func(r *report.Run) { r.TakeoverMS = &late },
		"both: responses lost by the other processes":              func(r *report.Run) { r.OK, r.Timeouts = 1, 1 },
		"both: responses lost by the other processes, other pages": func(r *report.Run) { r.UnrelatedErrors = &one },
		"both: heavy queries started":                              func(r *report.Run) { r.DBQueries, r.DBQueriesCompleted = 3, 3 },
		"both: queries completed":                                  func(r *report.Run) { r.DBQueriesCompleted = 0 },
		"both: better than without, 99 %":                          func(r *report.Run) { r.Latency.P99 = 3000 },
	} {
		if f := checked(spoil); !slices.ContainsFunc(f, func(failed string) bool { return strings.HasPrefix(failed, want) }) {
			t.Errorf("failed are %q, want one that begins with %q", f, want)
		}
	}
}

// The bound is about the page's lease, wherever its policy stands.
func TestLeaseTTLIsThePolicys(t *testing.T) {
	if got := policyOf("facets").LeaseTTL; got != 2*time.Second {
		t.Errorf("lease of the counts: %v; the scenario's text and bound want 2 s", got)
	}
}
