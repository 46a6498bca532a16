// The one way in which the store asks PostgreSQL, and what is measured about it.

package models

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"gorm.io/gorm"

	"podbor/internal/servertiming"
)

// A Store has the site's data in PostgreSQL, and knows no cache. Each method that reads is one statement, so what it
// returns is one snapshot. Every statement begins with a comment that names it: the same name labels its
// metrics, and its row in pg_stat_activity and pg_stat_statements.
type Store struct {
	db      *DB
	started *prometheus.CounterVec   // by query
	seconds *prometheus.HistogramVec // by query
	waiting prometheus.Gauge
}

// NewStore returns a Store on db and registers its metrics.
func NewStore(db *DB, reg prometheus.Registerer) *Store {
	s := &Store{
		db: db,
		started: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "db_queries_started_total",
			Help: "Statements sent to PostgreSQL, counted when a connection was there to send them on.",
		}, []string{"query"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "db_query_seconds",
			Help:    "Time from sending a statement until its last row, without the wait for a connection.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .15, .2, .3, .5, 1, 2, 3, 5, 10, 30},
		}, []string{"query"}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "db_pool_waiting",
			Help: "Callers that are waiting for a database connection.",
		}),
	}
	reg.MustRegister(s.started, s.seconds, s.waiting, collectors.NewDBStatsCollector(db.pool, "site"))
	return s
}

// query waits for a connection, then runs one statement on it and scans its rows into dest. The statement is
// "/* name */" followed by text; args holds the values of its @names. An error of the context stays recognisable.
func (s *Store) query(ctx context.Context, dest any, name, text string, args ...any) error {
	asked := time.Now()
	s.waiting.Inc()
	conn, err := s.db.pool.Conn(ctx)
	s.waiting.Dec()
	servertiming.Add(ctx, "pool", time.Since(asked))
	if err != nil {
		return fmt.Errorf("%s: waiting for a database connection: %w", name, markUnavailable(err))
	}
	defer conn.Close() // back into the pool
	return s.run(ctx, conn, dest, name, text, args...)
}

// run is query on a connection, or a transaction, at hand.
func (s *Store) run(ctx context.Context, on gorm.ConnPool, dest any, name, text string, args ...any) error {
	s.started.WithLabelValues(name).Inc()
	sent := time.Now()
	tx := s.db.orm.Session(&gorm.Session{NewDB: true, Context: ctx})
	tx.Statement.ConnPool = on
	err := tx.Raw("/* "+name+" */ "+text, args...).Scan(dest).Error
	took := time.Since(sent)
	s.seconds.WithLabelValues(name).Observe(took.Seconds())
	servertiming.Add(ctx, "query", took)
	if err != nil {
		return fmt.Errorf("%s: %w", name, markUnavailable(err))
	}
	return nil
}
