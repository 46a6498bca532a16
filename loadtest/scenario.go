// The scenarios and strategies that there are.

package main

import (
	"context"
	"fmt"

	"podbor/internal/report"
)

// A scenario puts one question to several strategies.
type scenario struct {
	name       string
	about      string
	strategies []string // asked when the command line names none: unprotected first
	repeats    int      // of each strategy, likewise
	run        func(context.Context, *bench, options) (report.Scenario, error)
}

func scenarios() []scenario {
	return []scenario{
		{"stampede", "a herd arrives at the moment the page's copy expires", strategyNames(), 3, stampede},
		// Without any cache a steady load never succeeds, expiry or not: off has nothing to show here.
		{"sustained", "requests keep arriving, and the copy expires in the middle", []string{"aside", "both", "swr", "xfetch"}, 1, sustained},
		{"coldstart", "a deploy with an empty cache: a herd asks for many pages", []string{"aside", "both"}, 1, coldstart},
		{"missing", "bots ask for apartments that do not exist", []string{"off", "both"}, 1, missing},
		{"hotkey", "everybody looks at one apartment: commands that Redis gets", []string{"lock", "both"}, 1, hotkey},
		{"sync-expiry", "a job writes 50,000 keys at once: when they end, with and without jitter", nil, 1, syncExpiry},
		{"redis-down", "Redis is killed under load, and comes back empty", []string{"aside", "both"}, 1, redisDown},
		{"redis-silent", "Redis stops answering under load, and goes on later", []string{"aside", "both"}, 1, redisSilent},
		{"dead-leader", "the process whose query everybody waits for is killed", []string{"aside", "both"}, 1, deadLeader},
		{"write-race", "edits while visitors load what is edited", []string{"aside", "lock", "both"}, 1, writeRace},
	}
}

func scenarioNames() []string {
	var names []string
	for _, s := range scenarios() {
		names = append(names, s.name)
	}
	return names
}

// strategyNames lists the strategies from problem to cure.
func strategyNames() []string {
	return []string{"off", "aside", "flight", "lock", "both", "swr", "xfetch"}
}

// unprotected reports whether nothing coordinates the loads of a strategy.
func unprotected(strategy string) bool { return strategy == "off" || strategy == "aside" }

// wantQueries is how often a protected strategy may run the query for one expiry: exactly so often.
func wantQueries(strategy string, pods int) int {
	if strategy == "flight" {
		return pods // one in each process
	}
	return 1
}

// of returns what the command line asked for, and the scenario's own choice of what it left open.
func (o options) of(s scenario) options {
	if o.strategies == nil {
		o.strategies = s.strategies
	}
	if o.repeats == 0 {
		o.repeats = s.repeats
	}
	return o
}

// eachRepeat runs every strategy once per repeat, in rotated order: whatever drifts while the test is going
// on (a warmer processor, a fuller page cache) touches all strategies alike.
func (b *bench) eachRepeat(name string, o options, do func(strategy string) (report.Run, error)) ([]report.Run, error) {
	b.out.row("\n" + name + "\n" + report.TextHeader())
	done := map[string][]report.Run{}
	for repeat := range o.repeats {
		for i := range o.strategies {
			strategy := o.strategies[(i+repeat)%len(o.strategies)]
			b.out.say("%s: %s, repeat %d of %d", name, strategy, repeat+1, o.repeats)
			r, err := do(strategy)
			if err != nil {
				return nil, err
			}
			b.out.row(report.TextRow(fmt.Sprintf("%s %d/%d", strategy, repeat+1, o.repeats), r))
			done[strategy] = append(done[strategy], r)
		}
	}
	var merged []report.Run
	for _, strategy := range o.strategies {
		merged = append(merged, report.Merge(done[strategy]))
	}
	return merged, nil
}
