// A fleet: several processes' worth of the cached store on one database and one Redis, for the tests of edits.

package models_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"podbor/cache"
	"podbor/internal/servers/serverstest"
	"podbor/models"
	"podbor/seed"
)

type fleet struct {
	url       string
	redis     redis.UniversalClient // beside the processes
	psql      *pgx.Conn             // somebody who edits without them
	processes []*process
}

type process struct {
	*models.Cached
	cache    *cache.Cache
	db       *models.DB
	relay    *models.Relay
	listener *models.Listener
}

// startFleet seeds a database and starts n processes on it and on the Redis at redisURL.
func startFleet(t *testing.T, redisURL string, rows, n int) *fleet {
	t.Helper()
	f := &fleet{url: serverstest.Database(t), redis: connectRedis(t, redisURL)}
	open(t, f.url)
	if err := seed.Run(t.Context(), f.url, rows, nil); err != nil {
		t.Fatal(err)
	}
	f.psql = connect(t, f.url)
	for range n {
		f.processes = append(f.processes, startProcess(t, f.url, redisURL, true))
	}
	f.awaitNews(t)
	return f
}

// awaitNews waits until both ways bring news of edits to all processes; each makes a process flush when it comes up.
func (f *fleet) awaitNews(t *testing.T) {
	t.Helper()
	models.Eventually(t, "all processes listen and have subscribed", func() bool {
		return f.number(t, `SELECT count(*) `+fromListeners) == len(f.processes) && f.subscribers(t) == len(f.processes)
	})
}

// fromListeners are the connections that listen, by now.
const fromListeners = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'podbor listener'
	AND state = 'idle' AND query IN ('LISTEN outbox', '-- ping')`

// startProcess starts what main starts for one process; relaying says whether its relay runs.
func startProcess(t *testing.T, url, redisURL string, relaying bool) *process {
	t.Helper()
	p := &process{db: open(t, url)}
	namespace, err := p.db.Namespace(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := connectRedis(t, redisURL)
	log := slog.New(slog.DiscardHandler)
	p.relay = models.NewRelay(p.db, func(ctx context.Context) (string, error) { return cache.Primaries(ctx, client) }, log)
	registry := prometheus.NewPedanticRegistry()
	p.cache, err = cache.New(cache.Options{
		Client: client, Namespace: namespace, Registry: registry, Log: log, MaxLoads: 3, Probe: p.relay.Probe,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.cache.Close)
	if p.Cached, err = models.NewCached(models.NewStore(p.db, registry), p.cache, p.cache, cache.Both); err != nil {
		t.Fatal(err)
	}
	if relaying {
		p.relay.Start(p.Cached)
		t.Cleanup(p.relay.Close)
	}
	p.listener = models.Listen(p.db, p.Cached, log)
	t.Cleanup(p.listener.Close)
	return p
}

func connectRedis(t *testing.T, url string) redis.UniversalClient {
	t.Helper()
	client, err := cache.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func (f *fleet) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := f.psql.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func (f *fleet) number(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	if err := f.psql.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// subscribers is the number of processes subscribed to the messages of this fleet's caches.
func (f *fleet) subscribers(t *testing.T) int {
	t.Helper()
	var id string
	if err := f.psql.QueryRow(t.Context(), `SELECT id::text FROM instance`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	n, err := f.redis.PubSubNumSub(t.Context(), id+":events").Result()
	if err != nil {
		t.Fatal(err)
	}
	return int(n[id+":events"])
}

// pending is the number of outbox rows that nobody has applied.
func (f *fleet) pending(t *testing.T) int {
	t.Helper()
	return f.number(t, `SELECT count(*) FROM outbox WHERE applied_at IS NULL`)
}

// A page is what a visitor sees of a city's bare listing.
type page struct {
	ids   []int64
	total int
}

// listing reads the first page of a city and its counts as a handler does: the city first, so its version, then both.
func (p *process) listing(t *testing.T, cityID int16, f models.Filter) page {
	t.Helper()
	cities, err := p.Cities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, city := range cities {
		if city.ID != cityID {
			continue
		}
		cards, err := p.List(t.Context(), city, f)
		if err != nil {
			t.Fatal(err)
		}
		facets, err := p.Facets(t.Context(), city, f)
		if err != nil {
			t.Fatal(err)
		}
		seen := page{total: facets.Total}
		for _, c := range cards {
			seen.ids = append(seen.ids, c.ID)
		}
		return seen
	}
	t.Fatalf("city %d is gone", cityID)
	return page{}
}

// price is what the apartment's page shows, or 0 if there is no such page.
func (p *process) price(t *testing.T, id int64) int64 {
	t.Helper()
	d, err := p.Apartment(t.Context(), id)
	switch {
	case err == nil:
		return d.Price
	case errors.Is(err, models.ErrNotFound):
		return 0
	}
	t.Fatal(err)
	return 0
}

func collect[T any](t *testing.T, conn *pgx.Conn, sql string, args ...any) []T {
	t.Helper()
	rows, err := conn.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return all
}

// store is the database without any cache.
func (f *fleet) store(t *testing.T) *models.Store {
	t.Helper()
	return models.NewStore(open(t, f.url), prometheus.NewPedanticRegistry())
}
