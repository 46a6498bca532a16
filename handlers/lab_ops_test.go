// The ops view: there only when asked for, its figures those of the registry, and the checklist worked through once at a time.

package handlers_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"podbor/handlers"
)

func TestNoLabUnlessAskedFor(t *testing.T) {
	s := newSite(t)
	wantStatus(t, s.get(t, "/lab/ops"), http.StatusOK)
	without := s.config
	without.Lab, without.Registry = nil, prometheus.NewRegistry()
	off := handlers.New(without)
	for _, route := range off.Routes() {
		if strings.HasPrefix(route.Path, "/lab") {
			t.Errorf("%s %s exists", route.Method, route.Path)
		}
	}
	for _, path := range []string{"/lab", "/lab/ops"} {
		answer := httptest.NewRecorder()
		off.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if answer.Code != http.StatusNotFound {
			t.Errorf("%s without a lab: status %d", path, answer.Code)
		}
	}
}

func TestOpsShowsWhatTheRegistryCounts(t *testing.T) {
	s := newSite(t)
	s.get(t, "/lab/ops") // the sample that "the last minute" begins with
	for range 20 {
		wantStatus(t, s.get(t, "/moscow"), http.StatusOK)
	}
	lookups := 0
	families, err := s.registry.Gather()
	must(t, err)
	for _, family := range families {
		if family.GetName() != "cache_requests_total" {
			continue
		}
		for _, m := range family.GetMetric() {
			if hasLabel(m, "facets") {
				lookups += int(m.GetCounter().GetValue())
			}
		}
	}
	if lookups != 20 {
		t.Fatalf("the registry counts %d lookups of facets", lookups)
	}
	for _, path := range []string{"/lab/ops", "/lab/ops?span=minute"} {
		page := s.page(t, path)
		card := page.Find("[data-prefix=facets]")
		if text := card.Text(); !strings.Contains(text, "20 lookups") || !strings.Contains(text, "95% hits") || !strings.Contains(text, "1 acquired") {
			t.Errorf("%s: facets are %s", path, text)
		}
		if page.Find("#ops-live").Length() != 1 || !strings.Contains(page.Find("noscript").Text(), `http-equiv="refresh"`) || page.Find("script[src]").Length() != 1 {
			t.Errorf("%s does not update by itself", path)
		}
		if text := page.Find("#ops-live").Text(); !strings.Contains(text, "closed") || !strings.Contains(text, "rejected connections") || !strings.Contains(text, "evicted keys") {
			t.Errorf("%s says of Redis: %s", path, text)
		}
	}
	still := s.page(t, "/lab/ops?still=1")
	if still.Find("noscript, script").Length() > 0 {
		t.Error("a page that was stopped updates all the same")
	}
	wantHeader(t, s.get(t, "/lab/ops"), "Cache-Control", "no-store")
}

func hasLabel(m *dto.Metric, value string) bool {
	for _, label := range m.GetLabel() {
		if label.GetValue() == value {
			return true
		}
	}
	return false
}

// While Redis is away the page is there, and says so.
func TestOpsWithoutRedis(t *testing.T) {
	s := newSite(t)
	must(t, s.sessions.Close())
	if text := s.page(t, "/lab/ops").Find(".lab-state.bad").Text(); text != "does not answer" {
		t.Errorf("a Redis that is away: %q", text)
	}
}

func TestOpsChecklist(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	page := b.get(t, "/lab/ops")
	wantStatus(t, b.do(t, http.MethodPost, "/lab/ops/checklist", url.Values{}), http.StatusForbidden)
	if parse(t, b.get(t, "/lab/ops")).Find(".lab-checks").Length() > 0 {
		t.Fatal("a forged form has started a check")
	}
	var presses sync.WaitGroup
	for range 3 {
		presses.Go(func() {
			a := b.submit(t, page, "#checklist form", nil)
			wantStatus(t, a, http.StatusSeeOther)
			wantHeader(t, a, "Location", "/lab/ops#checklist")
		})
	}
	presses.Wait()
	// One herd per page, not three: the visit asks twice for an apartment that does not exist.
	metrics := s.get(t, "/metrics").body
	if !strings.Contains(metrics, `http_requests_total{method="GET",route="/apartments/:id",status="404"} 2`) {
		t.Error("three presses at once were not one check")
	}
	doc := parse(t, b.get(t, "/lab/ops"))
	if text := doc.Find("#checklist").Text(); !strings.Contains(text, "checks hold") || !strings.Contains(text, "protected against a herd") || !strings.Contains(text, "memory is limited") {
		t.Errorf("the checklist says %.500s", text)
	}
	if failed := doc.Find("#checklist > .lab-checks").Text(); strings.Contains(failed, "TTL") || strings.Contains(failed, "herd") {
		t.Errorf("falls short: %s", failed)
	}
}

// In a browser the figures change without a reload, and stop when the visitor says so.
func TestOpsUpdatesByItself(t *testing.T) {
	s := newSite(t)
	tab := s.tab(t, chromium(t), phone)
	tab.open(t, "/lab/ops")
	ask[bool](t, tab, `window.same = true`)
	wantStatus(t, s.get(t, "/moscow"), http.StatusOK)
	tab.wait(t, `document.querySelector("[data-prefix=facets]")?.textContent.includes("1 lookup,") === true`)
	if !ask[bool](t, tab, `window.same === true`) {
		t.Error("the page was loaded anew")
	}
	tab.follow(t, ".lab-toggle")
	if ask[int](t, tab, `document.scripts.length`) > 0 {
		t.Error("the stopped page has a script")
	}
	wantNoFaults(t, tab, "/lab/ops")
}
