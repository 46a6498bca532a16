package herd

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"podbor/internal/report"
)

func TestSteadyKeepsItsDistance(t *testing.T) {
	var due []time.Duration
	for a := range Steady(-time.Second, time.Second, 2, 3, true, func(int) string { return "/" }) {
		due = append(due, a.Due)
		if want := (len(due) - 1) % 3; a.Process != want || !a.Hot {
			t.Errorf("Arrival %d goes to process %d, hot %v; want process %d, hot", len(due), a.Process, a.Hot, want)
		}
	}
	if want := []time.Duration{-time.Second, -500 * time.Millisecond, 0, 500 * time.Millisecond}; !slices.Equal(due, want) {
		t.Errorf("arrivals are due at %v, want %v", due, want)
	}
	for range Steady(0, time.Second, 0, 1, true, nil) {
		t.Error("a rate of 0 has an arrival")
	}
}

func TestHerdArrivesAtOnce(t *testing.T) {
	perProcess := map[int]int{}
	for a := range AtOnce(time.Millisecond, 200, 3, "/moscow") {
		if a.Due != time.Millisecond || a.Path != "/moscow" || !a.Hot {
			t.Fatalf("unexpected Arrival %+v", a)
		}
		perProcess[a.Process]++
	}
	if perProcess[0] != 67 || perProcess[1] != 67 || perProcess[2] != 66 {
		t.Errorf("processes get %v of 200", perProcess)
	}
}

// site starts a stub that answers like handler and returns a client for it.
func site(t *testing.T, handler http.HandlerFunc, timeout time.Duration) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c := NewClient([]string{strings.TrimPrefix(server.URL, "http://")}, timeout)
	t.Cleanup(c.Close)
	return c
}

func page(int) string { return "/" }

// A generator that waited for answers would send nothing while the site is frozen, and report one slow request.
func TestFrozenSiteShowsInThePercentiles(t *testing.T) {
	const frozen = 1700 * time.Millisecond // more than half of the time that requests come
	thaw := make(chan struct{})
	var freeze atomic.Bool
	c := site(t, func(http.ResponseWriter, *http.Request) {
		if freeze.Load() {
			<-thaw
		}
	}, 10*time.Second)
	time.AfterFunc(500*time.Millisecond, func() { freeze.Store(true) })
	time.AfterFunc(500*time.Millisecond+frozen, func() { freeze.Store(false); close(thaw) })

	hot, _ := Generator{Client: c, MaxInFlight: 1000}.Send(t.Context(), nil, time.Now(), Steady(0, 3*time.Second, 100, 1, true, page))

	latency := report.NewLatency(report.Latencies(hot))
	if len(hot) != 300 {
		t.Errorf("sent %d requests, want all 300", len(hot))
	}
	if low, high := 0.9*report.MS(frozen), 2*report.MS(frozen); latency.P99 < low || latency.Max > high || latency.Max < latency.P99 {
		t.Errorf("p99 %.0f ms, max %.0f ms; want both about %v", latency.P99, latency.Max, frozen)
	}
	if latency.P50 < 10 {
		t.Errorf("the median is %.0f ms: half of the requests came while the site was frozen", latency.P50)
	}
	if g := Judge(hot, 0); g.LateP99MS > report.MS(frozen)/2 {
		t.Errorf("the generator waited for the site: %+v", g)
	}
}

func TestRefusalsAreReportedApart(t *testing.T) {
	c := site(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, time.Second)
	hot, _ := Generator{Client: c, MaxInFlight: 1000}.Send(t.Context(), nil, time.Now(), AtOnce(0, 20, 1, "/"))

	r := report.Summarise(hot, nil)
	if r.Requests != 20 || r.Errors != 20 || r.OK != 0 || r.Timeouts != 0 || r.Status["503"] != 20 {
		t.Errorf("got %+v, want 20 errors of status 503", r)
	}
	if hot[0].Outcome != report.Shed {
		t.Errorf("outcome %q, want %q", hot[0].Outcome, report.Shed)
	}
}

func TestTimeoutsCountFromWhenTheRequestWasDue(t *testing.T) {
	c := site(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 200*time.Millisecond)
	// Due in the past: this visitor has only half of the patience left.
	r := c.Get(t.Context(), time.Now().Add(-100*time.Millisecond), Arrival{Path: "/"})
	if r.Outcome != report.Timeout || r.Latency() < 190 || r.Latency() > 1000 {
		t.Errorf("%s after %.0f ms, want %s after 200 ms", r.Outcome, r.Latency(), report.Timeout)
	}
}

// 5 requests under way, 50 ms each, make 100 a second; 200 cannot be kept.
func TestGeneratorSaysThatItCouldNotKeepItsRate(t *testing.T) {
	slow := func(http.ResponseWriter, *http.Request) { time.Sleep(50 * time.Millisecond) }
	g := Generator{Client: site(t, slow, 5*time.Second), MaxInFlight: 5}

	hot, _ := g.Send(t.Context(), nil, time.Now(), Steady(0, time.Second, 200, 1, true, page))
	judged := Judge(hot, 0)
	if judged.KeptUp || judged.LateP99MS < 500 {
		t.Errorf("at twice the possible rate the generator says %+v", judged)
	}
	if p50 := report.NewLatency(report.Latencies(hot)).P50; p50 < 200 {
		t.Errorf("median %.0f ms: the wait for the generator does not count", p50)
	}
	hot, _ = g.Send(t.Context(), nil, time.Now(), Steady(0, time.Second, 40, 1, true, page))
	if kept := Judge(hot, 0); kept.LateP99MS > judged.LateP99MS/2 {
		t.Errorf("at less than half of the possible rate the generator says %+v", kept)
	}
}

func TestSendStopsWhenToldTo(t *testing.T) {
	c := site(t, func(http.ResponseWriter, *http.Request) {}, time.Second)
	endless := func(zero time.Time, ctx context.Context, enough chan struct{}) int {
		_, other := Generator{Client: c, MaxInFlight: 10}.Send(ctx, enough, zero, Steady(0, time.Hour, 100, 1, false, page))
		return len(other)
	}
	enough := make(chan struct{})
	time.AfterFunc(200*time.Millisecond, func() { close(enough) })
	if n := endless(time.Now(), t.Context(), enough); n < 5 || n > 40 {
		t.Errorf("sent %d in 0.2 s at 100 a second", n)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if n := endless(time.Now(), ctx, nil); n < 5 || n > 40 {
		t.Errorf("sent %d until cancelled after 0.2 s at 100 a second", n)
	}
}

func TestPreparedConnectionsAreUsed(t *testing.T) {
	var opened atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(20 * time.Millisecond) }))
	server.Config.ConnState = countNew(&opened)
	server.Start()
	defer server.Close()
	c := NewClient([]string{strings.TrimPrefix(server.URL, "http://")}, time.Second)
	defer c.Close()
	if err := c.Prepare(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	hot, _ := Generator{Client: c, MaxInFlight: 100}.Send(t.Context(), nil, time.Now(), AtOnce(0, 10, 1, "/"))
	if r := report.Summarise(hot, nil); r.OK != 10 || opened.Load() != 10 {
		t.Errorf("%d of 10 requests answered over %d connections, want each over its own prepared one", r.OK, opened.Load())
	}
}

func countNew(n *atomic.Int64) func(net.Conn, http.ConnState) {
	return func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			n.Add(1)
		}
	}
}
