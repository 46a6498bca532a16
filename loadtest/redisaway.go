// Scenarios redis-down and redis-silent: the cache's Redis goes away under load, and comes back.

package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"syscall"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

// Redis goes at zero. Before that is a fifth of the run, and it is away for a third.
func awayTimes(duration time.Duration) (from, back, until time.Duration) {
	return -duration / 5, duration / 3, duration - duration/5
}

const (
	awayOthers  = 80.0 // requests per second for apartments
	awayKnown   = 160  // of which there are so many: each process is asked for one again when its own copy (5 s) has ended
	timesTooFew = 2    // the page's visitors are so many times what the database can do for them one by one
	awayMost    = 100  // of them a second, or rendering the page would be the bottleneck
)

// An absence is a way for Redis to go, and the way back.
type absence struct {
	name, asked, headline string
	gone, back            act
}

func redisDown(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	_, back, _ := awayTimes(o.duration)
	return redisAway(ctx, b, o, absence{
		name:     "redis-down",
		asked:    "Redis is killed (SIGKILL), and started again, empty and on the same port, %v later.",
		headline: "Redis killed",
		gone: act{0, "Redis is killed", func(context.Context, *trial) error {
			if err := syscall.Kill(b.redis.PID(), syscall.SIGKILL); err != nil {
				return err
			}
			<-b.redis.Exited()
			return nil
		}},
		back: act{back, "it is back, empty", func(ctx context.Context, _ *trial) error {
			if err := b.redis.Restart(ctx); err != nil {
				return err
			}
			return herd.PlaceSite(b.redis.PID())
		}},
	})
}

func redisSilent(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	signal := func(s syscall.Signal) func(context.Context, *trial) error {
		return func(context.Context, *trial) error { return syscall.Kill(b.redis.PID(), s) }
	}
	_, back, _ := awayTimes(o.duration)
	resume := signal(syscall.SIGCONT)
	defer resume(ctx, nil) //nolint:errcheck // after a failed or interrupted run: a stopped Redis could not be ended in good order
	return redisAway(ctx, b, o, absence{
		name:     "redis-silent",
		asked:    "Redis is stopped (SIGSTOP), so that it takes connections and never answers, and goes on (SIGCONT) %v later.",
		headline: "Redis silent",
		gone:     act{0, "Redis falls silent", signal(syscall.SIGSTOP)},
		back:     act{back, "it goes on", resume},
	})
}

func redisAway(ctx context.Context, b *bench, o options, a absence) (report.Scenario, error) {
	single, err := b.singleAlone(ctx)
	if err != nil {
		return report.Scenario{}, err
	}
	rate := cmp.Or(o.rate, awayRate(single, runtime.NumCPU()))
	from, back, until := awayTimes(o.duration)
	s := report.Scenario{
		Name: a.name,
		Asked: fmt.Sprintf("%.0f requests a second arrive for a listing page and %.0f for %d apartments, all in the cache. ", rate, awayOthers, awayKnown) +
			fmt.Sprintf(a.asked, back),
		Method: awayMethod(o, rate),
	}
	s.Runs, err = b.eachRepeat(a.name, o, func(strategy string) (report.Run, error) {
		r, err := b.trial(ctx, strategy, load{
			hot:    herd.Steady(from, until, rate, o.pods, true, func(int) string { return b.page }),
			other:  herd.Steady(from, until, awayOthers, o.pods, false, func(i int) string { return b.coldPage(i % awayKnown) }),
			from:   from,
			until:  until,
			copies: copiesStay,
			acts:   []act{a.gone, a.back},
		})
		if err != nil {
			return r, err
		}
		r.Measures = measureAway(r.Sample)
		r.Story = awayStory(r)
		return r, nil
	})
	if err != nil {
		return s, err
	}
	s.Headline = inContrast(s.Runs, a.headline, func(r report.Run) string {
		return fmt.Sprintf("%s queries, %s lost, 99 %% within %s", count(queriesOf(r)), count(lostAll(r)), ms(r.Measure(awayP99)))
	})
	s.Checks = awayChecks(s.Runs)
	s.Verdict = verdict(s.Checks)
	return s, nil
}

// singleAlone measures a single query, to choose rates by, on processes of their own.
func (b *bench) singleAlone(ctx context.Context) (single time.Duration, err error) {
	err = b.unprotected(ctx, "measuring a single query", func(c *herd.Client) error {
		b.openConnections(ctx, c)
		var ms []float64
		for len(ms) < 5 {
			more, err := b.single(ctx, c)
			if err != nil {
				return err
			}
			ms = append(ms, more...)
		}
		single = time.Duration(report.Median(ms) * float64(time.Millisecond))
		return nil
	})
	return single, err
}

// awayRate is a rate for the page that a database with so many cores cannot follow if every visitor has a query made.
func awayRate(single time.Duration, cores int) float64 {
	return min(max(10, timesTooFew*float64(cores)/single.Seconds()), awayMost)
}

func awayMethod(o options, rate float64) []string {
	return method(o,
		fmt.Sprintf("The load fits the bulkhead if loads are shared: the page is one key, so a process that keeps its own copy for 2 s has its heavy query made once in 2 s at most; the apartments, %.0f a second, are one quick query each. It does not fit the database without: %.0f visitors a second for the page are about %d times what it can do for them one by one.", awayOthers, rate, timesTooFew),
		"Under aside, too, every command to Redis has a deadline and the circuit breaker ends the asking. What it lacks are the copies in the processes' own memory, the sharing of loads, and the bulkhead.",
		fmt.Sprintf("While away means from %v after Redis has gone until it is back: at first a silent Redis costs everybody who asks it a time-out (0.5 s), until the breaker opens. Those first %v are shown by themselves. The bound is for the visitors of all pages: those of the page alone who meet the end of a copy, one in ten, wait for a query that shares the processors with those of the other processes.", awayFirst, awayFirst),
		fmt.Sprintf("Redis answers again when the last process has served its first hit from there. Normal again is what visitors of the page get from %v after the return on, against those before Redis went.", awayBackWithin),
		aSingleQuery)
}
