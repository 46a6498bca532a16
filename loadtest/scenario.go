// The scenarios and strategies that there are.

package main

import (
	"context"
	"slices"

	"podbor/internal/report"
)

// A scenario puts one question to several strategies.
type scenario struct {
	name       string
	about      string
	strategies []string // asked when the command line names none
	run        func(context.Context, *bench, options) (report.Scenario, error)
}

func scenarios() []scenario {
	return []scenario{
		{"stampede", "a herd arrives at the moment the page's copy expires", strategyNames(), stampede},
		// Without any cache a steady load never succeeds, expiry or not: off has nothing to show here.
		{"sustained", "requests keep arriving, and the copy expires in the middle", []string{"aside", "both"}, sustained},
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
func strategyNames() []string { return []string{"off", "aside", "flight", "lock", "both"} }

// unprotected reports whether nothing coordinates the loads of a strategy.
func unprotected(strategy string) bool { return strategy == "off" || strategy == "aside" }

// wantQueries is how often a protected strategy may run the query for one expiry: exactly so often.
func wantQueries(strategy string, pods int) int {
	if strategy == "flight" {
		return pods // one in each process
	}
	return 1
}

// strategiesOf returns what the command line asked for, or the scenario's own choice.
func (o options) strategiesOf(name string) []string {
	if o.strategies != nil {
		return o.strategies
	}
	all := scenarios()
	return all[slices.IndexFunc(all, func(s scenario) bool { return s.name == name })].strategies
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
