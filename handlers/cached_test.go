// The cache as a visitor can see it: the headers of cold and warm pages.

package handlers_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"podbor/models"
)

func TestProvenanceOfPages(t *testing.T) {
	s := newSite(t)
	eventually(t, "the subscription, without which L1 is not trusted", func() bool {
		return strings.HasSuffix(s.get(t, "/kazan").Header.Get("Cache-Status"), "detail=l1")
	})
	for _, test := range []struct {
		path     string
		prefixes []string
		loaded   string
	}{
		{"/moscow?rooms=2", []string{"cities", "facets", "list"}, "facets"},
		{"/", []string{"cities", "home", "flag"}, "home"},
		{"/apartments/1", []string{"apartment", "cities", "similar", "flag", "views"}, "apartment"},
	} {
		cold, warm := s.get(t, test.path), s.get(t, test.path)
		for i, prefix := range test.prefixes {
			first, second := member(t, cold, i), member(t, warm, i)
			if !strings.HasPrefix(first, "podbor-"+prefix+"; ") || !strings.HasPrefix(second, "podbor-"+prefix+"; hit; ttl=") {
				t.Errorf("%s, lookup %d: cold %q, warm %q", test.path, i, first, second)
			}
			if prefix != "cities" && prefix != "flag" && !strings.HasSuffix(first, "; fwd=uri-miss; detail=loaded") {
				t.Errorf("%s: cold %q", test.path, first)
			}
			if !strings.HasSuffix(second, "detail=l1") {
				t.Errorf("%s: warm %q", test.path, second)
			}
		}
		for _, phase := range []string{test.loaded + "-load;dur=", "query;dur=", "render;dur="} {
			if got := cold.Header.Get("Server-Timing"); !strings.Contains(got, phase) {
				t.Errorf("%s: Server-Timing %q lacks %s", test.path, got, phase)
			}
		}
		wantWellFormed(t, cold.body)
		if cold.body != warm.body {
			t.Errorf("%s: the cold and the warm page differ", test.path)
		}
	}
	if got := s.get(t, "/healthz").Header; got.Get("Cache-Status") != "" || got.Get("Server-Timing") != "" {
		t.Errorf("a probe has provenance: %v", got)
	}
}

// member returns one member of the Cache-Status list.
func member(t *testing.T, a answer, i int) string {
	t.Helper()
	members := strings.Split(a.Header.Get("Cache-Status"), ", ")
	if i >= len(members) {
		t.Fatalf("%s: Cache-Status %q has no member %d", a.Request.URL.Path, a.Header.Get("Cache-Status"), i)
	}
	return members[i]
}

// Values of L1 are shared by all requests, without a copy for each: see cache.NewGroup.
func TestPagesOnlyReadWhatTheyShare(t *testing.T) {
	s := newSite(t)
	shared := func() string {
		ctx := t.Context()
		cities, err := s.cached.Cities(ctx)
		must(t, err)
		city := cities[0]
		filter, err := models.ParseFilter(nil, city)
		must(t, err)
		list, err := s.cached.List(ctx, city, filter)
		must(t, err)
		facets, err := s.cached.Facets(ctx, city, filter)
		must(t, err)
		home, err := s.cached.Home(ctx)
		must(t, err)
		apartment, err := s.cached.Apartment(ctx, 1)
		must(t, err)
		values, err := json.Marshal([]any{cities, list, facets, home, apartment})
		must(t, err)
		return string(values)
	}
	before := shared()
	for _, path := range []string{"/", "/moscow", "/moscow?page=2", "/moscow?rooms=2&price_max=20000000", "/apartments/1"} {
		for range 2 { // from the load, then from L1
			wantStatus(t, s.get(t, path), http.StatusOK)
		}
	}
	if after := shared(); after != before {
		t.Errorf("a page has changed a shared value: before %s\nafter %s", before, after)
	}
}
