// Package herd starts processes of the site, sends visitors at them, and records what these get and what the processes and
// PostgreSQL count meanwhile. The load script and the lab are built on it.
//
// Reading order: arrivals.go (the load: requests sent at their time, whether or not earlier ones have been answered) ·
// client.go and headers.go (one request) · fleet.go (the processes) · pools.go, activity.go and statements.go (the counts) ·
// envelope.go (expiries) · generator.go and priority.go (whether to trust it).
package herd

import (
	"context"
	"iter"
	"sync"
	"time"

	"podbor/internal/report"
)

// An Arrival is one request and when it is due, counted from the zero of the run.
type Arrival struct {
	Due     time.Duration
	Process int // index of the process that gets it
	Path    string
	Hot     bool // for what is under test
	Absent  bool // there is no such page: 404 is the right answer
}

// Steady returns rate arrivals a second from … to, spread over processes. Their distance is constant:
// a schedule that is the same in every run makes runs comparable.
func Steady(from, to time.Duration, rate float64, processes int, hot bool, path func(i int) string) iter.Seq[Arrival] {
	return func(yield func(Arrival) bool) {
		if rate <= 0 {
			return
		}
		for i := 0; ; i++ {
			due := from + time.Duration(float64(i)/rate*float64(time.Second))
			if due >= to || !yield(Arrival{Due: due, Process: i % processes, Path: path(i), Hot: hot}) {
				return
			}
		}
	}
}

// AtOnce returns n arrivals at one instant, spread over processes.
func AtOnce(at time.Duration, n, processes int, path string) iter.Seq[Arrival] {
	return func(yield func(Arrival) bool) {
		for i := range n {
			if !yield(Arrival{Due: at, Process: i % processes, Path: path, Hot: true}) {
				return
			}
		}
	}
}

// A Generator sends arrivals.
type Generator struct {
	Client      *Client
	MaxInFlight int // more would measure this machine's sockets rather than the site

	Answered func(Arrival, report.Request) // told of each request that is over, one at a time; may be nil
}

// Send fires the arrivals, which are in order of time, and returns when all are answered or given up.
// It stops sending when ctx or enough ends; what has been sent is waited for. It never waits for an answer
// before the next arrival, unless MaxInFlight requests are open: then it is late, and the recorded times say so.
func (g Generator) Send(ctx context.Context, enough <-chan struct{}, zero time.Time, arrivals iter.Seq[Arrival]) (hot, other []report.Request) {
	var (
		mu     sync.Mutex // protects hot and other
		open   sync.WaitGroup
		places = make(chan struct{}, g.MaxInFlight)
		timer  = time.NewTimer(0)
	)
	defer timer.Stop()
	for a := range arrivals {
		timer.Reset(time.Until(zero.Add(a.Due)))
		select {
		case <-timer.C:
		case <-enough:
		case <-ctx.Done():
		}
		if ctx.Err() != nil || ended(enough) {
			break
		}
		places <- struct{}{}
		open.Go(func() {
			r := g.Client.Get(ctx, zero, a)
			<-places
			mu.Lock()
			defer mu.Unlock()
			if g.Answered != nil {
				g.Answered(a, r)
			}
			if a.Hot {
				hot = append(hot, r)
			} else {
				other = append(other, r)
			}
		})
	}
	open.Wait()
	return hot, other
}

func ended(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// SleepUntil returns at a moment, or when ctx ends.
func SleepUntil(ctx context.Context, t time.Time) error {
	timer := time.NewTimer(time.Until(t))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
