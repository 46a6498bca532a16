// A private PostgreSQL: a cluster made by initdb on the first start, found again on the next.

package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	role     = "podbor" // superuser of the private cluster: it resets pg_stat_statements
	database = "podbor"
)

// settings, each with its reason. Durability stays as it is by default: the data must survive a power cut.
var settings = []string{
	"listen_addresses=127.0.0.1",
	"unix_socket_directories=", // no socket in /tmp for others to meet
	"max_connections=200",      // three processes with a pool of 20 each, and room for experiments with larger ones
	"shared_buffers=256MB",     // holds 500,000 apartments and their indexes: queries are heavy on CPU, not on disk
	"random_page_cost=1.1",     // the data is in memory or on an SSD
	"jit=off",                  // compiling would cost more than it saves, and make the same query take two different times
}

// StartPostgres starts PostgreSQL with its data under dir/postgres (made on the first start), its lock, log and URL file
// in dir, and an empty database "podbor"; it returns when that database answers. ctx bounds the start only.
func StartPostgres(ctx context.Context, dir string) (*Server, error) {
	base, lock, err := prepare(dir, "postgres")
	if err != nil {
		return nil, err
	}
	cluster, err := openCluster(ctx, base)
	if err != nil {
		lock.Close()
		return nil, err
	}
	if err := cluster.awaitPredecessor(ctx); err != nil {
		lock.Close()
		return nil, err
	}
	s, err := start(ctx, plan{
		name:    "PostgreSQL",
		base:    base,
		lock:    lock,
		command: cluster.command,
		url: func(port int) string {
			return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%s?sslmode=disable", role, cluster.password, port, database)
		},
		ping: ensureDatabase,
	})
	return s, err
}

func (c *cluster) command(port int) command {
	args := []string{"-D", c.data, "-p", strconv.Itoa(port)}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	if c.bin.has("pg_stat_statements") { // how the load script counts queries in the database itself
		args = append(args, "-c", "shared_preload_libraries=pg_stat_statements")
	}
	return command{path: c.bin.path("postgres"), args: args, dir: c.data, user: c.account}
}

// ensureDatabase connects, and creates the database if the cluster is new.
func ensureDatabase(ctx context.Context, url string) error {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return err
	}
	config.Database = "postgres"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", database).Scan(&exists)
	if err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+database)
	return err
}

// awaitPredecessor waits for a server that still runs on the data: one whose program was killed a moment ago takes a
// little time to stop. (We hold the lock, so its program is gone.)
func (c *cluster) awaitPredecessor(ctx context.Context) error {
	deadline := time.Now().Add(stopWithin)
	for {
		pid := c.runningPID()
		if pid == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("a PostgreSQL (process %d) is still running on %s: stop it with `kill -INT %d`, then start again", pid, c.data, pid)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// runningPID is the server that postmaster.pid names, or 0 if it is gone. After a crash the file stays, and its number
// may belong to another program by now; a PostgreSQL is recognised by its working directory being the data.
func (c *cluster) runningPID() int {
	content, err := os.ReadFile(filepath.Join(c.data, "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return 0
	}
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil && cwd != c.data {
		return 0
	}
	return pid
}
