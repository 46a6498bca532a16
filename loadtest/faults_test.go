package main

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"podbor/internal/report"
)

// Every fault is really brought about, in small. Whether its bounds hold is for a larger machine and quieter moments; here it
// is looked at what must hold anywhere.
func faultsAreMeasured(t *testing.T, o options) {
	var log bytes.Buffer
	o.strategies, o.rate, o.duration, o.edits = []string{"both"}, 20, 9*time.Second, 100
	o.timeout = 5 * time.Second // beyond a lease, or two time-outs of a silent Redis, and the query on a busy machine
	o.scenarios = slices.DeleteFunc(scenarios(), func(s scenario) bool {
		return !slices.Contains([]string{"redis-down", "redis-silent", "dead-leader", "write-race"}, s.name)
	})
	result, err := run(t.Context(), o, progress{table: &log, log: &log})
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for _, s := range result.Scenarios {
		r := s.Runs[0]
		switch s.Name {
		case "redis-down", "redis-silent":
			if events := r.Repeats[0].Sample.Events; len(events) != 2 || events[1].At-events[0].At < 2500 {
				t.Errorf("%s: events %+v, want Redis gone for about 3 s", s.Name, events)
			}
			if r.Measure(awayFailed) != 0 || r.Measure(cameWithout) < 50 || r.DBActivePeak > 2*bulkhead(r.Pool) || r.Measure(redisAgain) > report.MS(awayBackWithin) {
				t.Errorf("%s: %d queries at once, %+v", s.Name, r.DBActivePeak, r.Measures)
			}
		case "dead-leader":
			// The query is short here: it may have ended before the kill, and then nobody has to take over.
			if r.Requests != 15 || r.OK != 15 || r.DBQueries < 1 || r.DBQueries > 2 || r.TakeoverMS == nil {
				t.Errorf("%s: %d of the 15 visitors of the other process answered, %d queries, takeover %v", s.Name, r.OK, r.DBQueries, r.TakeoverMS)
			}
			if !slices.ContainsFunc(r.Repeats[0].Sample.Requests, func(q report.Request) bool { return q.Outcome == report.Error }) {
				t.Errorf("%s: the dead process lost nobody", s.Name)
			}
		case "write-race":
			if r.Measure(edits) != 100 || r.Measure(oldWriter) != 0 || r.Measure(oldAgain) != 0 || r.Measure(oldStuck) != 0 {
				t.Errorf("%s: %+v", s.Name, r.Measures)
			}
		}
	}
	if len(result.Scenarios) != 4 {
		t.Errorf("%d scenarios", len(result.Scenarios))
	}
}
