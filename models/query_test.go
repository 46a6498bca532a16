// Waiting for a connection, giving up, and what is counted meanwhile.

package models

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"podbor/internal/servers/serverstest"
	"podbor/internal/servertiming"
)

// storeOfOne returns a store with a single connection.
func storeOfOne(t *testing.T) *Store {
	t.Helper()
	db, err := Open(t.Context(), serverstest.Database(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return NewStore(db, prometheus.NewPedanticRegistry())
}

func TestWaitingForAConnectionEndsWithTheContext(t *testing.T) {
	s := storeOfOne(t)
	held, err := s.db.pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		var n int
		done <- s.query(ctx, &n, "one", "SELECT 1")
	}()
	Eventually(t, "the caller counts as waiting", func() bool { return value(t, s.waiting) == 1 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
	if n := value(t, s.started.WithLabelValues("one")); n != 0 {
		t.Errorf("%v statements count as started, but none had a connection", n)
	}
	if n := value(t, s.waiting); n != 0 {
		t.Errorf("%v callers still count as waiting", n)
	}

	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, recorder := servertiming.With(t.Context())
	var n int
	if err := s.query(ctx, &n, "one", "SELECT @n + 1", map[string]any{"n": 41}); err != nil || n != 42 {
		t.Errorf("query = %d, %v; want 42", n, err)
	}
	if n := value(t, s.started.WithLabelValues("one")); n != 1 {
		t.Errorf("%v statements count as started, want 1", n)
	}
	if h := recorder.Header(); !strings.Contains(h, "pool;dur=") || !strings.Contains(h, "query;dur=") {
		t.Errorf("Server-Timing is %q, want pool and query", h)
	}
}

// What nobody waits for any more must not go on using the database, nor its connection.
func TestAStatementEndsWithItsContext(t *testing.T) {
	s := storeOfOne(t)
	running := func() (n int) {
		err := s.db.side.QueryRow(`SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND state = 'active' AND query LIKE '/* nap */%'`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		var v string
		done <- s.query(ctx, &v, "nap", "SELECT pg_sleep(60)::text")
	}()
	Eventually(t, "the statement runs under its name", func() bool { return running() == 1 })

	left := time.Now()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
	if took := time.Since(left); took > time.Second {
		t.Errorf("the caller got away after %v", took)
	}
	Eventually(t, "PostgreSQL has stopped it", func() bool { return running() == 0 })
	var n int
	if err := s.query(t.Context(), &n, "one", "SELECT 1"); err != nil || n != 1 {
		t.Errorf("the pool gives %d, %v afterwards", n, err)
	}
}

func TestADeadlineIsRecognisable(t *testing.T) {
	s := storeOfOne(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var v string
	if err := s.query(ctx, &v, "nap", "SELECT pg_sleep(60)::text"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v, want context.DeadlineExceeded", err)
	}
}

// value reads a counter or gauge.
func value(t *testing.T, m prometheus.Metric) float64 {
	t.Helper()
	var read dto.Metric
	if err := m.Write(&read); err != nil {
		t.Fatal(err)
	}
	return read.GetCounter().GetValue() + read.GetGauge().GetValue()
}

// Eventually waits until is holds, for tests in and outside of the package.
func Eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 1000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("not in 5 s: %s", what)
}
