// A real redis-server for one test, which can be frozen, killed and started again on the same port.

package cache

import (
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

type redisServer struct {
	addr     string
	args     []string
	cmd      *exec.Cmd
	lifeline *os.File // while it is open the server lives
}

// reserveRedis returns a server that is not running yet.
func reserveRedis(t testing.TB, args ...string) *redisServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(addr)
	args = append([]string{"--bind", "127.0.0.1", "--port", port, "--dir", t.TempDir(), "--save", "", "--appendonly", "no"}, args...)
	return &redisServer{addr: addr, args: args}
}

func startRedis(t testing.TB, args ...string) *redisServer {
	t.Helper()
	s := reserveRedis(t, args...)
	s.start(t)
	return s
}

// start starts the server and waits until it answers, if only that it is loading. The shell beside it kills it should the test binary die.
func (s *redisServer) start(t testing.TB) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s.lifeline = w
	s.cmd = exec.Command("sh", append([]string{"-c", `(read _ <&3 || kill -9 $$) & exec redis-server "$@" 3<&-`, "sh"}, s.args...)...)
	s.cmd.ExtraFiles = []*os.File{r}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	t.Cleanup(s.kill)
	client := s.client(t)
	eventually(t, "redis-server answers", func() bool {
		err := client.Ping(t.Context()).Err()
		return err == nil || isReply(err, "LOADING")
	})
}

// kill ends the server with SIGKILL and waits for its end.
func (s *redisServer) kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_, _ = s.lifeline.WriteString("\n") // the shell beside it need not kill anybody
	_ = s.lifeline.Close()
	s.cmd = nil
}

func (s *redisServer) signal(t testing.TB, sig syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

func (s *redisServer) url() string { return "redis://" + s.addr }

// client returns a client with the settings of the cache.
func (s *redisServer) client(t testing.TB) redis.UniversalClient {
	t.Helper()
	c, err := Connect(s.url())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// process starts a process of the site on the server. Its remote is the real one.
func (s *redisServer) process(t testing.TB, p Policy) *testProcess {
	t.Helper()
	c, err := New(Options{
		Client: s.client(t), Namespace: "test", Registry: prometheus.NewRegistry(), MaxLoads: 8, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	g, err := NewGroup[doc](c, "docs", 1, p)
	if err != nil {
		t.Fatal(err)
	}
	return &testProcess{Cache: c, Group: g}
}

// listening is process, and waits for its subscription.
func (s *redisServer) listening(t testing.TB, p Policy) *testProcess {
	t.Helper()
	process := s.process(t, p)
	eventually(t, "the process listens", process.process.live)
	return process
}

// commands returns how often each command was called, apart from those of the tests themselves and of subscriptions.
func (s *redisServer) commands(t testing.TB, client redis.UniversalClient) map[string]string {
	t.Helper()
	info, err := client.Info(t.Context(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]string{}
	for line := range strings.Lines(info) {
		name, stats, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls=")
		n, _, _ := strings.Cut(stats, ",")
		if ok && name != "info" && name != "ping" && !strings.HasPrefix(name, "config") {
			calls[name] = n
		}
	}
	return calls
}

// eventually waits for a condition, 10 s at most.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited 10 s in vain: %s", what)
		}
	}
}
