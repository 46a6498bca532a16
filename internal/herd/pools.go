// The processes' word: what they export under /metrics.

package herd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"podbor/internal/report"
)

// The series that are read, of the several hundred that a process exports.
const (
	startedSeries = `db_queries_started_total{query="`
	waitingSeries = `db_pool_waiting`
	inUseSeries   = `go_sql_in_use_connections{db_name="site"}`
	leasesSeries  = `cache_leases_total{event="`
)

// Metrics of one process, by series: `db_queries_started_total{query="facets"}` → 3.
type Metrics map[string]float64

// parseMetrics reads Prometheus's text format.
func parseMetrics(r io.Reader) (Metrics, error) {
	m := Metrics{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if !bytes.HasPrefix(lines.Bytes(), []byte("db_")) && !bytes.HasPrefix(lines.Bytes(), []byte("go_sql_")) &&
			!bytes.HasPrefix(lines.Bytes(), []byte(leasesSeries)) {
			continue
		}
		line := lines.Text()
		// A label's value may hold spaces; the number follows the last one (the site sends no timestamps).
		cut := strings.LastIndexByte(line, ' ')
		if cut < 0 {
			return nil, fmt.Errorf("no value in %q", line)
		}
		value, err := strconv.ParseFloat(line[cut+1:], 64)
		if err != nil {
			return nil, fmt.Errorf("no number in %q", line)
		}
		m[line[:cut]] = value
	}
	return m, lines.Err()
}

// started returns how many queries of each kind the process has started.
func (m Metrics) started() map[string]int {
	counts := map[string]int{}
	for series, value := range m {
		if kind, found := strings.CutPrefix(series, startedSeries); found {
			counts[strings.TrimSuffix(kind, `"}`)] = int(value)
		}
	}
	return counts
}

// leases returns how often each thing has happened to leases of one prefix.
func (m Metrics) leases(of string) map[string]int {
	counts := map[string]int{}
	for series, value := range m {
		labels, found := strings.CutPrefix(series, leasesSeries)
		if !found {
			continue
		}
		event, prefix, _ := strings.Cut(strings.TrimSuffix(labels, `"}`), `",prefix="`)
		if prefix == of {
			counts[event] = int(value)
		}
	}
	return counts
}

func (m Metrics) inUse() int   { return int(m[inUseSeries]) }
func (m Metrics) waiting() int { return int(m[waitingSeries]) }

// A Scraper reads the metrics of a fleet. A process that was killed has none.
type Scraper struct {
	http  *http.Client
	fleet *Fleet
}

// NewScraper returns a scraper of a fleet.
func NewScraper(f *Fleet) *Scraper {
	return &Scraper{
		http:  &http.Client{Transport: &http.Transport{DisableCompression: true}, Timeout: 10 * time.Second},
		fleet: f,
	}
}

// Close closes the connections to the processes.
func (s *Scraper) Close() { s.http.CloseIdleConnections() }

// Scrape asks all processes at once, so that their figures belong to one moment.
func (s *Scraper) Scrape(ctx context.Context) ([]Metrics, error) {
	all := make([]Metrics, len(s.fleet.Addresses))
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			if all[i], errs[i] = s.one(ctx, i); s.fleet.killed[i].Load() {
				all[i], errs[i] = nil, nil
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return all, nil
}

func (s *Scraper) one(ctx context.Context, i int) (Metrics, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.fleet.Addresses[i]+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := s.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of process %d: %w", i+1, err)
	}
	defer response.Body.Close()
	m, err := parseMetrics(response.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of process %d: %w", i+1, err)
	}
	return m, nil
}

// Queries adds up the queries that the processes have started, by kind.
func Queries(all []Metrics) map[string]int {
	total := map[string]int{}
	for _, m := range all {
		for kind, n := range m.started() {
			total[kind] += n
		}
	}
	return total
}

// A PoolWatch records the connection pools of a fleet.
type PoolWatch struct {
	scraper *Scraper
	zero    time.Time
	prefix  string
	every   time.Duration
	done    chan struct{}
	stop    context.CancelFunc

	mu      sync.Mutex // protects what follows
	samples []report.Pool
	leases  []report.Lease
	latest  []Metrics
	idle    bool // nobody waited for a connection when last looked at
}

// WatchPools looks at the pools, and at the leases of one prefix, until it is closed. Times are told from zero.
func WatchPools(ctx context.Context, s *Scraper, zero time.Time, prefix string, every time.Duration) *PoolWatch {
	ctx, stop := context.WithCancel(ctx)
	w := &PoolWatch{scraper: s, zero: zero, prefix: prefix, every: every, done: make(chan struct{}), stop: stop}
	go w.run(ctx)
	return w
}

func (w *PoolWatch) run(ctx context.Context) {
	defer close(w.done)
	ticker := time.NewTicker(w.every)
	defer ticker.Stop()
	for {
		at := time.Now()
		all, err := w.scraper.Scrape(ctx)
		if ctx.Err() != nil {
			return
		}
		w.keep(at, all, err)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (w *PoolWatch) keep(at time.Time, all []Metrics, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = err == nil // a process that is too busy to answer is not idle; whether it has died is asked elsewhere
	for i, m := range all {
		w.keepLeases(report.MS(at.Sub(w.zero)), i, m)
		w.samples = append(w.samples, report.Pool{At: report.MS(at.Sub(w.zero)), Process: i + 1, InUse: m.inUse(), Waiting: m.waiting()})
		w.idle = w.idle && m.waiting() == 0
	}
	if err == nil {
		w.latest = all
	}
}

// keepLeases notes what has happened to leases since the last look at a process.
func (w *PoolWatch) keepLeases(at float64, i int, m Metrics) {
	if i >= len(w.latest) || w.latest[i] == nil || m == nil {
		return // nothing to compare with
	}
	before, now := w.latest[i].leases(w.prefix), m.leases(w.prefix)
	for _, event := range slices.Sorted(maps.Keys(now)) {
		for range now[event] - before[event] {
			w.leases = append(w.leases, report.Lease{At: at, Process: i + 1, Event: event})
		}
	}
}

// Close ends the recording.
func (w *PoolWatch) Close() {
	w.stop()
	<-w.done
}

// NobodyWaits reports whether no process had a queue for its connections when last looked at.
func (w *PoolWatch) NobodyWaits() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.idle
}

// Recorded returns the pools as they were at each look.
func (w *PoolWatch) Recorded() []report.Pool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.samples
}

// Leases returns what has happened to the leases of the page.
func (w *PoolWatch) Leases() []report.Lease {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.leases
}

// Latest returns the metrics as they were when last looked at.
func (w *PoolWatch) Latest() []Metrics {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.latest
}
