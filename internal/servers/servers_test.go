// Tests on real servers. Those that kill their parent run this test binary once more, as that parent (see parent).

package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
)

const parentDir = "SERVERS_TEST_PARENT" // the data folder of a test binary that plays the parent

func TestMain(m *testing.M) {
	if dir := os.Getenv(parentDir); dir != "" {
		if err := parent(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// parent starts both servers, names them on stdout, and at SIGINT proves that they still answer before it stops them.
func parent(dir string) error {
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx := context.Background()
	postgres, err := StartPostgres(ctx, dir)
	if err != nil {
		return err
	}
	cache, err := StartRedis(ctx, dir)
	if err != nil {
		return errors.Join(err, postgres.Stop())
	}
	fmt.Println(postgres.PID(), cache.PID())
	<-interrupted.Done()
	time.Sleep(300 * time.Millisecond) // were the servers hit as well, they would be gone or going by now
	if err := errors.Join(ensureDatabase(ctx, postgres.URL), pingRedis(ctx, cache.URL)); err != nil {
		return err
	}
	fmt.Println("both answer")
	return errors.Join(postgres.Stop(), cache.Stop())
}

func TestNoServerOutlivesAKilledParent(t *testing.T) {
	dir := folder(t)
	p := startParent(t, dir)
	query(t, readURL(t, dir, "postgres"), "CREATE TABLE kept AS SELECT 42 AS answer")

	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait()
	again := startPostgres(t, dir) // at once: it waits for the one that is still stopping
	wantNothingLeft(t, p.servers)
	if got := query(t, again.URL, "SELECT answer FROM kept"); got != 42 {
		t.Errorf("the data after the crash of the parent: %d; want 42", got)
	}
}

func TestCtrlCHitsOnlyTheParent(t *testing.T) {
	p := startParent(t, folder(t))
	if err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGINT); err != nil { // as a terminal does
		t.Fatal(err)
	}
	if line, err := p.output.ReadString('\n'); line != "both answer\n" {
		t.Errorf("the parent said %q, %v", line, err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the parent: %v", err)
	}
	wantNothingLeft(t, p.servers)
}

func TestStopIsOrderlyAndMayBeRepeated(t *testing.T) {
	dir := folder(t)
	for name, s := range map[string]*Server{"postgres": startPostgres(t, dir), "redis": startRedis(t, dir)} {
		readURL(t, dir, name)
		for range 2 {
			if err := s.Stop(); err != nil {
				t.Errorf("Stop %s = %v", name, err)
			}
		}
		wantNothingLeft(t, []int{s.PID()})
		if err := s.Err(); err != nil {
			t.Errorf("Err of %s after Stop = %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, name+".url")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the URL of a stopped %s is still there: %v", name, err)
		}
	}
}

func TestAServerThatDiesIsNoticed(t *testing.T) {
	dir := folder(t)
	for _, s := range []*Server{startPostgres(t, dir), startRedis(t, dir)} {
		if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		select {
		case <-s.Exited():
		case <-time.After(10 * time.Second):
			t.Fatalf("nobody noticed that %s was killed", s.name)
		}
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Errorf("Err = %v; want one that says killed", err)
		}
		wantNothingLeft(t, []int{s.PID()}) // no watcher either
		_ = s.Stop()
	}
	startPostgres(t, dir) // recovers; the left-over postmaster.pid does not hinder it
}

func TestRestartKeepsTheURL(t *testing.T) {
	dir := folder(t)
	postgres, cache := startPostgres(t, dir), startRedis(t, dir)
	query(t, postgres.URL, "CREATE TABLE kept AS SELECT 42 AS answer")
	for _, s := range []*Server{postgres, cache} {
		url, killed := s.URL, s.PID()
		if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-s.Exited()
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.URL != url || s.PID() == killed || s.Err() != nil {
			t.Errorf("%s: same URL %v, process %d after %d, %v", s.name, s.URL == url, s.PID(), killed, s.Err())
		}
		if err := s.plan.ping(t.Context(), url); err != nil {
			t.Errorf("%s after Restart: %v", s.name, err)
		}
	}
	if got := query(t, postgres.URL, "SELECT answer FROM kept"); got != 42 {
		t.Errorf("the data after a restart: %d; want 42", got)
	}
}

func TestAServerThatSomebodyElseStopsIsNoticed(t *testing.T) {
	s := startRedis(t, folder(t))
	if err := syscall.Kill(s.PID(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-s.Exited()
	wantError(t, s.Err(), "Redis ended: stopped by somebody else")
}

func TestPasswordsAreNeededAndNotShown(t *testing.T) {
	dir := folder(t)
	postgres, cache := startPostgres(t, dir), startRedis(t, dir)
	processes, err := exec.CommandContext(t.Context(), "ps", "-A", "-ww", "-o", "args").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Server{postgres, cache} {
		if !strings.Contains(string(processes), "127.0.0.1") {
			t.Error("ps does not show what it should")
		}
		if password := password(t, s.URL); strings.Contains(string(processes), password) {
			t.Errorf("the password of %s is seen with ps", s.name)
		}
	}
	stranger := strings.Replace(postgres.URL, password(t, postgres.URL), "guess", 1)
	if conn, err := pgx.Connect(t.Context(), stranger); err == nil {
		conn.Close(t.Context())
		t.Error("PostgreSQL took a wrong password")
	}
	if err := pingRedis(t.Context(), strings.Replace(cache.URL, password(t, cache.URL), "guess", 1)); err == nil {
		t.Error("Redis took a wrong password")
	}
}

func TestTwoCopiesOnOneFolder(t *testing.T) {
	dir := folder(t)
	first := startPostgres(t, dir)
	startRedis(t, dir)
	_, err := StartPostgres(t.Context(), dir)
	wantError(t, err, "another copy", strconv.Itoa(os.Getpid()))
	_, err = StartRedis(t.Context(), dir)
	wantError(t, err, "another copy")
	query(t, first.URL, "SELECT 1")
}

func TestFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(folder(t), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := StartPostgres(t.Context(), filepath.Join(file, "data"))
	wantError(t, err, "make the data folder", "not a directory")
	_, err = StartRedis(t.Context(), filepath.Join(file, "data"))
	wantError(t, err, "make the data folder", "not a directory")
}

func TestRedisThatRefusesItsSettings(t *testing.T) {
	_, err := StartRedis(t.Context(), folder(t), "--maxmemory-policy", "sometimes")
	wantError(t, err, "Redis did not start", "must be one of")
}

func TestTelling(t *testing.T) {
	for log, want := range map[string]string{
		"":           "it wrote nothing",
		"one\ntwo\n": "two",
		"2026 [7] LOG:  starting\n2026 [7] FATAL:  no space\n2026 [7] LOG:  shut down\n": "FATAL:  no space",
		"initdb: error: could not write\ninitdb: removing":                               "error: could not write",
	} {
		if got := telling([]byte(log)); got != want {
			t.Errorf("telling(%q) = %q; want %q", log, got, want)
		}
	}
}
