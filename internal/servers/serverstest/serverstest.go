// Package serverstest gives tests a real PostgreSQL and a real Redis: one of each per test binary, started by the first
// test that asks.
//
//	func TestMain(m *testing.M) { serverstest.Main(m) }
package serverstest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"podbor/internal/servers"
)

// The servers belong to the test binary, which has no other place for them than these variables.
var (
	dir      string
	postgres = sync.OnceValues(startPostgres)
	cache    = sync.OnceValues(startRedis)
	running  []*servers.Server
	mu       sync.Mutex // protects running
	number   atomic.Int64
)

const redisDatabases = 1000

// Main runs the tests, stops the servers and fails if a goroutine is left. It does not return.
func Main(m *testing.M) {
	var err error
	if dir, err = os.MkdirTemp("", "podbor-test-"); err != nil {
		panic(err)
	}
	if err = os.Chmod(dir, 0o755); err != nil { // as root, PostgreSQL runs under another user
		panic(err)
	}
	code := m.Run()
	for _, s := range running {
		if err := s.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// Database is the URL of an empty database, dropped when the test ends.
func Database(t testing.TB) string {
	t.Helper()
	server := need(t, postgres)
	name := fmt.Sprintf("test_%d", number.Add(1))
	admin(t, server.URL, "CREATE DATABASE "+name)
	t.Cleanup(func() { admin(t, server.URL, "DROP DATABASE "+name+" WITH (FORCE)") })
	return withPath(t, server.URL, name)
}

// Redis is the URL of an empty Redis database. Keys are its own; pub/sub, scripts and settings are shared with the other
// tests of the binary: a test that breaks Redis starts one with servers.StartRedis.
func Redis(t testing.TB) string {
	t.Helper()
	server := need(t, cache)
	target := withPath(t, server.URL, fmt.Sprint(number.Add(1)%redisDatabases))
	t.Cleanup(func() {
		options, err := redis.ParseURL(target)
		if err != nil {
			t.Fatal(err)
		}
		client := redis.NewClient(options)
		defer client.Close()
		if err := client.FlushDB(context.Background()).Err(); err != nil {
			t.Errorf("empty the Redis of the test: %v", err)
		}
	})
	return target
}

func need(t testing.TB, server func() (*servers.Server, error)) *servers.Server {
	t.Helper()
	if dir == "" {
		t.Fatal("this package has no TestMain that calls serverstest.Main")
	}
	s, err := server()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func startPostgres() (*servers.Server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := servers.StartPostgres(ctx, filepath.Join(dir, "pg"))
	if err != nil {
		return nil, err
	}
	keep(s)
	// The data lives as long as the test binary: waiting for the disk proves nothing.
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	for _, sql := range []string{"ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func startRedis() (*servers.Server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := servers.StartRedis(ctx, filepath.Join(dir, "redis"), "--databases", fmt.Sprint(redisDatabases))
	if err == nil {
		keep(s)
	}
	return s, err
}

func keep(s *servers.Server) {
	mu.Lock()
	defer mu.Unlock()
	running = append(running, s)
}

func admin(t testing.TB, url, sql string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func withPath(t testing.TB, server, path string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + path
	return u.String()
}
