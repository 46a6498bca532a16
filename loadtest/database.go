// PostgreSQL's own word on the queries: pg_stat_statements for those that have ended, pg_stat_activity for those
// that run. Neither knows anything of the site's counters.

package main

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

// resetStatements makes completed count from zero.
func (b *bench) resetStatements(ctx context.Context) error {
	if _, err := b.sql.Exec(ctx, `SELECT pg_stat_statements_reset()`); err != nil {
		return fmt.Errorf("resetting pg_stat_statements: %w", err)
	}
	return nil
}

// completed returns how many statements of each kind PostgreSQL has brought to their end since the reset.
func (b *bench) completed(ctx context.Context) (map[string]int, error) {
	rows, err := b.sql.Query(ctx, `SELECT query, calls FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	if err != nil {
		return nil, fmt.Errorf("reading pg_stat_statements: %w", err)
	}
	counts := map[string]int{}
	var query string
	var calls int
	_, err = pgx.ForEachRow(rows, []any{&query, &calls}, func() error {
		if found := kindOf.FindStringSubmatch(query); found != nil {
			counts[found[1]] += calls
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading pg_stat_statements: %w", err)
	}
	return counts, nil
}

// An activity is a recording of pg_stat_activity through a connection of its own.
type activity struct {
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

// watchActivity records until stopped. Times are told from zero.
func (b *bench) watchActivity(ctx context.Context, zero time.Time) (*activity, error) {
	conn, err := b.connect(ctx)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	a := &activity{conn: conn, zero: zero, done: make(chan struct{}), stop: stop, spans: map[spanKey]report.Span{}}
	go a.run(ctx)
	return a, nil
}

// close ends the recording and returns what went wrong with it.
func (a *activity) close() error {
	a.stop()
	<-a.done
	return a.err
}

func (a *activity) run(ctx context.Context) {
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
func (a *activity) look(ctx context.Context) error {
	rows, err := a.conn.Query(ctx, `
		SELECT pid, application_name, state = 'active', query_start, state_change, left(query, 40)
		FROM pg_stat_activity
		WHERE backend_type = 'client backend' AND application_name LIKE '`+applicationPrefix+`%' AND query_start IS NOT NULL
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
		process, err := strconv.Atoi(strings.TrimPrefix(application, applicationPrefix))
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
			Start: milliseconds(start.Sub(a.zero)), End: milliseconds(end.Sub(a.zero)),
		}
		return nil
	})
	a.busy, a.peak = heavy, max(a.peak, running)
	return err
}

// heavyRunning is how many queries for the page were running when last looked at.
func (a *activity) heavyRunning() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.busy
}

// recorded returns the queries that began after from (milliseconds), and how many ran at once at most.
func (a *activity) recorded(from float64) (spans []report.Span, peak int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.spans {
		if s.Start >= from {
			spans = append(spans, s)
		}
	}
	return spans, a.peak
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
