// Cache-Status and Server-Timing.

package handlers

import (
	"testing"
	"time"

	"podbor/models"
)

func TestCacheStatus(t *testing.T) {
	for _, test := range []struct {
		lookup models.Lookup
		want   string
	}{
		{models.Lookup{Prefix: "facets", Result: "l1", TTL: 57 * time.Second}, "podbor-facets; hit; ttl=57; detail=l1"},
		{models.Lookup{Prefix: "facets", Result: "redis", TTL: 900 * time.Millisecond}, "podbor-facets; hit; ttl=0; detail=redis"},
		{models.Lookup{Prefix: "list", Result: "stale", TTL: -3 * time.Second}, "podbor-list; hit; ttl=-3; detail=stale"},
		{models.Lookup{Prefix: "apartment", Result: "negative", TTL: time.Minute}, "podbor-apartment; hit; ttl=60; detail=negative"},
		{models.Lookup{Prefix: "list", Result: "coalesced"}, "podbor-list; fwd=uri-miss; collapsed; detail=coalesced"},
		{models.Lookup{Prefix: "list", Result: "waited"}, "podbor-list; fwd=uri-miss; collapsed; detail=waited"},
		{models.Lookup{Prefix: "list", Result: "loaded"}, "podbor-list; fwd=uri-miss; detail=loaded"},
		{models.Lookup{Prefix: "list", Result: "shed"}, "podbor-list; fwd=uri-miss; detail=shed"},
		{models.Lookup{Prefix: "list", Result: "error"}, "podbor-list; fwd=uri-miss; detail=error"},
	} {
		if got := cacheStatus([]models.Lookup{test.lookup}); got != test.want {
			t.Errorf("cacheStatus(%s) = %q, want %q", test.lookup.Result, got, test.want)
		}
	}
	two := []models.Lookup{{Prefix: "cities", Result: "l1"}, {Prefix: "list", Result: "loaded"}}
	if got, want := cacheStatus(two), "podbor-cities; hit; ttl=0; detail=l1, podbor-list; fwd=uri-miss; detail=loaded"; got != want {
		t.Errorf("cacheStatus of two = %q, want %q", got, want)
	}
}

func TestServerTiming(t *testing.T) {
	lookups := []models.Lookup{
		{Prefix: "cities"},
		{Prefix: "facets", Redis: 400 * time.Microsecond, Lease: 2 * time.Millisecond, Load: 143200 * time.Microsecond},
	}
	const phases = "facets-redis;dur=0.4, facets-lease;dur=2.0, facets-load;dur=143.2"
	for recorded, want := range map[string]string{"": phases, "render;dur=0.1": phases + ", render;dur=0.1"} {
		if got := serverTiming(lookups, recorded); got != want {
			t.Errorf("serverTiming with %q = %q, want %q", recorded, got, want)
		}
	}
	if got := serverTiming(nil, ""); got != "" {
		t.Errorf("serverTiming of nothing = %q", got)
	}
}
