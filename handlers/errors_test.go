// What goes wrong on purpose, and how it is answered, logged and counted.

package handlers_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/labstack/echo/v4"

	"podbor/cache"
)

func TestMethods(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/moscow", "/apartments/1", "/healthz", "/static/site.css"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch} {
			a := s.do(t, method, path)
			wantStatus(t, a, http.StatusMethodNotAllowed)
			if allow := a.Header.Get("Allow"); !strings.Contains(allow, "GET") || !strings.Contains(allow, "HEAD") {
				t.Errorf("%s %s: Allow is %q", method, path, allow)
			}
		}
	}
}

// HEAD has the headers of GET, and no body.
func TestHead(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/moscow", "/moscow?rooms=x", "/atlantis", "/healthz", "/art/facade/12-9-3-1975.svg"} {
		get, head := s.get(t, path), s.do(t, http.MethodHead, path)
		if head.StatusCode != get.StatusCode || head.body != "" {
			t.Errorf("HEAD %s: status %d and %d bytes, want %d and none", path, head.StatusCode, len(head.body), get.StatusCode)
		}
		for _, name := range []string{"Content-Type", "Content-Security-Policy", "Vary", "Cache-Control"} {
			wantHeader(t, head, name, get.Header.Get(name))
		}
		if head.Header.Get("Content-Length") == "" {
			t.Errorf("HEAD %s states no length", path)
		}
	}
}

func TestTrailingSlash(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]string{
		"/moscow/": "/moscow", "/moscow/?rooms=2": "/moscow?rooms=2", "/apartments/1/": "/apartments/1", "//example.com/": "/example.com",
	} {
		a := s.get(t, path)
		wantStatus(t, a, http.StatusMovedPermanently)
		wantHeader(t, a, "Location", want)
	}
}

// A database that is away is nobody's fault: 503, except for what the process has a copy of; and it heals by itself.
func TestADatabaseThatIsAway(t *testing.T) {
	s := newSite(t)
	s.page(t, "/moscow")
	openAgain := s.closeDatabase(t)

	for _, path := range []string{"/moscow?rooms=2", "/apartments/1"} {
		a := s.get(t, path)
		wantStatus(t, a, http.StatusServiceUnavailable)
		wantWellFormed(t, a.body)
		if a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
	}
	if notice := s.page(t, "/moscow").Find(".notice").Text(); notice != "" {
		t.Errorf("a page of fresh data has the notice %q", notice)
	}
	// The list of the cities lives for 5 s, and is served beyond that because the load fails.
	eventually(t, "the page says that its data is old", func() bool {
		return strings.Contains(s.page(t, "/moscow").Find(".notice").Text(), "database")
	})
	wantStatus(t, s.get(t, "/healthz"), http.StatusOK)
	wantStatus(t, s.get(t, "/readyz"), http.StatusServiceUnavailable)

	openAgain()
	wantStatus(t, s.get(t, "/moscow?rooms=2"), http.StatusOK)
	eventually(t, "the page has fresh data again", func() bool { return s.page(t, "/moscow").Find(".notice").Length() == 0 })
}

// closeDatabase ends all connections to the site's database, and lets nobody in until the returned function is called.
func (s *testSite) closeDatabase(t testing.TB) (openAgain func()) {
	t.Helper()
	elsewhere, err := pgx.ParseConfig(s.database)
	must(t, err)
	name := elsewhere.Database
	elsewhere.Database = "postgres"
	conn, err := pgx.ConnectConfig(t.Context(), elsewhere)
	must(t, err)
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	exec := func(query string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), query)
		must(t, err)
	}
	exec("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false")
	exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'")
	return func() { exec("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true") }
}

// While every load waits for a locked table, the one load that this process may run is taken: others are refused.
func TestOverloadIsRefusedQuickly(t *testing.T) {
	s := newSite(t, func(o *cache.Options) { o.MaxLoads, o.MaxWait = 1, 20*time.Millisecond })
	s.page(t, "/moscow")
	unlock := s.lockApartments(t)
	slow := s.background(t.Context(), t, "/moscow?rooms=1")
	s.waitForLockedQuery(t)

	a := s.get(t, "/moscow?rooms=2")
	wantStatus(t, a, http.StatusServiceUnavailable)
	wantWellFormed(t, a.body)
	if after, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || after < 2 || after > 5 {
		t.Errorf("Retry-After is %q, want 2 to 5 seconds", a.Header.Get("Retry-After"))
	}
	if got := a.Header.Get("Cache-Status"); !strings.HasSuffix(got, "podbor-facets; fwd=uri-miss; detail=shed") {
		t.Errorf("Cache-Status is %q", got)
	}
	if href := parse(t, a).Find(".actions a").First().AttrOr("href", ""); href != "/moscow?rooms=2" {
		t.Errorf("the page offers to try %q again", href)
	}

	unlock()
	if status := <-slow; status != http.StatusOK {
		t.Errorf("the load under way ended with status %d", status)
	}
	s.page(t, "/moscow?rooms=2")
}

// A visitor who leaves is no error of ours: nothing above Debug in the log, and a count of its own.
func TestVisitorLeaves(t *testing.T) {
	s := newSite(t)
	s.page(t, "/moscow")
	unlock := s.lockApartments(t)
	ctx, leave := context.WithCancel(t.Context())
	gone := s.background(ctx, t, "/moscow?rooms=1")
	s.waitForLockedQuery(t)
	leave()
	<-gone
	eventually(t, "the request to be counted", func() bool {
		return s.requests(t, "/:city", "GET", "499") == 1
	})
	unlock()
	if warnings := s.log.warnings(); warnings != "" {
		t.Errorf("logged: %s", warnings)
	}
}

// A handler that panics costs its own request an error page, and leaves the stack in the log.
func TestPanic(t *testing.T) {
	s := newSite(t)
	s.echo.GET("/panic", func(echo.Context) error { panic("at the disco") })
	a := s.get(t, "/panic", "X-Request-ID", "find-me")
	wantStatus(t, a, http.StatusInternalServerError)
	wantWellFormed(t, a.body)
	if text := parse(t, a).Find("main").Text(); !strings.Contains(text, "find-me") || strings.Contains(text, "disco") {
		t.Errorf("the page must show the request's id and no inner detail: %s", text)
	}
	log := s.log.warnings()
	if strings.Count(log, "\n") != 1 || !strings.Contains(log, "at the disco") || !strings.Contains(log, "errors_test.go") {
		t.Errorf("want one line with the panic and its stack, got: %s", log)
	}
	s.page(t, "/moscow")
}

func TestRequestID(t *testing.T) {
	s := newSite(t)
	wantHeader(t, s.get(t, "/healthz", "X-Request-ID", "abc-123_X"), "X-Request-Id", "abc-123_X")
	for _, hostile := range []string{"a b", `"quoted"`, strings.Repeat("x", 65), ""} {
		if got := s.get(t, "/healthz", "X-Request-ID", hostile).Header.Get("X-Request-Id"); got == hostile || len(got) < 20 {
			t.Errorf("for the id %q the answer carries %q", hostile, got)
		}
	}
}

// Labels are route templates and known methods, so that visitors cannot invent time series.
func TestMetricLabelsAreBounded(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/moscow", "/kazan", "/atlantis", "/a/b/c", "/moscow/", "/apartments/1", "/apartments/x"} {
		s.get(t, path)
	}
	s.do(t, "BREW", "/moscow")
	body := s.get(t, "/metrics").body
	for _, want := range []string{`route="/:city"`, `route="/apartments/:id"`, `route="none"`, `method="other"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in /metrics", want)
		}
	}
	series := 0
	for _, line := range strings.Split(body, "\n") {
		if strings.HasPrefix(line, "http_requests_total{") {
			series++
		}
		if strings.HasPrefix(line, "http_") && (strings.Contains(line, "atlantis") || strings.Contains(line, "/a/b") || strings.Contains(line, "BREW")) {
			t.Errorf("what a visitor typed became a label: %s", line)
		}
	}
	if series == 0 || series > 8 {
		t.Errorf("%d series of http_requests_total", series)
	}
}

// lockApartments makes every query of apartments wait until unlock is called.
func (s *testSite) lockApartments(t *testing.T) (unlock func()) {
	t.Helper()
	tx, err := s.sql.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), `LOCK TABLE apartments IN ACCESS EXCLUSIVE MODE`)
	must(t, err)
	return func() { must(t, tx.Commit()) }
}

func (s *testSite) waitForLockedQuery(t *testing.T) {
	t.Helper()
	eventually(t, "a query to wait for the lock", func() bool {
		return s.number(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	})
}

// background sends a request and reports its status, 0 when the client gave up.
func (s *testSite) background(ctx context.Context, t *testing.T, path string) <-chan int {
	t.Helper()
	status := make(chan int, 1)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	must(t, err)
	go func() {
		response, err := s.client.Do(request)
		if err != nil {
			status <- 0
			return
		}
		response.Body.Close()
		status <- response.StatusCode
	}()
	return status
}

// requests reads one series of http_requests_total.
func (s *testSite) requests(t *testing.T, route, method, status string) float64 {
	t.Helper()
	families, err := s.registry.Gather()
	must(t, err)
	want := map[string]string{"route": route, "method": method, "status": status}
	for _, family := range families {
		if family.GetName() != "http_requests_total" {
			continue
		}
	series:
		for _, m := range family.GetMetric() {
			for _, label := range m.GetLabel() {
				if want[label.GetName()] != label.GetValue() {
					continue series
				}
			}
			return m.GetCounter().GetValue()
		}
	}
	return 0
}
