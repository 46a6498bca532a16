// The bench: a private PostgreSQL with data, a private Redis and a build of the site, shared by all runs.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"podbor/internal/herd"
	"podbor/internal/servers"
	"podbor/models"
	"podbor/seed"
)

type bench struct {
	opts     options
	out      progress
	dir      string // data and logs
	site     string // the built program
	postgres *servers.Server
	redis    *servers.Server
	sessions *servers.Server
	sql      *pgx.Conn // the script's own connection, beside the site's pools
	cache    *redis.Client
	closers  []func() error // in order of opening

	cities []string // slugs, the largest city first
	page   string   // path of the page under test
	ids    []int64  // apartments whose pages nobody has asked for
	lastID int64    // no apartment has a greater one
}

// newBench starts the servers, fills the database if it is empty, and builds the site.
func newBench(ctx context.Context, opts options, out progress) (*bench, error) {
	// Each size has a database of its own, so that the next run with the same -rows finds it filled.
	dir, err := filepath.Abs(filepath.Join(opts.dir, strconv.Itoa(opts.rows)))
	if err != nil {
		return nil, err
	}
	b := &bench{opts: opts, out: out, dir: dir}
	for _, step := range []func(context.Context) error{b.startServers, b.fill, b.openDatabase, b.openCache, b.build, b.choosePages} {
		if err := step(ctx); err != nil {
			b.close()
			return nil, err
		}
	}
	return b, nil
}

func (b *bench) close() {
	for len(b.closers) > 0 {
		last := len(b.closers) - 1
		if err := b.closers[last](); err != nil {
			b.out.say("%v", err)
		}
		b.closers = b.closers[:last]
	}
}

func (b *bench) onClose(f func() error) { b.closers = append(b.closers, f) }

func (b *bench) startServers(ctx context.Context) (err error) {
	b.out.say("starting PostgreSQL and Redis in %s", b.dir)
	if b.postgres, err = servers.StartPostgres(ctx, b.dir); err != nil {
		return err
	}
	b.onClose(b.postgres.Stop)
	// Redis itself reports that a key has expired (Ex): the script does not have to take its own word for it.
	if b.redis, err = servers.StartRedis(ctx, b.dir, "--notify-keyspace-events", "Ex"); err != nil {
		return err
	}
	b.onClose(b.redis.Stop)
	// What is counted there has no place among the cache's commands.
	if b.sessions, err = servers.StartRedis(ctx, filepath.Join(b.dir, "sessions")); err != nil {
		return err
	}
	b.onClose(b.sessions.Stop)
	return errors.Join(herd.PlaceDatabase(b.postgres.PID()), herd.PlaceSite(b.redis.PID()), herd.PlaceSite(b.sessions.PID()))
}

func (b *bench) fill(ctx context.Context) error {
	db, err := models.Open(ctx, b.postgres.URL, 2)
	if err != nil {
		return err
	}
	if err := errors.Join(db.Migrate(ctx), db.Close()); err != nil {
		return err
	}
	tenth := 0
	return seed.Run(ctx, b.postgres.URL, b.opts.rows, func(done, total int) {
		if now := 10 * done / max(total, 1); now > tenth {
			tenth = now
			b.out.say("seeding: %d %% of %d apartments", 10*now, total)
		}
	})
}

func (b *bench) openDatabase(ctx context.Context) error {
	conn, err := b.connect(ctx)
	if err != nil {
		return err
	}
	b.sql = conn
	b.onClose(func() error { return conn.Close(context.WithoutCancel(ctx)) })
	if _, err := conn.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS pg_stat_statements`); err != nil {
		return fmt.Errorf("PostgreSQL's own count of queries needs its extension pg_stat_statements, part of most packages of PostgreSQL: %w", err)
	}
	return nil
}

// connect opens a connection that the site knows nothing of.
func (b *bench) connect(ctx context.Context) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(b.postgres.URL)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["application_name"] = "loadtest"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to PostgreSQL: %w", err)
	}
	return conn, nil
}

func (b *bench) openCache(context.Context) error {
	options, err := redis.ParseURL(b.redis.URL)
	if err != nil {
		return err
	}
	b.cache = redis.NewClient(options)
	b.onClose(b.cache.Close)
	return nil
}

func (b *bench) build(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "podbor-loadtest-")
	if err != nil {
		return err
	}
	b.onClose(func() error { return os.RemoveAll(dir) })
	b.site = filepath.Join(dir, "site")
	b.out.say("building the site")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", b.site, "podbor").CombinedOutput()
	if err != nil {
		return fmt.Errorf("building the site: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// choosePages picks the page of the first city, without a filter: the heaviest counts there are.
func (b *bench) choosePages(ctx context.Context) error {
	rows, err := b.sql.Query(ctx, `SELECT slug FROM cities ORDER BY id`)
	if err != nil {
		return fmt.Errorf("choosing a page: %w", err)
	}
	if b.cities, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(b.cities) == 0 {
		return fmt.Errorf("choosing a page among %d cities: %w", len(b.cities), err)
	}
	b.page = "/" + b.cities[0]
	if err := b.sql.QueryRow(ctx, `SELECT max(id) FROM apartments`).Scan(&b.lastID); err != nil {
		return fmt.Errorf("looking for the last apartment: %w", err)
	}
	// Scattered over the table, and the same ones in every run.
	rows, err = b.sql.Query(ctx, `SELECT id FROM apartments WHERE status = 'published' ORDER BY hashint8(id) LIMIT 20000`)
	if err != nil {
		return fmt.Errorf("choosing apartments: %w", err)
	}
	b.ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return fmt.Errorf("choosing apartments: %w", err)
	}
	return nil
}

// coldPage is the page of an apartment that nobody has asked for in this run.
func (b *bench) coldPage(i int) string {
	n := len(b.ids)
	return fmt.Sprintf("/apartments/%d", b.ids[(i%n+n)%n])
}

// startFleet starts n processes of the site with an otherwise unchanged environment.
func (b *bench) startFleet(ctx context.Context, strategy string, n int) (*herd.Fleet, error) {
	return b.processes(b.site).Start(ctx, strategy, n)
}

// processes says how a program is started beside the servers.
func (b *bench) processes(program string, env ...string) herd.Site {
	return herd.Site{
		Program: program, Env: env, Dir: b.dir,
		DatabaseURL: b.postgres.URL, RedisURL: b.redis.URL, SessionRedisURL: b.sessions.URL,
		Pool: b.opts.pool, Rows: b.opts.rows,
	}
}
