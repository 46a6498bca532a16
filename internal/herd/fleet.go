// A fleet: fresh processes of the site with one strategy.

package herd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"podbor/internal/servers"
)

const readyWithin = 30 * time.Second

// A Fleet is a number of processes that run.
type Fleet struct {
	processes []*servers.Child
	killed    []atomic.Bool // by us
	Addresses []string
	logs      []*os.File
}

// ApplicationPrefix and a number is how PostgreSQL knows a process's connections.
const ApplicationPrefix = "site-"

// A Site is what its processes have in common.
type Site struct {
	Program string   // the built program
	Env     []string // beside what the fields below say
	Dir     string   // for the processes' logs

	DatabaseURL, RedisURL, SessionRedisURL string

	Pool int // database connections of each process
	Rows int // apartments in the database
}

// Start starts n processes of the site and returns when all are ready.
func (s Site) Start(ctx context.Context, strategy string, n int) (*Fleet, error) {
	f := &Fleet{killed: make([]atomic.Bool, n)}
	for i := 1; i <= n; i++ {
		if err := f.start(s, strategy, i); err != nil {
			return nil, errors.Join(err, f.Stop())
		}
	}
	for i := range f.processes {
		if err := f.awaitReady(ctx, i); err != nil {
			return nil, errors.Join(err, f.Stop())
		}
	}
	return f, nil
}

func (f *Fleet) start(s Site, strategy string, number int) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	database, err := url.Parse(s.DatabaseURL)
	if err != nil {
		return err
	}
	query := database.Query()
	query.Set("application_name", ApplicationPrefix+strconv.Itoa(number))
	database.RawQuery = query.Encode()

	log, err := os.Create(filepath.Join(s.Dir, fmt.Sprintf("site-%d.log", number)))
	if err != nil {
		return err
	}
	f.logs = append(f.logs, log)
	process, err := servers.StartChild(s.Program, append(slices.Clone(s.Env),
		"PORT="+strconv.Itoa(port),
		"DATABASE_URL="+database.String(),
		"REDIS_URL="+s.RedisURL,
		"SESSION_REDIS_URL="+s.SessionRedisURL,
		"STRATEGY="+strategy,
		"DB_POOL="+strconv.Itoa(s.Pool),
		"SEED_ROWS="+strconv.Itoa(s.Rows),
		"LOG_FORMAT=json",
	), log)
	if err != nil {
		return err
	}
	f.processes = append(f.processes, process)
	f.Addresses = append(f.Addresses, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	return PlaceSite(process.PID())
}

func (f *Fleet) awaitReady(ctx context.Context, i int) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyWithin, fmt.Errorf("process %d of the site was not ready within %v", i+1, readyWithin))
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+f.Addresses[i]+"/readyz", nil)
		if err != nil {
			return err
		}
		if response, err := client.Do(request); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-f.processes[i].Exited():
			return fmt.Errorf("process %d of the site ended: %s", i+1, lastLine(f.logs[i].Name()))
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Kill ends a process as a crash would, and returns when it is gone.
func (f *Fleet) Kill(i int) error {
	f.killed[i].Store(true)
	if err := syscall.Kill(f.processes[i].PID(), syscall.SIGKILL); err != nil {
		return fmt.Errorf("killing process %d of the site: %w", i+1, err)
	}
	<-f.processes[i].Exited()
	return nil
}

// Alive returns an error if a process has ended by itself.
func (f *Fleet) Alive() error {
	for i, process := range f.processes {
		if f.killed[i].Load() {
			continue
		}
		select {
		case <-process.Exited():
			return fmt.Errorf("process %d of the site ended: %s", i+1, lastLine(f.logs[i].Name()))
		default:
		}
	}
	return nil
}

// Stop ends all processes and returns when they are gone.
func (f *Fleet) Stop() error {
	errs := make([]error, len(f.processes))
	var group sync.WaitGroup
	for i, process := range f.processes {
		group.Go(func() {
			if err := process.Stop(); err != nil {
				errs[i] = fmt.Errorf("stopping process %d of the site: %w", i+1, err)
			}
		})
	}
	group.Wait()
	for _, log := range f.logs {
		log.Close()
	}
	return errors.Join(errs...)
}

func lastLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
