// The scenarios and strategies that there are.

package main

import (
	"context"

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
func eachRepeat(strategies []string, repeats int, do func(strategy string, repeat int) (report.Run, error)) ([]report.Run, error) {
	done := map[string][]report.Run{}
	for repeat := range repeats {
		for i := range strategies {
			strategy := strategies[(i+repeat)%len(strategies)]
			r, err := do(strategy, repeat)
			if err != nil {
				return nil, err
			}
			done[strategy] = append(done[strategy], r)
		}
	}
	var merged []report.Run
	for _, strategy := range strategies {
		merged = append(merged, report.Merge(done[strategy]))
	}
	return merged, nil
}
