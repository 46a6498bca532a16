// Faults: what can be done to the system, by a button at any time or by a plan in the middle of a run.

package lab

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"podbor/internal/herd"
)

// A Fault is something that is really done to the private servers.
type Fault string

// The faults, and their end.
const (
	StopRedis   Fault = "stop-redis"
	FreezeRedis Fault = "freeze-redis"
	MendRedis   Fault = "mend-redis"
	KillHolder  Fault = "kill-holder" // the process that runs the heavy query: under a lease, its holder
	EditHome    Fault = "edit"        // which moves all lists of its city to new keys
	CutPubSub   Fault = "cut-pubsub"
)

// Faults lists them in the order of buttons.
func Faults() []Fault {
	return []Fault{StopRedis, FreezeRedis, MendRedis, KillHolder, EditHome, CutPubSub}
}

// event is how a fault is called on the time axis.
func (f Fault) event() string {
	switch f {
	case StopRedis:
		return "Redis is killed"
	case FreezeRedis:
		return "Redis freezes"
	case MendRedis:
		return "Redis is mended"
	case KillHolder:
		return "the holder is killed"
	case EditHome:
		return "a home is edited"
	case CutPubSub:
		return "pub/sub is cut"
	}
	return string(f)
}

// Ours reports whether there is something to break: servers of this program's own.
func (r *Runner) Ours() bool { return r.cfg.Redis != nil }

// Able reports whether a fault can be brought about now.
func (r *Runner) Able(f Fault) bool {
	if !r.Ours() {
		return false
	}
	r.mu.Lock()
	busy := r.current != nil
	r.mu.Unlock()
	switch state := r.cfg.Redis.now(); f {
	case MendRedis:
		return state != runs
	case StopRedis:
		return state != stopped
	case FreezeRedis, CutPubSub:
		return state == runs
	case KillHolder:
		return busy
	}
	return true
}

var errNotOurs = errors.New("the servers are not this program's own: nothing is broken here")

// Break brings a fault about, and marks it in the run that is in progress, if one is.
func (r *Runner) Break(ctx context.Context, f Fault) error {
	if !r.Ours() {
		return errNotOurs
	}
	r.mu.Lock()
	u := r.current
	r.mu.Unlock()
	err := r.bringAbout(ctx, f, u)
	if err == nil && u != nil {
		u.happened(f.event())
	}
	return err
}

func (r *Runner) bringAbout(ctx context.Context, f Fault, u *run) error {
	switch f {
	case StopRedis:
		return r.cfg.Redis.stop()
	case FreezeRedis:
		return r.cfg.Redis.freeze()
	case MendRedis:
		return r.cfg.Redis.mend(ctx)
	case CutPubSub:
		return r.cfg.Cache.ClientKillByFilter(ctx, "TYPE", "pubsub").Err()
	}
	conn, err := connect(ctx, r.cfg.Site.DatabaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	switch f {
	case EditHome:
		return edit(ctx, conn)
	case KillHolder:
		if u == nil {
			return errors.New("no run is in progress")
		}
		return u.killHolder(ctx, conn)
	}
	return fmt.Errorf("nothing is known of breaking %q", f)
}

// edit changes a home's price by a little, to and fro.
func edit(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `
		UPDATE apartments SET version = version + 1, price = CASE WHEN price / 1000 % 2 = 0 THEN price + 1000 ELSE price - 1000 END
		WHERE id = (SELECT min(id) FROM apartments WHERE status = 'published' AND city_id = (SELECT min(id) FROM cities))`)
	if err != nil {
		return fmt.Errorf("editing a home: %w", err)
	}
	return nil
}

const holderLook = 2 * time.Millisecond

// killHolder waits for a heavy query to run, and kills the process that sent it.
func (u *run) killHolder(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 5*time.Second, errors.New("no process was seen to run the heavy query"))
	defer cancel()
	for {
		var application string
		err := conn.QueryRow(ctx, `
			SELECT application_name FROM pg_stat_activity
			WHERE state = 'active' AND application_name LIKE '`+herd.ApplicationPrefix+`%' AND query LIKE '/* facets */%'
			ORDER BY query_start LIMIT 1`).Scan(&application)
		if err == nil {
			process, err := strconv.Atoi(strings.TrimPrefix(application, herd.ApplicationPrefix))
			if err != nil {
				return err
			}
			return u.kill(process)
		}
		if !errors.Is(err, pgx.ErrNoRows) && ctx.Err() == nil {
			return fmt.Errorf("looking for the holder: %w", err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(holderLook):
		}
	}
}

// kill ends a process of the crew, and what it counted is lost with it.
func (u *run) kill(process int) error {
	u.mu.Lock()
	fleet := u.fleet
	u.mu.Unlock()
	if fleet == nil || process > len(fleet.Addresses) {
		return errors.New("the herd has not been sent yet")
	}
	if err := fleet.Kill(process - 1); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.killed = append(u.killed, process)
	return nil
}
