package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"podbor/internal/report"
)

// good are runs as they should be: the problem shows, the fix holds.
func good() map[string]report.Run {
	zero, collateral, once := 0, 120, 1
	trusted := report.Generator{LateP99MS: 5, KeptUp: true}
	runs := map[string]report.Run{}
	for _, strategy := range []string{"off", "aside"} {
		runs[strategy] = report.Run{
			Strategy: strategy, Pods: 3, Requests: 200, OK: 10, Timeouts: 190, DBQueries: 200, DBQueriesCompleted: 200, TotalS: 3, DBBusyS: 28, SingleQueryMS: 150,
			Latency: report.Latency{P50: 3000, P90: 3000, P99: 3000, Max: 3001}, Unrelated: &report.Latency{P99: 3000, Max: 3000}, UnrelatedErrors: &collateral, Generator: trusted,
		}
	}
	for _, strategy := range []string{"flight", "lock", "both"} {
		n := wantQueries(strategy, 3)
		runs[strategy] = report.Run{
			Strategy: strategy, Pods: 3, Requests: 200, OK: 200, DBQueries: n, DBQueriesCompleted: n, TotalS: 0.2, DBBusyS: 0.2, SingleQueryMS: 150,
			Latency: report.Latency{P50: 160, P90: 170, P99: 180, Max: 190}, Unrelated: &report.Latency{P99: 20, Max: 40}, UnrelatedErrors: &zero, Expiries: &once, Generator: trusted,
		}
	}
	for _, strategy := range []string{"swr", "xfetch"} {
		r := runs["both"]
		r.Strategy, r.Expiries, r.Latency = strategy, nil, report.Latency{P50: 10, P90: 20, P99: 30, Max: 31}
		_, r.Measures = judgeStale([]float64{20, 25}, []report.Request{{End: 30, Outcome: report.Stale}})
		runs[strategy] = r
	}
	return runs
}

func stampedeOf(runs map[string]report.Run) []report.Check {
	var merged []report.Run
	for _, strategy := range strategyNames() {
		if r, ok := runs[strategy]; ok {
			merged = append(merged, report.Merge([]report.Run{r, r, r}))
		}
	}
	return stampedeChecks(merged, 200)
}

func failures(checks []report.Check) []string {
	var names []string
	for _, c := range checks {
		if !c.OK {
			names = append(names, c.Name)
		}
	}
	return names
}

func TestGoodRunsPass(t *testing.T) {
	checks := stampedeOf(good())
	if f := failures(checks); len(f) > 0 || verdict(checks) != report.Pass {
		t.Errorf("%v failed", f)
	}
}

// Whatever goes wrong, in the problem, in the fix or in the measurement, must turn the verdict.
func TestEveryDefectFailsItsCheck(t *testing.T) {
	many := 7
	for name, c := range map[string]struct {
		strategy string
		spoil    func(*report.Run)
		want     string // part of the name of a check that must fail
	}{
		"the herd does not query":         {"aside", func(r *report.Run) { r.DBQueries, r.DBQueriesCompleted = 149, 149 }, "aside: heavy queries started"},
		"the herd is not lost":            {"off", func(r *report.Run) { r.Timeouts = 100 }, "off: responses timed out"},
		"other pages are not delayed":     {"aside", func(r *report.Run) { r.Unrelated = &report.Latency{Max: 999} }, "aside: slowest other page"},
		"flight loads twice in a process": {"flight", func(r *report.Run) { r.DBQueries, r.DBQueriesCompleted = 4, 4 }, "flight: heavy queries started"},
		"a process did not load":          {"flight", func(r *report.Run) { r.DBQueries, r.DBQueriesCompleted = 2, 2 }, "flight: heavy queries started"},
		"the lease lets two pass":         {"both", func(r *report.Run) { r.DBQueries, r.DBQueriesCompleted = 2, 2 }, "both: heavy queries started"},
		"an error under protection":       {"lock", func(r *report.Run) { r.Errors = 1 }, "lock: responses lost"},
		"a time-out under protection":     {"lock", func(r *report.Run) { r.Timeouts = 1 }, "lock: responses lost"},
		"other pages lost":                {"both", func(r *report.Run) { r.UnrelatedErrors = &many }, "both: responses lost, other pages"},
		"slower than one and a half":      {"both", func(r *report.Run) { r.Latency.P99 = 226 }, "both: 99 % of the herd"},
		"the cure is slower":              {"lock", func(r *report.Run) { r.Latency.P99 = 3000 }, "lock: better than without, 99 %"},
		"the cure takes longer":           {"flight", func(r *report.Run) { r.TotalS = 3.5 }, "flight: better than without, last response"},
		"the expiry is felt":              {"swr", func(r *report.Run) { _, r.Measures = judgeStale([]float64{1}, []report.Request{{End: 4}}) }, "swr: slower than 3"},
		"somebody waits for the query": {"xfetch", func(r *report.Run) {
			_, r.Measures = judgeStale([]float64{1}, []report.Request{{End: 1, Outcome: report.Coalesced}})
		}, "xfetch: waited"},
		"PostgreSQL counts otherwise": {"both", func(r *report.Run) { r.DBQueriesCompleted = 0 }, "both: queries completed"},
		"the copy expired again":      {"both", func(r *report.Run) { r.Expiries = &many }, "both: expiries"},
		"the generator was late":      {"aside", func(r *report.Run) { r.Generator.KeptUp = false }, "aside: generator"},
	} {
		runs := good()
		r := runs[c.strategy]
		c.spoil(&r)
		runs[c.strategy] = r
		f := failures(stampedeOf(runs))
		if !slices.ContainsFunc(f, func(failed string) bool { return strings.HasPrefix(failed, c.want) }) {
			t.Errorf("%s: failed are %q, want one that begins with %q", name, f, c.want)
		}
	}
}

func TestOneBadRepeatFails(t *testing.T) {
	bad := good()["both"]
	bad.DBQueries, bad.DBQueriesCompleted = 2, 2
	runs := []report.Run{report.Merge([]report.Run{good()["aside"]}), report.Merge([]report.Run{good()["both"], bad, good()["both"]})}
	if f := failures(stampedeChecks(runs, 200)); !slices.Contains(f, "both: heavy queries started") {
		t.Errorf("the median hides a repeat with two queries; failed are %q", f)
	}
}

func TestBothKindsOfStrategiesAreNeeded(t *testing.T) {
	for _, only := range strategyNames() {
		if checks := stampedeOf(map[string]report.Run{only: good()[only]}); verdict(checks) != report.Fail {
			t.Errorf("%s alone passes", only)
		}
	}
}

func TestSustainedWantsABatchOfLostResponses(t *testing.T) {
	run := func(timeouts, others int) []string {
		aside, both := good()["aside"], good()["both"]
		aside.Timeouts, aside.UnrelatedErrors = timeouts, &others
		return failures(sustainedChecks([]report.Run{report.Merge([]report.Run{aside}), report.Merge([]report.Run{both})}))
	}
	if f := run(400, 100); len(f) > 0 {
		t.Errorf("500 lost: %q failed", f)
	}
	for _, lost := range [][2]int{{100, 100}, {1000, 100}, {500, 0}} {
		if f := run(lost[0], lost[1]); len(f) == 0 {
			t.Errorf("%d + %d lost passes", lost[0], lost[1])
		}
	}
}

func TestEachRepeatRotatesTheStrategies(t *testing.T) {
	var order []string
	b := &bench{out: progress{table: io.Discard, log: io.Discard}}
	runs, err := b.eachRepeat("test", options{strategies: []string{"a", "b", "c"}, repeats: 3}, func(strategy string) (report.Run, error) {
		order = append(order, strategy)
		return report.Run{Strategy: strategy, DBQueries: (len(order) - 1) / 3}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ""); got != "abcbcacab" {
		t.Errorf("order %s", got)
	}
	for i, want := range []string{"a", "b", "c"} {
		if runs[i].Strategy != want || runs[i].Runs != 3 || runs[i].DBQueries != 1 {
			t.Errorf("run %d is %+v, want strategy %s and the median of 3", i, runs[i], want)
		}
	}
}
