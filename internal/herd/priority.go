// Who gets the processor first: the generator, then the site and Redis, then PostgreSQL. Visitors bring their own
// computers, and a database under load has one of its own: whoever has none here must not queue for the database's
// processor, or the run would show the trouble of this one machine instead.

package herd

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// serverNice is the niceness of everything but the generator.
const serverNice = 5

// With autogroups, Linux shares the processor among sessions first; niceness holds only within one. The site, Redis and
// each of PostgreSQL's backends have sessions of their own: sixty backends, each with a claim as good as the generator's.
// So sessions get a niceness too, where the privilege allows it. Without, the generator's lateness, which is measured and
// checked, tells whether that was enough. (The load script leaves the database's sessions alone: lowered, the kernel may
// spread them badly over the processors, and a single query has been seen to take half as long again.)
const (
	generatorSession = -10
	siteSession      = -5
	backendSession   = 15 // only where people look on: PlaceBackends
)

// PlaceDatabase gives PostgreSQL its niceness; PlaceSite does for a process of the site or a Redis. They are called before
// the server has made the processes and threads that do the work, which inherit it.
func PlaceDatabase(pid int) error {
	if err := syscall.Setpriority(syscall.PRIO_PGRP, pid, serverNice); err != nil {
		return fmt.Errorf("setting the priority of process %d: %w", pid, err)
	}
	return nil
}

// PlaceSite gives a process of the site, or a Redis, its niceness: see PlaceDatabase.
func PlaceSite(pid int) error {
	_ = os.WriteFile(autogroup(pid), []byte(strconv.Itoa(siteSession)), 0)
	return PlaceDatabase(pid)
}

// PlaceBackends lowers the sessions of the backends that work for a herd, for the sake of a browser on this machine: with
// forty of them at work, it would get the processor once in seconds. They are those of a server on this machine. It is an
// attempt: without the privilege, the kernel takes ten such changes a second.
func PlaceBackends(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `SELECT pid FROM pg_stat_activity WHERE application_name LIKE '`+ApplicationPrefix+`%'`)
	if err != nil {
		return fmt.Errorf("looking for backends: %w", err)
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return fmt.Errorf("looking for backends: %w", err)
	}
	for _, pid := range pids {
		_ = os.WriteFile(autogroup(pid), []byte(strconv.Itoa(backendSession)), 0)
	}
	return nil
}

// PlaceGenerator returns how to undo it, which matters because the session is that of the user's terminal.
func PlaceGenerator() (restore func()) {
	file := autogroup(os.Getpid())
	before, err := os.ReadFile(file) // such as "/autogroup-42 nice 0"
	if err != nil {
		return func() {}
	}
	_, nice, found := strings.Cut(strings.TrimSpace(string(before)), " nice ")
	if !found || os.WriteFile(file, []byte(strconv.Itoa(generatorSession)), 0) != nil {
		return func() {}
	}
	return func() { _ = os.WriteFile(file, []byte(nice), 0) }
}

func autogroup(pid int) string { return fmt.Sprintf("/proc/%d/autogroup", pid) }
