// Scenario hotkey: everybody looks at one famous apartment. Its key lives on one Redis server, which no cluster spreads.

package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

const (
	fameRate   = 500.0 // requests per second
	fameEvery  = 500 * time.Millisecond
	fameFewer  = 50 // times fewer commands with copies in the processes' own memory
	perRequest = "Redis commands per request"
)

func hotkey(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	duration := o.duration / 3
	s := report.Scenario{
		Name:  "hotkey",
		Asked: fmt.Sprintf("For %s, %.0f visitors a second look at one apartment. How many commands does Redis get?", ms(report.MS(duration)), fameRate),
		Method: method(o, "Commands are counted by Redis itself (INFO commandstats), those inside scripts included, and looked at every half second. INFO and PING are left out: they come from whoever watches Redis, with and without visitors. "+
			"The side without protection is lock: it makes one load for all, but keeps no copies in the processes' own memory."),
	}
	rate := report.Chart{
		Title: "Commands that Redis got", Kind: report.Line, X: "s", Y: "commands per second",
		Sentence: "Without a copy in the process every visitor costs Redis a command for each entry of the page; with one, only its renewal does.",
	}
	var err error
	s.Runs, err = b.eachRepeat("hotkey", o, func(strategy string) (report.Run, error) {
		var w commandWatch
		r, err := b.trial(ctx, strategy, load{
			hot:  herd.Steady(0, duration, fameRate, o.pods, true, func(int) string { return b.coldPage(0) }),
			from: 0, until: duration,
			copies: noCopies, counted: "apartment",
			acts: w.acts(b, duration),
		})
		if err != nil {
			return r, err
		}
		r.Measures = []report.Measure{{Name: perRequest, Value: float64(w.total()) / float64(r.Requests)}, {Name: "Redis commands", Value: float64(w.total())}}
		r.Story = fmt.Sprintf("%s visitors looked at one apartment. Redis got %s commands for that.", count(float64(r.Requests)), count(float64(w.total())))
		if len(rate.Series) < len(o.strategies) { // one repeat of each is drawn
			rate.Series = append(rate.Series, report.Series{Name: strategy, Points: w.perSecond()})
		}
		return r, nil
	})
	if err != nil {
		return s, err
	}
	s.Charts = []report.Chart{rate}
	s.Headline = inContrast(s.Runs, fmt.Sprintf("%s visitors of one apartment", count(float64(s.Runs[0].Requests))), func(r report.Run) string {
		return fmt.Sprintf("%s Redis commands", count(r.Measure("Redis commands")))
	})
	s.Checks = hotkeyChecks(s.Runs)
	s.Verdict = verdict(s.Checks)
	return s, nil
}

// A commandWatch counts the commands that Redis gets during a run.
type commandWatch struct{ counts []int }

// acts look at Redis's own counters from the first arrival to the last.
func (w *commandWatch) acts(b *bench, duration time.Duration) []act {
	var acts []act
	for at := time.Duration(0); at <= duration; at += fameEvery {
		acts = append(acts, act{at: at, do: func(ctx context.Context, _ *trial) error {
			info, err := b.cache.InfoMap(ctx, "commandstats").Result()
			if err != nil {
				return fmt.Errorf("reading Redis's counters: %w", err)
			}
			n, err := commands(info["Commandstats"])
			w.counts = append(w.counts, n)
			return err
		}})
	}
	return acts
}

func (w *commandWatch) total() int { return w.counts[len(w.counts)-1] - w.counts[0] }

func (w *commandWatch) perSecond() []report.Point {
	var points []report.Point
	for i := 1; i < len(w.counts); i++ {
		points = append(points, report.Point{X: (time.Duration(i) * fameEvery).Seconds(), Y: float64(w.counts[i]-w.counts[i-1]) / fameEvery.Seconds()})
	}
	return points
}

// commands adds up the calls in Redis's lines such as cmdstat_get → "calls=21,usec=175,usec_per_call=8.33,…".
func commands(stats map[string]string) (total int, err error) {
	for command, line := range stats {
		calls, _, _ := strings.Cut(strings.TrimPrefix(line, "calls="), ",")
		n, err := strconv.Atoi(calls)
		if err != nil {
			return 0, fmt.Errorf("no count of calls in %s:%s", command, line)
		}
		if command != "cmdstat_info" && command != "cmdstat_ping" {
			total += n
		}
	}
	return total, nil
}

func hotkeyChecks(runs []report.Run) []report.Check {
	var c checks
	without, with := math.Inf(1), math.Inf(-1)
	for _, r := range runs {
		c.exactly(r, "responses lost", lost, 0)
		if inProcess := r.Strategy != "off" && r.Strategy != "aside" && r.Strategy != "lock"; inProcess {
			with = max(with, r.Measure(perRequest))
		} else if r.Strategy != "off" {
			without = min(without, r.Measure(perRequest))
		}
	}
	fewer := without / with
	c.add("fewer Redis commands with copies in the process", fmt.Sprintf("%.0f times fewer", fewer), fmt.Sprintf("≥ %d times", fameFewer),
		fewer >= fameFewer && !math.IsInf(fewer, 0))
	c.trust(runs)
	return c.list
}
