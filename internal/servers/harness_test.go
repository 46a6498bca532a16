// What the tests of this package share.

package servers

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
)

type parentProcess struct {
	cmd     *exec.Cmd
	output  *bufio.Reader
	servers []int // process ids
}

// startParent runs this test binary as a parent of both servers, in a process group of its own.
func startParent(t *testing.T, dir string) parentProcess {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), parentDir+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := parentProcess{cmd: cmd, output: bufio.NewReader(stdout), servers: make([]int, 2)}
	line, _ := p.output.ReadString('\n')
	if _, err := fmt.Sscan(line, &p.servers[0], &p.servers[1]); err != nil {
		t.Fatalf("the parent said %q", line)
	}
	return p
}

// folder is a temporary folder that another user can reach: as root, PostgreSQL runs under one. (t.TempDir is 0700.)
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "servers-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func startPostgres(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := StartPostgres(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

func startRedis(t *testing.T, dir string, args ...string) *Server {
	t.Helper()
	s, err := StartRedis(t.Context(), dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

// wantNothingLeft waits until no process of the servers' groups lives: neither server nor watcher.
func wantNothingLeft(t *testing.T, groups []int) {
	t.Helper()
	var left string
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		out, err := exec.CommandContext(t.Context(), "ps", "-A", "-o", "pgid=,stat=,args=").Output()
		if err != nil {
			t.Fatal(err)
		}
		left = ""
		for line := range strings.Lines(string(out)) {
			fields := strings.Fields(line)
			for _, group := range groups {
				if fields[0] == strconv.Itoa(group) && !strings.HasPrefix(fields[1], "Z") {
					left += line
				}
			}
		}
		if left == "" {
			return
		}
	}
	t.Errorf("still running:\n%s", left)
}

func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one with %q", words)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not contain %q", err, word)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q is more than one line", err)
	}
}

func readURL(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name+".url")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of %s = %v, %v; want 0600", path, info.Mode(), err)
	}
	return strings.TrimSpace(string(text))
}

func password(t *testing.T, url string) string {
	t.Helper()
	_, rest, _ := strings.Cut(url, "://")
	userinfo, _, _ := strings.Cut(rest, "@")
	_, password, _ := strings.Cut(userinfo, ":")
	if len(password) < 20 {
		t.Fatalf("no password in the URL")
	}
	return password
}

// query runs sql and returns its first column, if it has one.
func query(t *testing.T, url, sql string) (number int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	rows, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&number); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return number
}

func redisSetting(t *testing.T, url, name string) string {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	values, err := client.ConfigGet(t.Context(), name).Result()
	if err != nil {
		t.Fatal(err)
	}
	return values[name]
}
