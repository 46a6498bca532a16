// Figures in words: the sentence beside each picture and the headline above them.

package report

import (
	"fmt"
	"strings"
)

// story says in a few sentences what happened in a run, for someone who has never heard of a stampede.
func story(run Run) string {
	if run.Story != "" {
		return run.Story
	}
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }

	lost := run.Timeouts + run.Errors
	if s := run.Sample; s != nil && overTime(s) {
		say("%s arrived for the page over %s; its copy expired in the middle. ",
			count(run.Requests, "visitor", "visitors"), Milliseconds(s.To-s.From))
	} else {
		say("%s came at once. ", count(run.Requests, "visitor", "visitors"))
	}
	switch {
	case run.DBQueries == 1:
		say("One heavy query was started, and everybody shared its answer. ")
	case run.DBQueries == run.Pods && protected(run.Strategy):
		say("%s were started, one in each process. ", count(run.DBQueries, "heavy query", "heavy queries"))
	default:
		say("%s started for one and the same answer. ",
			count(run.DBQueries, "heavy query was", "heavy queries were"))
	}
	if used, queued := fullest(run.Sample); queued > 0 && used >= run.Pods*run.Pool {
		say("All %d connections were taken, and up to %s for one. ", used, count(queued, "request queued", "requests queued"))
	}
	switch {
	case lost == 0:
		say("Nobody was lost; the last visitor had the page after %s.", Milliseconds(1000*run.TotalS))
		if run.SingleQueryMS > 0 && run.Latency.P99 > 0 && protected(run.Strategy) {
			say(" The slowest hundredth waited %s × a single query.", trim(run.Latency.P99/run.SingleQueryMS, 2))
		}
	case run.Errors == 0:
		say("%s without the page.", count(run.Timeouts, "visitor gave up", "visitors gave up"))
	default:
		say("%s without the page: %d gave up, %d got an error.", count(lost, "visitor was left", "visitors were left"), run.Timeouts, run.Errors)
	}
	if idle := run.DBBusyS - run.TotalS; lost > 0 && idle > 1 {
		say(" The database worked for another %s on answers that nobody was waiting for.", Milliseconds(1000*idle))
	}
	if run.UnrelatedErrors != nil && *run.UnrelatedErrors > 0 {
		say(" %s of other pages, which need only one quick query, were lost with them.", count(*run.UnrelatedErrors, "request", "requests"))
	} else if run.Unrelated != nil && run.Unrelated.Max > 1000 {
		say(" Visitors of other pages waited up to %s.", Milliseconds(run.Unrelated.Max))
	}
	return b.String()
}

// fullest returns the most connections in use and the most requests waiting for one.
func fullest(s *Sample) (used, queued int) {
	if s == nil {
		return 0, 0
	}
	for _, m := range poolMoments(s.Pools) {
		used, queued = max(used, m.InUse), max(queued, m.Waiting)
	}
	return used, queued
}

// headline sums a scenario up in one sentence: the worst strategy beside the best.
func headline(s Scenario) string {
	if s.Headline != "" {
		return s.Headline
	}
	before, after := contrast(s.Runs)
	if before == nil || after == nil {
		return s.Name
	}
	return fmt.Sprintf("%s, one expired copy: %s and %d lost under “%s”, %s and %d lost under “%s”.",
		count(before.Requests, "visitor", "visitors"),
		count(before.DBQueries, "query", "queries"), before.Timeouts+before.Errors, before.Strategy,
		count(after.DBQueries, "query", "queries"), after.Timeouts+after.Errors, after.Strategy)
}

// contrast picks the pair that the summary sets side by side: plain cache-aside, which most sites
// have, against the strongest protection that was run.
func contrast(runs []Run) (before, after *Run) {
	for i := range runs {
		switch r := &runs[i]; {
		case !protected(r.Strategy) && (before == nil || r.Strategy == "aside"):
			before = r
		case protected(r.Strategy) && (after == nil || after.Strategy != "both"):
			after = r
		}
	}
	return before, after
}

// verdict says in words how the checks of a scenario ended.
func verdict(s Scenario) string {
	failed := 0
	for _, c := range s.Checks {
		if !c.OK {
			failed++
		}
	}
	switch {
	case s.Verdict == Pass:
		return fmt.Sprintf("The problem showed and the fix held: all %d checks.", len(s.Checks))
	case len(s.Checks) == 0:
		return "Nothing was checked."
	default:
		return fmt.Sprintf("%d of %s did not hold.", failed, count(len(s.Checks), "check", "checks"))
	}
}

// strategyName explains a strategy in a few words.
func strategyName(strategy string) string {
	switch strategy {
	case "off":
		return "no cache at all"
	case "aside":
		return "plain cache-aside"
	case "flight":
		return "one load per process"
	case "lock":
		return "one load for all, by a Redis lease"
	case "both":
		return "one per process, then one for all"
	case "no-jitter":
		return "every entry lives equally long"
	case "jitter":
		return "a random share longer"
	case "swr":
		return "stale at once, refreshed behind"
	case "xfetch":
		return "refreshed early, by chance"
	default:
		return ""
	}
}
