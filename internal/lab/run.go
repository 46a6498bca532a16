// One run: the herd is sent, and what it gets is recorded beside what the processes and PostgreSQL count.

package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"podbor/internal/herd"
	"podbor/internal/report"
)

const (
	lead        = 60 * time.Millisecond  // from the order to the expiry
	herdAt      = 5 * time.Millisecond   // after it: Redis counts time in milliseconds
	faultAt     = 25 * time.Millisecond  // the herd is there, and the query runs
	otherRate   = 20.0                   // visitors of other pages, per second
	otherAtLest = 500 * time.Millisecond // they come for at least that long
	drainWithin = 60 * time.Second       // for the database, after the last visitor has left
	poolsEvery  = 50 * time.Millisecond  // pools and leases are looked at
	drainLook   = 50 * time.Millisecond
	tallyEvery  = 250 * time.Millisecond
)

// A run is in progress. Its record changes only under mu.
type run struct {
	mu         sync.Mutex
	record     Record
	single     time.Duration
	zero       time.Time
	hot, other []report.Request
	events     []report.Event
	pools      *herd.PoolWatch
	activity   *herd.Activity
	before     []herd.Metrics // of the processes, when the herd was sent
	fleet      *herd.Fleet
	killed     []int // processes, from 1
	completed  int   // queries, by PostgreSQL
}

func newRun(r Record) *run { return &run{record: r} }

func (u *run) step(what string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.record.Step = what
}

func (u *run) end(p Phase, problem string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.record.Run.Sample = nil // of a run that never began there is nothing to see
	if u.record.Phase == Running {
		u.record.Run = u.measured(true)
	}
	u.record.Phase, u.record.Step, u.record.Problem = p, "", problem
}

// snapshot returns the record as it is now.
func (u *run) snapshot() Record {
	u.mu.Lock()
	defer u.mu.Unlock()
	r := u.record
	if r.Phase == Running {
		r.Run = u.measured(false)
	}
	return r
}

// happened notes an event.
func (u *run) happened(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.record.Phase == Running {
		u.events = append(u.events, report.Event{At: report.MS(time.Since(u.zero)), Name: name})
	}
}

func (u *run) answered(a herd.Arrival, r report.Request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if a.Hot {
		u.hot = append(u.hot, r)
	} else {
		u.other = append(u.other, r)
	}
}

// do prepares the ground and sends the herd.
func (u *run) do(ctx context.Context, r *Runner) (err error) {
	u.step("connecting to PostgreSQL")
	conn, err := connect(ctx, r.cfg.Site.DatabaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	// Without the extension there is only the processes' count.
	_, extErr := conn.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS pg_stat_statements`)

	g := r.ground
	if g == nil {
		u.step("choosing a page")
		if g, err = r.survey(ctx, conn); err != nil {
			return err
		}
		r.ground = g
	}
	u.mu.Lock()
	u.record.Environment = g.environment
	u.mu.Unlock()
	if err := r.muster(ctx, u, g); err != nil {
		return err
	}
	if r.Ours() {
		if err := herd.PlaceBackends(ctx, conn); err != nil {
			return err
		}
	}
	var keys []string
	page, kind := g.page, ""
	switch u.record.Plan.State {
	case Negative:
		page, kind = fmt.Sprintf("/apartments/%d", g.absent), "apartment"
		if err := r.forget(ctx, fmt.Sprintf("{*:apartment:%d}", g.absent)); err != nil {
			return err
		}
	case Cold:
		u.step("emptying the cache")
		if err := r.forget(ctx, "{"+r.cfg.Namespace+":*"); err != nil {
			return err
		}
	default:
		if keys, err = r.prime(ctx, u, g); err != nil {
			return err
		}
		u.single = g.single
	}
	return u.send(ctx, r, g, conn, extErr == nil, page, kind, keys)
}

// send lets the copies expire and the herd come, and stays until the database is idle again.
func (u *run) send(ctx context.Context, r *Runner, g *ground, conn *pgx.Conn, counts bool, page, kind string, keys []string) (err error) {
	p, crew := u.record.Plan, r.crew
	client := herd.NewClient(crew.fleet.Addresses, time.Duration(p.TimeoutMS)*time.Millisecond)
	defer client.Close()
	if err := client.Prepare(ctx, p.Herd/p.Processes+1); err != nil {
		return err
	}
	before, err := crew.scraper.Scrape(ctx)
	if err != nil {
		return err
	}
	tally := func() error { return nil }
	if counts {
		if tally, err = u.tally(ctx, conn, cmp.Or(kind, "facets")); err != nil {
			return err
		}
	}
	watching, err := connect(ctx, r.cfg.Site.DatabaseURL)
	if err != nil {
		return err
	}
	zero := time.Now().Add(lead).Truncate(time.Millisecond)
	if err := r.expire(ctx, p.State, keys, zero); err != nil {
		return errors.Join(err, watching.Close(ctx))
	}
	u.mu.Lock()
	u.zero, u.before, u.fleet = zero, before, crew.fleet
	u.activity, u.pools = herd.WatchActivity(ctx, watching, zero), herd.WatchPools(ctx, crew.scraper, zero, cmp.Or(kind, "facets"), poolsEvery)
	u.record.Phase, u.record.Step, u.record.Run.Counted = Running, "", kind
	if len(keys) > 0 {
		u.events = append(u.events, report.Event{At: 0, Name: eventOf(p.State)})
	}
	u.mu.Unlock()
	defer func() {
		u.pools.Close()
		err = errors.Join(err, u.activity.Close())
		crew.visited = time.Now()
		if len(u.killed) > 0 {
			crew.strategy = "" // fits no plan
		}
	}()

	breaking := make(chan error, 1)
	go func() { breaking <- u.fault(ctx, r) }()
	share := u.visitors(ctx, g, client, page, func() {
		_ = tally() // what does not last is told by the next; what does, by the last one
		if r.Ours() {
			_ = herd.PlaceBackends(ctx, conn) // those that are new
		}
	})
	if err := <-breaking; err != nil {
		return err
	}
	if err := u.drain(ctx, r, conn, tally); err != nil {
		return err
	}
	if err := tally(); err != nil {
		return err
	}
	after, err := crew.scraper.Scrape(ctx)
	if err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.record.Run.Queries = u.started(after)
	u.record.Run.Generator = herd.Judge(slices.Concat(u.hot, u.other), share)
	if !counts {
		u.record.Run.Notes = append(u.record.Run.Notes, "PostgreSQL does not count its statements here (pg_stat_statements is missing): the number of queries is the processes' own.")
	}
	return nil
}

// fault does what the plan wants done in the middle of the run: once the herd has come.
func (u *run) fault(ctx context.Context, r *Runner) error {
	f := u.record.Plan.Fault
	if f == "" {
		return nil
	}
	if err := herd.SleepUntil(ctx, u.zero.Add(faultAt)); err != nil {
		return err
	}
	return r.Break(ctx, f)
}

func eventOf(s State) string {
	if s == Stale {
		return "the copy becomes stale"
	}
	return "the copy expires"
}

// visitors sends the herd, and visitors of other pages until all of it is answered or has given up. Meanwhile it calls now
// from time to time. It returns the generator's share of the processor.
func (u *run) visitors(ctx context.Context, g *ground, client *herd.Client, page string, now func()) (share float64) {
	p := u.record.Plan
	defer herd.PlaceGenerator()()
	generator := herd.Generator{Client: client, MaxInFlight: 2 * MaxHerd, Answered: u.answered}
	enough, finished := make(chan struct{}), make(chan struct{})
	usage := herd.StartUsage()
	rate := otherRate
	if p.State == Negative {
		rate = 0 // their queries are of the kind that is counted
	}
	go func() {
		defer close(finished)
		until := time.Duration(p.TimeoutMS)*time.Millisecond + drainWithin
		offset := int(u.zero.Unix() % 4000) // other pages than last time
		generator.Send(ctx, enough, u.zero, herd.Steady(0, until, rate, p.Processes, false, func(i int) string { return g.otherPage(offset + i) }))
	}()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		generator.Send(ctx, nil, u.zero, absent(p.State == Negative, herd.AtOnce(herdAt, p.Herd, p.Processes, page)))
		share = usage.Share()
	}()
	for waiting := true; waiting; {
		select {
		case <-sent:
			waiting = false
		case <-time.After(tallyEvery):
			now()
		}
	}
	_ = herd.SleepUntil(ctx, u.zero.Add(otherAtLest)) // cut short, the run is cancelled anyway
	close(enough)
	<-finished
	return share
}

// tally returns a function that updates the count of the queries that PostgreSQL has completed from now on.
func (u *run) tally(ctx context.Context, conn *pgx.Conn, kind string) (func() error, error) {
	before, err := herd.Completed(ctx, conn)
	if err != nil {
		return nil, err
	}
	return func() error {
		now, err := herd.Completed(ctx, conn)
		if err != nil {
			return err
		}
		u.mu.Lock()
		defer u.mu.Unlock()
		u.completed = now[kind] - before[kind]
		return nil
	}, nil
}

// drain waits until nobody waits for a connection and no heavy query runs. What still runs after drainWithin is ended: the
// next run is not to meet it.
func (u *run) drain(ctx context.Context, r *Runner, conn *pgx.Conn, tally func() error) error {
	deadline := time.Now().Add(drainWithin)
	for quiet := 0; quiet < 3; quiet++ {
		if err := herd.SleepUntil(ctx, time.Now().Add(drainLook)); err != nil {
			return err
		}
		if err := tally(); err != nil {
			return err
		}
		if !u.pools.NobodyWaits() || u.activity.HeavyRunning() > 0 {
			quiet = -1
		}
		if time.Now().After(deadline) {
			u.mu.Lock()
			u.record.Run.Notes = append(u.record.Run.Notes, fmt.Sprintf("%v after the last visitor had left, the database was still at work for the herd; then it was stopped.", drainWithin))
			u.mu.Unlock()
			return u.clear(ctx, r, conn)
		}
	}
	return nil
}

// clear ends the queries of the crew and the crew itself is not used again.
func (u *run) clear(ctx context.Context, r *Runner, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '`+herd.ApplicationPrefix+`%'`)
	r.crew.strategy = "" // fits no plan
	if err != nil {
		return fmt.Errorf("ending queries: %w", err)
	}
	return nil
}

// absent marks arrivals that ask for what is not there.
func absent(yes bool, arrivals func(yield func(herd.Arrival) bool)) func(yield func(herd.Arrival) bool) {
	return func(yield func(herd.Arrival) bool) {
		for a := range arrivals {
			a.Absent = yes
			if !yield(a) {
				return
			}
		}
	}
}

func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["application_name"] = "lab"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to PostgreSQL: %w", err)
	}
	return conn, nil
}
