// A fleet: fresh processes of the site with one strategy.

package main

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

type fleet struct {
	processes []*servers.Child
	killed    []atomic.Bool // by us
	addresses []string
	logs      []*os.File
}

// applicationPrefix and a number is how PostgreSQL knows a process's connections.
const applicationPrefix = "site-"

// startFleet starts n processes of the site and returns when all are ready.
func (b *bench) startFleet(ctx context.Context, strategy string, n int) (*fleet, error) {
	return b.startProcesses(ctx, b.site, nil, strategy, n)
}

// startProcesses starts a program n times, with env besides what the site needs.
func (b *bench) startProcesses(ctx context.Context, program string, env []string, strategy string, n int) (*fleet, error) {
	f := &fleet{killed: make([]atomic.Bool, n)}
	for i := 1; i <= n; i++ {
		if err := f.start(b, program, env, strategy, i); err != nil {
			return nil, errors.Join(err, f.stop())
		}
	}
	for i := range f.processes {
		if err := f.awaitReady(ctx, i); err != nil {
			return nil, errors.Join(err, f.stop())
		}
	}
	return f, nil
}

func (f *fleet) start(b *bench, program string, env []string, strategy string, number int) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	database, err := url.Parse(b.postgres.URL)
	if err != nil {
		return err
	}
	query := database.Query()
	query.Set("application_name", applicationPrefix+strconv.Itoa(number))
	database.RawQuery = query.Encode()

	log, err := os.Create(filepath.Join(b.dir, fmt.Sprintf("site-%d.log", number)))
	if err != nil {
		return err
	}
	f.logs = append(f.logs, log)
	process, err := servers.StartChild(program, append(slices.Clone(env),
		"PORT="+strconv.Itoa(port),
		"DATABASE_URL="+database.String(),
		"REDIS_URL="+b.redis.URL,
		"SESSION_REDIS_URL="+b.sessions.URL,
		"STRATEGY="+strategy,
		"DB_POOL="+strconv.Itoa(b.opts.pool),
		"SEED_ROWS="+strconv.Itoa(b.opts.rows),
		"LOG_FORMAT=json",
	), log)
	if err != nil {
		return err
	}
	f.processes = append(f.processes, process)
	f.addresses = append(f.addresses, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	return placeSite(process.PID())
}

func (f *fleet) awaitReady(ctx context.Context, i int) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyWithin, fmt.Errorf("process %d of the site was not ready within %v", i+1, readyWithin))
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+f.addresses[i]+"/readyz", nil)
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

// kill ends a process as a crash would, and returns when it is gone.
func (f *fleet) kill(i int) error {
	f.killed[i].Store(true)
	if err := syscall.Kill(f.processes[i].PID(), syscall.SIGKILL); err != nil {
		return fmt.Errorf("killing process %d of the site: %w", i+1, err)
	}
	<-f.processes[i].Exited()
	return nil
}

// alive returns an error if a process has ended by itself.
func (f *fleet) alive() error {
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

// stop ends all processes and returns when they are gone.
func (f *fleet) stop() error {
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
