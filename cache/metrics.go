// Metrics per prefix. Labels are bounded: prefixes are declared in code, results and events are the lists here.

package cache

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	requests  *prometheus.CounterVec   // answered lookups, by how
	loads     *prometheus.CounterVec   // ended loads, by outcome
	loadTime  *prometheus.HistogramVec // duration of loads
	hitTime   *prometheus.HistogramVec // duration of answers without a load
	leaseWait *prometheus.HistogramVec // time waited for another process's lease
	leases    *prometheus.CounterVec   // what happened to leases
	staleAge  *prometheus.HistogramVec // age of stale values when served
	undecoded *prometheus.CounterVec   // values that could not be read, treated as misses
	remoteErr *prometheus.CounterVec   // failed Redis commands
	flushes   prometheus.Counter       // L1 flushes after lost messages
	hot       *hotCollector            // the hottest keys
	breaker   *prometheus.GaugeVec     // 0 closed, 1 half-open, 2 open
}

const (
	leaseAcquired  = "acquired"
	leaseRenewed   = "renewed"
	leaseCommitted = "committed" // what was loaded under it is stored
	leaseHeld      = "held"      // found in another's hands
	leaseLost      = "lost"      // ran out or was voided under a running load
	leaseFenced    = "fenced"    // a commit was refused for it
	leaseTakeover  = "takeover"  // acquired after its holder went silent
)

// newMetrics registers the metrics in reg, or finds those that another cache of this process has registered there.
func newMetrics(reg prometheus.Registerer) (*metrics, error) {
	r := registrar{reg: reg}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return register(&r, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels))
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return register(&r, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels))
	}
	var (
		slow = []float64{.001, .003, .01, .03, .1, .2, .3, .5, 1, 2, 3, 5, 10, 30}
		fast = []float64{.000001, .00001, .0001, .0003, .001, .003, .01, .1, 1}
	)
	m := &metrics{
		requests:  counter("cache_requests_total", "Answered lookups by result.", "prefix", "result"),
		loads:     counter("cache_loads_total", "Ended loads by outcome.", "prefix", "outcome"),
		loadTime:  histogram("cache_load_seconds", "Duration of loads.", slow, "prefix"),
		hitTime:   histogram("cache_hit_seconds", "Duration of lookups answered without a load.", fast, "prefix", "level"),
		leaseWait: histogram("cache_lease_wait_seconds", "Time spent waiting for another process's load.", slow, "prefix"),
		leases:    counter("cache_leases_total", "Lease events.", "prefix", "event"),
		staleAge:  histogram("cache_stale_age_seconds", "Time since soft expiry of stale values served.", slow, "prefix"),
		undecoded: counter("cache_undecodable_total", "Stored values that could not be read.", "prefix", "reason"),
		remoteErr: counter("cache_redis_errors_total", "Failed Redis commands of the cache.", "server", "command"),
		flushes:   register(&r, prometheus.NewCounter(prometheus.CounterOpts{Name: "cache_l1_flushes_total", Help: "L1 flushes after (re-)subscription."})),
		hot:       register(&r, &hotCollector{}),
		breaker: register(&r, prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "cache_breaker_state", Help: "State of the circuit breaker: 0 closed, 1 half-open, 2 open.",
		}, []string{"server"})),
	}
	return m, r.err
}

// A registrar registers collectors and keeps the first error.
type registrar struct {
	reg prometheus.Registerer
	err error
}

func register[C prometheus.Collector](r *registrar, c C) C {
	err := r.reg.Register(c)
	var there prometheus.AlreadyRegisteredError
	if errors.As(err, &there) {
		if existing, ok := there.ExistingCollector.(C); ok {
			return existing
		}
	}
	if r.err == nil {
		r.err = err
	}
	return c
}

// prefixMetrics are one prefix's metrics with their labels resolved, so that a hit resolves none.
type prefixMetrics struct {
	requests          map[Result]prometheus.Counter
	hitL1, hitRedis   prometheus.Observer
	loadTime          prometheus.Observer
	leaseWait         prometheus.Observer
	staleAge          prometheus.Observer
	loads, leases     func(label string) prometheus.Counter
	undecodable       prometheus.Counter
	undecodableSchema prometheus.Counter
}

func (m *metrics) of(prefix string) prefixMetrics {
	p := prefixMetrics{
		requests:          map[Result]prometheus.Counter{},
		hitL1:             m.hitTime.WithLabelValues(prefix, string(HitL1)),
		hitRedis:          m.hitTime.WithLabelValues(prefix, string(HitRedis)),
		loadTime:          m.loadTime.WithLabelValues(prefix),
		leaseWait:         m.leaseWait.WithLabelValues(prefix),
		staleAge:          m.staleAge.WithLabelValues(prefix),
		loads:             func(outcome string) prometheus.Counter { return m.loads.WithLabelValues(prefix, outcome) },
		leases:            func(event string) prometheus.Counter { return m.leases.WithLabelValues(prefix, event) },
		undecodable:       m.undecoded.WithLabelValues(prefix, "undecodable"),
		undecodableSchema: m.undecoded.WithLabelValues(prefix, "schema"),
	}
	// Create every series now: a counter that appears at its first event hides that event from rate().
	for _, r := range results {
		p.requests[r] = m.requests.WithLabelValues(prefix, string(r))
	}
	for _, o := range []string{loadOK, loadNotFound, loadError, loadTimeout, loadPanic} {
		p.loads(o)
	}
	for _, e := range []string{leaseAcquired, leaseRenewed, leaseCommitted, leaseHeld, leaseLost, leaseFenced, leaseTakeover} {
		p.leases(e)
	}
	return p
}

// answered counts one finished lookup that took d.
func (p *prefixMetrics) answered(l Lookup, d time.Duration) {
	p.requests[l.Result].Inc()
	switch l.Result {
	case HitL1:
		p.hitL1.Observe(d.Seconds())
	case HitRedis:
		p.hitRedis.Observe(d.Seconds())
	case Stale:
		p.staleAge.Observe(-l.TTL.Seconds())
	case Negative, Coalesced, Waited, Loaded, Shed, Failed:
	}
}
