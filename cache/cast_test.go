// The cast of the tests: processes that share one fake Redis, a source that counts its loads, herds of callers, and
// claims about what they saw.

package cache

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// A doc is what the tests cache.
type doc struct {
	Text string
}

// testPolicy is the policy of most tests. Loads take up to 3 s, a dead holder costs 2 s.
func testPolicy(s Strategy) Policy {
	return Policy{
		Strategy: s, SoftTTL: time.Minute, HardTTL: 10 * time.Minute, NegativeTTL: 30 * time.Second, LocalTTL: 5 * time.Second,
		Beta: 1, LoadTimeout: 3 * time.Second, LeaseTTL: 2 * time.Second,
	}
}

// keyOf is the Redis key of id in the group of the test processes.
func keyOf(id string) string { return "{test:docs:" + id + "}" }

// A testProcess is one process of the site.
type testProcess struct {
	*Cache
	*Group[doc]
	remote *fakeRemote
}

// start starts a process on f whose subscription is live.
func (f *fakeRedis) start(t testing.TB, p Policy) *testProcess {
	t.Helper()
	return f.startSchema(t, p, 1)
}

// startSchema starts a process of a program with another schema number.
func (f *fakeRedis) startSchema(t testing.TB, p Policy, schema uint16) *testProcess {
	t.Helper()
	m, err := newMetrics(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	r := &fakeRemote{redis: f}
	c, err := newCache(r, m, Options{Namespace: "test", MaxLoads: 8, MaxWait: 500 * time.Millisecond, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	g, err := NewGroup[doc](c, "docs", schema, p)
	if err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.subscribers = append(f.subscribers, c.handle)
	c.process.subscribed.Store(true)
	return &testProcess{c, g, r}
}

// vanish cuts a process off, as SIGKILL would: no command of it arrives any more.
func (p *testProcess) vanish() { p.remote.onCommand(failing(refused)) }

// A source is the expensive thing behind the cache: one row that takes a while to read.
type source struct {
	takes time.Duration
	gate  chan struct{} // if not nil, a load waits for it to close
	bad   func()        // if not nil, what a load does at its end

	mu     sync.Mutex // guards the rest
	row    doc
	err    error
	begun  int
	active int
	peak   int // most loads at once
}

// load reads the row first and returns late: what makes an answer old is what happens in between.
func (s *source) load(ctx context.Context) (doc, error) {
	s.mu.Lock()
	s.begun++
	s.active++
	s.peak = max(s.peak, s.active)
	row, err := s.row, s.err
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.active--
		s.mu.Unlock()
	}()
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return doc{}, ctx.Err()
		}
	}
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return doc{}, ctx.Err()
	}
	if s.bad != nil {
		s.bad()
	}
	return row, err
}

// edit changes the row; fail makes loads that begin from now on fail, or succeed again.
func (s *source) edit(text string) { s.mu.Lock(); defer s.mu.Unlock(); s.row.Text = text }
func (s *source) fail(err error)   { s.mu.Lock(); defer s.mu.Unlock(); s.err = err }
func (s *source) loads() int       { s.mu.Lock(); defer s.mu.Unlock(); return s.begun }

func holding(text string, takes time.Duration) *source {
	return &source{row: doc{Text: text}, takes: takes}
}

// An answer is what one caller saw.
type answer struct {
	doc  doc
	err  error
	took time.Duration
}

// herd makes n calls at once and returns all answers.
func herd(n int, get func(i int) (doc, error)) []answer {
	answers := make([]answer, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			start := time.Now()
			d, err := get(i)
			answers[i] = answer{d, err, time.Since(start)}
		})
	}
	wg.Wait()
	return answers
}

// async makes one call in the background.
func async(get func() (doc, error)) <-chan answer {
	done := make(chan answer, 1)
	go func() { done <- herd(1, func(int) (doc, error) { return get() })[0] }()
	return done
}

func wantLoads(t *testing.T, s *source, want int) {
	t.Helper()
	if got := s.loads(); got != want {
		t.Errorf("%d loads, want %d", got, want)
	}
}

func wantText(t *testing.T, want string, answers ...answer) {
	t.Helper()
	for i, a := range answers {
		if a.err != nil || a.doc.Text != want {
			t.Fatalf("answer %d of %d is %q, %v after %v; want %q", i+1, len(answers), a.doc.Text, a.err, a.took, want)
		}
	}
}

func wantErr(t *testing.T, want error, answers ...answer) {
	t.Helper()
	for i, a := range answers {
		if !errors.Is(a.err, want) {
			t.Fatalf("answer %d of %d is %q, %v after %v; want error %q", i+1, len(answers), a.doc.Text, a.err, a.took, want)
		}
	}
}

func wantTook(t *testing.T, want time.Duration, answers ...answer) {
	t.Helper()
	for i, a := range answers {
		if a.took != want {
			t.Fatalf("answer %d of %d took %v, want %v", i+1, len(answers), a.took, want)
		}
	}
}

// counted reads a counter.
func counted(t *testing.T, c prometheus.Counter) float64 {
	t.Helper()
	var m dto.Metric
	if err := c.Write(&m); err != nil {
		t.Fatal(err)
	}
	return m.GetCounter().GetValue()
}

func wantCount(t *testing.T, what string, c prometheus.Counter, want float64) {
	t.Helper()
	if got := counted(t, c); got != want {
		t.Errorf("%s counted %v times, want %v", what, got, want)
	}
}

// get is one traced call: the answer, and how it came.
func (p *testProcess) get(id string, s *source) (answer, Result) {
	ctx, trace := WithTrace(context.Background())
	a := herd(1, func(int) (doc, error) { return p.Get(ctx, id, s.load) })[0]
	return a, trace.Lookups()[0].Result
}

func wantResult(t *testing.T, got, want Result) {
	t.Helper()
	if got != want {
		t.Errorf("answered by %q, want %q", got, want)
	}
}
