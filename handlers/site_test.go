// The site under test: the real handlers on a real PostgreSQL with 2,000 seeded apartments, and a real Redis.

package handlers_test

import (
	"bytes"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/net/html"

	"podbor/cache"
	"podbor/handlers"
	"podbor/internal/checklist"
	"podbor/internal/herd"
	"podbor/internal/lab"
	"podbor/internal/redisstats"
	"podbor/internal/servers/serverstest"
	"podbor/internal/visitor"
	"podbor/models"
	"podbor/seed"
)

func TestMain(m *testing.M) { serverstest.Main(m) }

const testRows = 2000

// testSite is one running site and what a test looks at behind its back.
type testSite struct {
	echo     *echo.Echo
	config   handlers.Config
	url      string
	database string // URL of its PostgreSQL
	redisURL string
	store    *models.Store
	cached   *models.Cached
	sql      *sql.DB // not the site's own pool
	redis    redis.UniversalClient
	sessions redis.UniversalClient // the site's own
	registry *prometheus.Registry
	log      *lockedBuffer
	client   *http.Client // follows no redirect
	program  string       // what the lab would run; nobody has built it yet
}

// newSite starts a site. The options may change how its cache is built.
func newSite(t testing.TB, options ...func(*cache.Options)) *testSite {
	t.Helper()
	url := serverstest.Database(t)
	db, err := models.Open(t.Context(), url, 2)
	must(t, err)
	must(t, db.Migrate(t.Context()))
	must(t, db.Close())
	must(t, seed.Run(t.Context(), url, testRows, nil))
	return startSite(t, url, serverstest.Redis(t), options...)
}

// startSite starts a process of the site on a database that is seeded.
func startSite(t testing.TB, url, redisURL string, options ...func(*cache.Options)) *testSite {
	t.Helper()
	db, err := models.Open(t.Context(), url, 10)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	namespace, err := db.Namespace(t.Context())
	must(t, err)

	s := &testSite{database: url, redisURL: redisURL, registry: prometheus.NewRegistry(), log: &lockedBuffer{}}
	log := slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if _, measuring := t.(*testing.B); measuring {
		log = slog.New(slog.NewJSONHandler(io.Discard, nil)) //nolint:sloglint // formatted as in production, unlike DiscardHandler, but not kept
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.log.warnings())
		}
	})
	s.sql, err = sql.Open("pgx", url)
	must(t, err)
	t.Cleanup(func() { must(t, s.sql.Close()) })
	s.redis, err = cache.Connect(redisURL)
	must(t, err)
	t.Cleanup(func() { must(t, s.redis.Close()) })
	client, err := cache.Connect(redisURL)
	must(t, err)

	o := cache.Options{Client: client, Namespace: namespace, Registry: s.registry, Log: log, MaxLoads: 8}
	for _, change := range options {
		change(&o)
	}
	c, err := cache.New(o)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	s.store = models.NewStore(db, s.registry)
	s.cached, err = models.NewCached(s.store, c, c, cache.Both)
	must(t, err)
	views := models.CountViews(db, client, namespace, log)
	t.Cleanup(views.Close)
	s.sessions, err = cache.Connect(redisURL)
	must(t, err)
	t.Cleanup(func() { _ = s.sessions.Close() }) // perhaps for the second time
	s.registry.MustRegister(redisstats.New("cache", client), redisstats.New("session", s.sessions))
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "site_info"}, []string{"strategy"})
	info.WithLabelValues(string(cache.Both)).Set(1)
	s.registry.MustRegister(info)
	server := httptest.NewUnstartedServer(nil)
	s.url = "http://" + server.Listener.Addr().String()
	s.program = filepath.Join(t.TempDir(), "podbor")
	runner, err := lab.Open(lab.Config{
		Dir: t.TempDir(), SiteURL: s.url, Cache: client, Namespace: namespace, Log: log,
		Site: herd.Site{Program: s.program, Dir: t.TempDir(), DatabaseURL: url, RedisURL: redisURL, SessionRedisURL: redisURL, Pool: 5, Rows: testRows},
	})
	must(t, err)
	t.Cleanup(runner.Close)
	s.config = handlers.Config{
		Runner: runner,
		Store:  s.cached, Stored: s.store, Visitors: visitor.New(s.sessions, namespace), Views: views,
		Ready: db.Ready, Registry: s.registry, Log: log,
		Lab:     &checklist.Target{URL: s.url, Cache: client, Session: s.sessions, Namespace: namespace},
		Sources: programSources(),
	}
	s.echo = handlers.New(s.config)
	server.Config.Handler = s.echo
	server.Start()
	t.Cleanup(server.Close)
	s.client = &http.Client{
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       30 * time.Second,
	}
	t.Cleanup(s.client.CloseIdleConnections)
	return s
}

// answer is a response with its body read.
type answer struct {
	*http.Response
	body string
}

func (s *testSite) get(t testing.TB, path string, header ...string) answer {
	t.Helper()
	return s.do(t, http.MethodGet, path, header...)
}

// do sends a request; header holds names and values in turn.
func (s *testSite) do(t testing.TB, method, path string, header ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, nil)
	must(t, err)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := s.client.Do(request)
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	return answer{response, string(body)}
}

// page gets a page that must be there, checks its markup and returns it for queries.
func (s *testSite) page(t testing.TB, path string) *goquery.Document {
	t.Helper()
	a := s.get(t, path)
	wantStatus(t, a, http.StatusOK)
	wantWellFormed(t, a.body)
	return parse(t, a)
}

func parse(t testing.TB, a answer) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	must(t, err)
	return doc
}

// keys returns the cache's keys in Redis.
func (s *testSite) keys(t testing.TB) []string {
	t.Helper()
	keys, err := s.redis.Keys(t.Context(), "*").Result()
	must(t, err)
	return keys
}

func (s *testSite) exec(t testing.TB, query string, args ...any) {
	t.Helper()
	_, err := s.sql.ExecContext(t.Context(), query, args...)
	must(t, err)
}

// number asks the database for one number.
func (s *testSite) number(t testing.TB, query string, args ...any) (n int64) {
	t.Helper()
	must(t, s.sql.QueryRowContext(t.Context(), query, args...).Scan(&n))
	return n
}

// path appends to a prefix the number that the database answers.
func (s *testSite) path(t testing.TB, prefix, query string) string {
	t.Helper()
	return prefix + strconv.FormatInt(s.number(t, query), 10)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantStatus(t testing.TB, a answer, status int) {
	t.Helper()
	if a.StatusCode != status {
		t.Fatalf("%s %s: status %d, want %d\n%.400s", a.Request.Method, a.Request.URL.RequestURI(), a.StatusCode, status, a.body)
	}
}

func wantHeader(t testing.TB, a answer, name, value string) {
	t.Helper()
	if got := a.Header.Get(name); got != value {
		t.Errorf("%s %s: %s is %q, want %q", a.Request.Method, a.Request.URL.RequestURI(), name, got, value)
	}
}

// wantWellFormed checks that every element is closed where it must be. Browsers forgive, so nobody would notice.
func wantWellFormed(t testing.TB, body string) {
	t.Helper()
	var open []string
	for z := html.NewTokenizer(strings.NewReader(body)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) || len(open) > 0 {
				t.Errorf("markup ends with %v open (%v)", open, z.Err())
			}
			return
		case html.StartTagToken:
			if name, _ := z.TagName(); !slices.Contains([]string{"meta", "link", "img", "input", "br"}, string(name)) {
				open = append(open, string(name))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Errorf("</%s> closes %v", name, open)
				return
			}
			open = open[:len(open)-1]
		}
	}
}

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still waiting for: %s", what)
		}
	}
}

// lockedBuffer is a log that a test may read while the site writes.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// warnings returns what was logged at Warn and above.
func (l *lockedBuffer) warnings() string {
	lines := slices.DeleteFunc(strings.SplitAfter(l.String(), "\n"), func(line string) bool {
		return !strings.Contains(line, `"level":"WARN"`) && !strings.Contains(line, `"level":"ERROR"`)
	})
	return strings.Join(lines, "")
}
