// Package servers starts a private PostgreSQL and a private Redis for this program: on loopback, on a free port, with a
// password of their own, and never longer than the program that started them.
//
// Reading order: servers.go (the life of a server), process.go (why none is left behind), postgres.go, redis.go; then
// programs.go (which binary), account.go (which user), lock.go (one copy per folder). install.sh installs what is missing.
package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

const (
	readyWithin = time.Minute // a PostgreSQL that recovers from a crash answers only when it is done
	portTries   = 5           // between our choice of a port and the server's bind, somebody else may take it
)

// Server is one running private server.
type Server struct {
	// URL is where it answers, password included: postgres://… or redis://….
	URL string

	name    string // for people: "PostgreSQL"
	plan    plan
	port    int
	process *process
	lock    *os.File
	logPath string
	urlPath string // the URL in a file (0600) while the server runs: psql "$(cat .data/postgres.url)"
}

// plan is what StartPostgres and StartRedis fill in; start does the rest.
type plan struct {
	name    string // "PostgreSQL"
	base    string // path of lock, log and URL file, without extension: .data/postgres
	lock    *os.File
	command func(port int) command
	url     func(port int) string
	ping    func(ctx context.Context, url string) error
}

// start runs the server of the plan until it answers. It takes the lock over, also when it fails.
func start(ctx context.Context, p plan) (*Server, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, readyWithin, fmt.Errorf("no answer within %v", readyWithin))
	defer cancel()
	s := &Server{name: p.name, plan: p, lock: p.lock, logPath: p.base + ".log", urlPath: p.base + ".url"}
	err := errPortTaken
	for try := 0; try < portTries && errors.Is(err, errPortTaken); try++ {
		if s.port, err = freePort(); err == nil {
			err = s.startOnce(ctx)
		}
	}
	if err == nil {
		err = os.WriteFile(s.urlPath, []byte(s.URL+"\n"), 0o600)
	}
	if err != nil {
		_ = s.Stop() // how it ended is in err
		return nil, fmt.Errorf("%s did not start: %w (its log: %s)", p.name, err, s.logPath)
	}
	return s, nil
}

func (s *Server) startOnce(ctx context.Context) error {
	log, err := os.OpenFile(s.logPath, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.URL = s.plan.url(s.port)
	if s.process, err = startProcess(s.plan.command(s.port), log); err != nil {
		return err
	}
	for {
		err := s.answers(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.process.exited:
			return s.earlyExit()
		case <-ctx.Done():
			return fmt.Errorf("%w (%w)", context.Cause(ctx), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// answers pings once. A bare connection comes first, because go-redis repeats and logs failed ones.
func (s *Server) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
	if err != nil {
		return err
	}
	conn.Close()
	return s.plan.ping(ctx, s.URL)
}

// Restart starts the server again, at the same URL, after its process has ended: killed by a test, say. It finds the data
// that this end left, which of Redis are none. It returns when the server answers; until then, ask nothing else of it.
func (s *Server) Restart(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyWithin, fmt.Errorf("no answer within %v", readyWithin))
	defer cancel()
	if err := s.startOnce(ctx); err != nil {
		return fmt.Errorf("%s did not start again: %w (its log: %s)", s.name, err, s.logPath)
	}
	return nil
}

// PID is the process id of the server itself, for SIGSTOP, SIGKILL and statistics.
func (s *Server) PID() int { return s.process.cmd.Process.Pid }

// Exited is closed when the process has ended, for whatever reason.
func (s *Server) Exited() <-chan struct{} { return s.process.exited }

// Err says how the process ended if it did so unasked or badly; nil while it runs and after an orderly Stop.
func (s *Server) Err() error {
	select {
	case <-s.process.exited:
	default:
		return nil
	}
	if s.process.err == nil {
		return nil
	}
	log, _ := os.ReadFile(s.logPath)
	return fmt.Errorf("%s ended: %w; last in its log (%s): %s", s.name, s.process.err, s.logPath, telling(log))
}

// Stop ends the server in an orderly way, or by force after half a minute, and returns when it is gone. It may be called
// again, and when the server has ended by itself.
func (s *Server) Stop() error {
	var err error
	if s.process != nil {
		err = s.process.stop()
	}
	os.Remove(s.urlPath)
	s.lock.Close() // last: the next copy may start now
	if err != nil {
		return fmt.Errorf("stop %s: %w", s.name, err)
	}
	return nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// prepare makes the folder and takes the lock of one server in it. The path becomes absolute: servers change directory.
func prepare(dir, name string) (base string, lock *os.File, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, fmt.Errorf("make the data folder: %w", err)
	}
	base = filepath.Join(dir, name)
	lock, err = lockFile(base + ".lock")
	return base, lock, err
}
