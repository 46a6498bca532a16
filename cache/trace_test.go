// What callers, headers and dashboards are told about a lookup.

package cache

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// traced is a call and its trace.
func (p *testProcess) traced(s *source) Lookup {
	ctx, trace := WithTrace(context.Background())
	_, _ = p.Get(ctx, "1", s.load)
	return trace.Lookups()[0]
}

func wantLookup(t *testing.T, got, want Lookup) {
	t.Helper()
	if (got.Age > 0) == got.Start.IsZero() {
		t.Errorf("an answer of age %v began at %v", got.Age, got.Start)
	}
	want.Start = got.Start
	want.Prefix = "docs"
	if got != want {
		t.Errorf("lookup\n %+v, want\n %+v", got, want)
	}
}

func TestTheTraceTellsHowALookupWasAnswered(t *testing.T) {
	const load = 100 * time.Millisecond
	bubble(t, map[string]func(t *testing.T){
		"by a load, a flight, a lease, Redis and L1": func(t *testing.T) {
			f := newFakeRedis()
			p, other := f.start(t, testPolicy(Both)), f.start(t, testPolicy(Both))
			p.remote.delay = map[string]time.Duration{"get": time.Millisecond}
			s := holding("a", load)
			lookups := make([]Lookup, 3)
			herd(3, func(i int) (doc, error) {
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
				lookups[i] = []*testProcess{p, p, other}[i].traced(s)
				return doc{}, nil
			})
			ttl := time.Minute - load
			wantLookup(t, lookups[0], Lookup{Result: Loaded, Age: load, TTL: ttl, Redis: time.Millisecond, Load: load})
			wantLookup(t, lookups[1], Lookup{Result: Coalesced, Age: load, TTL: ttl, Flight: load + time.Millisecond - 10*time.Millisecond})
			wantLookup(t, lookups[2], Lookup{Result: Waited, Age: load, TTL: ttl, Lease: load + time.Millisecond - 20*time.Millisecond})
			wantLookup(t, p.traced(s), Lookup{Result: HitL1, Age: load, TTL: ttl})
			p.process.flush()
			wantLookup(t, p.traced(s), Lookup{Result: HitRedis, Age: load + time.Millisecond, TTL: ttl - time.Millisecond, Redis: time.Millisecond})
		},
		"with a stale value": func(t *testing.T) {
			s := holding("a", 0)
			p := newFakeRedis().start(t, testPolicy(SWR))
			p.get("1", s)
			time.Sleep(61 * time.Second)
			wantLookup(t, p.traced(s), Lookup{Result: Stale, Age: 61 * time.Second, TTL: -time.Second})
		},
		"with nothing stored": func(t *testing.T) {
			s := holding("a", load)
			wantLookup(t, newFakeRedis().start(t, testPolicy(Off)).traced(s), Lookup{Result: Loaded, Age: load, Load: load})
		},
		"by nobody": func(t *testing.T) {
			s := holding("a", load)
			s.fail(context.Canceled)
			wantLookup(t, newFakeRedis().start(t, testPolicy(Off)).traced(s), Lookup{Result: Failed, Load: load})
		},
	})
}

// The names and labels are a contract with scripts and dashboards; series exist before their first event.
func TestMetricsThatOthersReadExistFromTheStart(t *testing.T) {
	registry := prometheus.NewRegistry()
	m, err := newMetrics(registry)
	if err != nil {
		t.Fatal(err)
	}
	newGuarded(&fakeRemote{redis: newFakeRedis()}, "cache", m, slog.New(slog.DiscardHandler))
	m.of("docs")
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, f := range families {
		for _, series := range f.GetMetric() {
			text := ""
			for _, l := range series.GetLabel() {
				text += l.GetName() + "=" + l.GetValue() + " "
			}
			got[f.GetName()] = append(got[f.GetName()], text)
		}
	}
	want := map[string][]string{
		"cache_load_seconds":       {"prefix=docs "},
		"cache_lease_wait_seconds": {"prefix=docs "},
		"cache_breaker_state":      {"server=cache "},
	}
	for _, result := range []string{"l1", "redis", "stale", "negative", "coalesced", "waited", "loaded", "shed", "error"} {
		want["cache_requests_total"] = append(want["cache_requests_total"], "prefix=docs result="+result+" ")
	}
	for _, outcome := range []string{"ok", "not_found", "error", "timeout", "panic"} {
		want["cache_loads_total"] = append(want["cache_loads_total"], "outcome="+outcome+" prefix=docs ")
	}
	for _, event := range []string{"acquired", "held", "renewed", "committed", "lost", "fenced", "takeover"} {
		want["cache_leases_total"] = append(want["cache_leases_total"], "event="+event+" prefix=docs ")
	}
	for name, series := range want {
		slices.Sort(series)
		if !slices.Equal(got[name], series) {
			t.Errorf("%s has series %q, want %q", name, got[name], series)
		}
	}
}

func TestEveryAnswerIsCountedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newFakeRedis().start(t, testPolicy(Both))
		s := holding("a", 10*time.Millisecond)
		herd(20, func(int) (doc, error) { return p.Get(t.Context(), "1", s.load) })
		p.get("1", s)
		for result, want := range map[Result]float64{Loaded: 1, Coalesced: 19, HitL1: 1, HitRedis: 0, Failed: 0} {
			wantCount(t, string(result), p.kind.metrics.requests[result], want)
		}
		wantCount(t, "loads", p.kind.metrics.loads(loadOK), 1)
		wantCount(t, "leases", p.kind.metrics.leases(leaseAcquired), 1)
	})
}
