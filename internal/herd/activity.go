// PostgreSQL's own word on the queries that run: pg_stat_activity. It knows nothing of the site's counters.

package herd

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"podbor/internal/report"
)

const activityEvery = 25 * time.Millisecond

// pageKinds are the queries that pages need. Others, which a process makes for itself, hold a connection as well but
// tell no visitor's story.
var pageKinds = []string{"cities", "facets", "list", "apartment", "similar", "home"}

// kindOf finds the name that the site puts in front of its statements.
var kindOf = regexp.MustCompile(`^\s*/\* (\w+) \*/`)

// An Activity is a recording of pg_stat_activity through a connection of its own.
type Activity struct {
	conn *pgx.Conn
	zero time.Time
	done chan struct{}
	stop context.CancelFunc

	mu    sync.Mutex // protects what follows
	spans map[spanKey]report.Span
	busy  int // heavy queries running when it was last looked at
	peak  int // queries running at once
	err   error

	seen time.Time // the last change known; only run uses it
}

// A spanKey names one query: a connection runs one at a time.
type spanKey struct {
	pid   int
	start time.Time
}

// WatchActivity records until stopped, through a connection of its own that it closes. Times are told from zero.
func WatchActivity(ctx context.Context, conn *pgx.Conn, zero time.Time) *Activity {
	ctx, stop := context.WithCancel(ctx)
	a := &Activity{conn: conn, zero: zero, done: make(chan struct{}), stop: stop, spans: map[spanKey]report.Span{}}
	go a.run(ctx)
	return a
}

// Close ends the recording and returns what went wrong with it.
func (a *Activity) Close() error {
	a.stop()
	<-a.done
	return a.err
}

func (a *Activity) run(ctx context.Context) {
	defer close(a.done)
	defer a.conn.Close(context.WithoutCancel(ctx))
	ticker := time.NewTicker(activityEvery)
	defer ticker.Stop()
	for {
		if err := a.look(ctx); err != nil {
			if ctx.Err() == nil {
				a.mu.Lock()
				a.err = errors.Join(a.err, fmt.Errorf("reading pg_stat_activity: %w", err))
				a.mu.Unlock()
			}
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look takes one sample. An idle connection still shows its last query, when that began and when it ended: what
// ran between two samples is seen too, unless yet another query followed on the same connection.
func (a *Activity) look(ctx context.Context) error {
	rows, err := a.conn.Query(ctx, `
		SELECT pid, application_name, state = 'active', query_start, state_change, left(query, 40)
		FROM pg_stat_activity
		WHERE backend_type = 'client backend' AND application_name LIKE '`+ApplicationPrefix+`%' AND query_start IS NOT NULL
		  AND (state = 'active' OR state_change > $1)`, a.seen)
	if err != nil {
		return err
	}
	now := time.Now()
	var (
		pid                int
		application, query string
		active             bool
		start, change      time.Time
		running, heavy     int
	)
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err = pgx.ForEachRow(rows, []any{&pid, &application, &active, &start, &change, &query}, func() error {
		if change.After(a.seen) {
			a.seen = change
		}
		kind := kindOf.FindStringSubmatch(query)
		if kind == nil || !slices.Contains(pageKinds, kind[1]) {
			return nil // not a query of a page: a probe, say
		}
		process, err := strconv.Atoi(strings.TrimPrefix(application, ApplicationPrefix))
		if err != nil {
			return err
		}
		end := change
		if active {
			end = now
			running++
			if report.Heavy(kind[1]) {
				heavy++
			}
		}
		a.spans[spanKey{pid, start}] = report.Span{
			Process: process, PID: pid, Kind: kind[1],
			Start: report.MS(start.Sub(a.zero)), End: report.MS(end.Sub(a.zero)),
		}
		return nil
	})
	a.busy, a.peak = heavy, max(a.peak, running)
	return err
}

// HeavyRunning is how many queries for the page were running when last looked at.
func (a *Activity) HeavyRunning() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.busy
}

// Recorded returns the queries that began after from (milliseconds), and how many ran at once at most.
func (a *Activity) Recorded(from float64) (spans []report.Span, peak int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.spans {
		if s.Start >= from {
			spans = append(spans, s)
		}
	}
	return spans, a.peak
}
