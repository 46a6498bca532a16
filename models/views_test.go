// Views are counted once each, whoever counts them and wherever one of them is killed.

package models_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"podbor/internal/servers/serverstest"
	"podbor/models"
)

func TestViewsOfManyVisitorsAndProcessesAllCount(t *testing.T) {
	url := serverstest.Database(t)
	db, psql := open(t, url), connect(t, url)
	client := connectRedis(t, serverstest.Redis(t))
	var visitors sync.WaitGroup
	for range 3 {
		v := models.CountViews(db, client, "test", slog.New(slog.DiscardHandler))
		visitors.Go(func() {
			for range 1000 {
				v.Seen(7)
			}
			v.Seen(8)
			v.Close()
		})
	}
	visitors.Wait()
	f := &fleet{psql: psql}
	f.wantViews(t, 7, 3000)
	f.wantViews(t, 8, 3)
	if left := client.Keys(t.Context(), "*").Val(); len(left) > 0 {
		t.Errorf("left in Redis after an orderly stop: %v", left)
	}
}

const (
	viewsKill     = "VIEWS_KILL" // set in a child process: after which step it kills itself
	viewsDatabase = "VIEWS_DATABASE"
	viewsRedis    = "VIEWS_REDIS"
)

// Each step of moving a shard into the table, and a process that is killed right after it.
func TestViewsOfAKilledProcessCountOnce(t *testing.T) {
	if os.Getenv(viewsKill) != "" {
		countAndDie(t)
		return
	}
	url, redisURL := serverstest.Database(t), serverstest.Redis(t)
	db, client, f := open(t, url), connectRedis(t, redisURL), &fleet{psql: connect(t, url)}
	for i, step := range []string{"pushed", "taken", "added", "dropped"} {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), viewsKill+"="+step, viewsDatabase+"="+url, viewsRedis+"="+redisURL)
		out, err := child.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the child that dies when its views are %s: %v\n%s", step, err, out)
		}
		inTable := i * 100
		if step == "added" || step == "dropped" {
			inTable += 100
		}
		f.wantViews(t, 7, inTable)

		models.CountViews(db, client, "test", slog.New(slog.DiscardHandler)).Close()
		f.wantViews(t, 7, (i+1)*100)
	}
	if left := client.Keys(t.Context(), "*").Val(); len(left) > 0 {
		t.Errorf("left in Redis: %v", left)
	}
}

// countAndDie is the child: it counts 100 views and kills itself during Close.
func countAndDie(t *testing.T) {
	options, err := redis.ParseURL(os.Getenv(viewsRedis))
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	client.AddHook(killer(os.Getenv(viewsKill)))
	v := models.CountViews(open(t, os.Getenv(viewsDatabase)), client, "test", slog.New(slog.DiscardHandler))
	for range 100 {
		v.Seen(7)
	}
	v.Close()
	t.Fatal("still alive")
}

// A killer kills its process after a step. The scripts are told apart by their keys: take has two, drop has one.
type killer string

func (k killer) after(step string) {
	if string(k) == step {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

func (killer) DialHook(next redis.DialHook) redis.DialHook { return next }

func (k killer) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		if cmds[0].Name() == "multi" {
			k.after("pushed")
		}
		return err
	}
}

func (k killer) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		script, isScript := cmd.(*redis.Cmd)
		drop := isScript && cmd.Args()[2] == 1
		if drop {
			k.after("added")
		}
		err := next(ctx, cmd)
		if isScript && err == nil {
			if fields, _ := script.StringSlice(); len(fields) > 0 {
				k.after("taken")
			}
			if drop {
				k.after("dropped")
			}
		}
		return err
	}
}

func TestViewsOutlastAnOutageOfRedis(t *testing.T) {
	url := serverstest.Database(t)
	options, err := redis.ParseURL(serverstest.Redis(t))
	if err != nil {
		t.Fatal(err)
	}
	var away atomic.Bool
	away.Store(true)
	var refused atomic.Int64
	options.MaxRetries = -1
	options.Dialer = func(ctx context.Context, network, address string) (net.Conn, error) {
		if away.Load() {
			refused.Add(1)
			return nil, io.ErrClosedPipe
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { client.Close() })
	v := models.CountViews(open(t, url), client, "test", slog.New(slog.DiscardHandler))
	for range 10 {
		v.Seen(7)
	}
	models.Eventually(t, "a push is refused", func() bool { return refused.Load() > 0 })
	away.Store(false)
	v.Close()
	(&fleet{psql: connect(t, url)}).wantViews(t, 7, 10)
}

func (f *fleet) wantViews(t *testing.T, apartment, want int) {
	t.Helper()
	if got := f.number(t, `SELECT coalesce(sum(views), 0) FROM apartment_views WHERE apartment_id = $1`, apartment); got != want {
		t.Errorf("apartment %d has %d views; want %d", apartment, got, want)
	}
}
