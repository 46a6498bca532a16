package herd

import (
	"maps"
	"testing"

	"podbor/internal/report"
)

func TestOutcomeOfAPage(t *testing.T) {
	for header, want := range map[string]report.Outcome{
		"podbor-cities; hit; ttl=4; detail=l1, podbor-facets; fwd=uri-miss; collapsed; detail=coalesced, podbor-list; hit; ttl=9; detail=redis": report.Coalesced,
		"podbor-cities; fwd=uri-miss; detail=loaded, podbor-facets; hit; ttl=57; detail=redis":                                                  report.Redis,
		"podbor-cities; hit; ttl=4; detail=l1, podbor-apartment; fwd=uri-miss; detail=loaded":                                                   report.Loaded,
		"podbor-facets; hit; ttl=-3; detail=stale":                                                                                              report.Stale,
		"": report.Loaded, // no cache, no header
	} {
		if got := outcomeOf(header); got != want {
			t.Errorf("outcomeOf(%q) = %q, want %q", header, got, want)
		}
	}
}

func TestPhases(t *testing.T) {
	got := phases("facets-flight;dur=150.2, pool;dur=0.1, odd, odder;desc=x, broken;dur=")
	if want := map[string]float64{"facets-flight": 150.2, "pool": 0.1}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if phases("") != nil {
		t.Error("no header has phases")
	}
}
