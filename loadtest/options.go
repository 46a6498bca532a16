// The command line.

package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

type options struct {
	herd       int
	pods       int
	strategies []string // nil: the scenario's own
	timeout    time.Duration
	rows       int
	rate       float64 // requests per second of sustained, 0: computed
	duration   time.Duration
	edits      int
	out        string
	json       bool
	scenarios  []scenario

	pool    int // connections per process
	keys    int // written at once by sync-expiry
	repeats int // of each strategy, 0: the scenario's own
	dir     string
	args    []string
}

// parseOptions reads flags and scenario names. Its error is one sentence.
func parseOptions(args []string, stderr io.Writer) (options, error) {
	o := options{pool: 20, keys: 50_000, dir: ".data/loadtest", args: args}
	var strategies string
	flags := flag.NewFlagSet("loadtest", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // one sentence of ours, not a page of usage
	flags.IntVar(&o.herd, "herd", 200, "`requests` that arrive when the key expires (stampede)")
	flags.IntVar(&o.pods, "pods", 3, "`processes` of the site")
	flags.StringVar(&strategies, "strategies", "", "comma-separated `list` of "+strings.Join(strategyNames(), ", ")+" (default: the scenario's own)")
	flags.DurationVar(&o.timeout, "timeout", 3*time.Second, "how long a client waits for a page")
	flags.IntVar(&o.rows, "rows", 500_000, "`apartments` in the database; each number has a database of its own")
	flags.Float64Var(&o.rate, "rate", 0, "`requests per second` for the page (sustained, redis-down, redis-silent; default: computed from a single query)")
	flags.DurationVar(&o.duration, "duration", 30*time.Second, "how long requests keep arriving (sustained, redis-down, redis-silent; missing and hotkey take a third of it)")
	flags.IntVar(&o.edits, "edits", 10_000, "`edits` of write-race, two for each apartment")
	flags.IntVar(&o.repeats, "repeats", 0, "`times` that each strategy is asked (default: the scenario's own number)")
	flags.StringVar(&o.out, "out", ".data/report", "`folder` for report.json and report.html")
	flags.BoolVar(&o.json, "json", false, "write the report as JSON to stdout, and nothing else there")
	err := flags.Parse(args)
	if err == flag.ErrHelp { //nolint:errorlint // Parse returns it bare
		printUsage(flags, stderr)
		return o, err
	}
	if err != nil {
		return o, fmt.Errorf("%w; -h lists the flags", err)
	}
	if o.strategies, err = parseStrategies(strategies); err != nil {
		return o, err
	}
	if o.scenarios, err = parseScenarios(flags.Args()); err != nil {
		return o, err
	}
	return o, o.check()
}

func (o options) check() error {
	for _, c := range []struct {
		ok   bool
		flag string
		want string
	}{
		{o.herd >= 1 && o.herd <= 5000, "-herd", "a number from 1 to 5000"},
		{o.pods >= 1 && o.pods <= 8, "-pods", "a number from 1 to 8"},
		{o.timeout >= 100*time.Millisecond && o.timeout <= 30*time.Second, "-timeout", "a duration from 100ms to 30s"},
		{o.rows >= 1000 && o.rows <= 5_000_000, "-rows", "a number from 1000 to 5000000"},
		{o.rate >= 0 && o.rate <= 5000, "-rate", "a number from 0 (computed) to 5000"},
		{o.duration >= 10*time.Second && o.duration <= 50*time.Second, "-duration", "a duration from 10s to 50s: the copy written in the middle must outlive the run"},
		{o.repeats >= 0 && o.repeats <= 20, "-repeats", "a number from 1 to 20, or 0 for the scenario's own"},
		{o.edits >= 100 && o.edits <= 40_000, "-edits", "a number from 100 to 40000"},
		{o.out != "", "-out", "a folder"},
	} {
		if !c.ok {
			return fmt.Errorf("%s: want %s", c.flag, c.want)
		}
	}
	return nil
}

func parseStrategies(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	var chosen []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(strategyNames(), name) {
			return nil, fmt.Errorf("-strategies: unknown strategy %q; known are %s", name, strings.Join(strategyNames(), ", "))
		}
		if !slices.Contains(chosen, name) {
			chosen = append(chosen, name)
		}
	}
	// Unprotected first, whatever the order of asking: tables and report read from problem to cure.
	slices.SortFunc(chosen, func(a, b string) int {
		return slices.Index(strategyNames(), a) - slices.Index(strategyNames(), b)
	})
	return chosen, nil
}

func parseScenarios(names []string) ([]scenario, error) {
	if len(names) == 0 {
		names = []string{"stampede"}
	}
	var chosen []scenario
	for _, name := range names {
		if name == "all" {
			return scenarios(), nil
		}
		i := slices.IndexFunc(scenarios(), func(s scenario) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown scenario %q; known are %s and all (flags come before scenarios)", name, strings.Join(scenarioNames(), ", "))
		}
		chosen = append(chosen, scenarios()[i])
	}
	return chosen, nil
}

func (o options) commandLine() string {
	return strings.Join(append([]string{"go run ./loadtest"}, o.args...), " ")
}

func printUsage(flags *flag.FlagSet, w io.Writer) {
	fmt.Fprint(w, "usage: go run ./loadtest [flags] scenario…\n\nscenarios:\n")
	for _, s := range scenarios() {
		fmt.Fprintf(w, "  %-12s %s\n", s.name, s.about)
	}
	fmt.Fprint(w, "  all          every one of them\n\nflags:\n")
	flags.SetOutput(w)
	flags.PrintDefaults()
}
