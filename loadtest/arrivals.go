// The load: requests sent at their time, whether or not earlier ones have been answered.

package main

import (
	"context"
	"iter"
	"sync"
	"time"

	"podbor/internal/report"
)

// An arrival is one request and when it is due, counted from the zero of the run.
type arrival struct {
	due     time.Duration
	process int // index of the process that gets it
	path    string
	hot     bool // for what is under test
	absent  bool // there is no such page: 404 is the right answer
}

// steady returns rate arrivals a second from … to, spread over processes. Their distance is constant:
// a schedule that is the same in every run makes runs comparable.
func steady(from, to time.Duration, rate float64, processes int, hot bool, path func(i int) string) iter.Seq[arrival] {
	return func(yield func(arrival) bool) {
		if rate <= 0 {
			return
		}
		for i := 0; ; i++ {
			due := from + time.Duration(float64(i)/rate*float64(time.Second))
			if due >= to || !yield(arrival{due: due, process: i % processes, path: path(i), hot: hot}) {
				return
			}
		}
	}
}

// herd returns n arrivals at one instant, spread over processes.
func herd(at time.Duration, n, processes int, path string) iter.Seq[arrival] {
	return func(yield func(arrival) bool) {
		for i := range n {
			if !yield(arrival{due: at, process: i % processes, path: path, hot: true}) {
				return
			}
		}
	}
}

// A generator sends arrivals.
type generator struct {
	client      *client
	maxInFlight int // more would measure this machine's sockets rather than the site
}

// send fires the arrivals, which are in order of time, and returns when all are answered or given up.
// It stops sending when ctx or enough ends; what has been sent is waited for. It never waits for an answer
// before the next arrival, unless maxInFlight requests are open: then it is late, and the recorded times say so.
func (g generator) send(ctx context.Context, enough <-chan struct{}, zero time.Time, arrivals iter.Seq[arrival]) (hot, other []report.Request) {
	var (
		mu     sync.Mutex // protects hot and other
		open   sync.WaitGroup
		places = make(chan struct{}, g.maxInFlight)
		timer  = time.NewTimer(0)
	)
	defer timer.Stop()
	for a := range arrivals {
		timer.Reset(time.Until(zero.Add(a.due)))
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
			r := g.client.get(ctx, zero, a)
			<-places
			mu.Lock()
			defer mu.Unlock()
			if a.hot {
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
