// The lab with the real thing: processes of the built program, PostgreSQL, and a Redis that may be broken.

package lab_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/internal/herd"
	"podbor/internal/lab"
	"podbor/internal/report"
	"podbor/internal/servers"
	"podbor/internal/servers/serverstest"
)

// openLab opens a lab beside a running site.
func openLab(t *testing.T) *lab.Runner {
	t.Helper()
	dir, err := os.MkdirTemp("", "podbor-lab-test-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	must(t, os.Chmod(dir, 0o755))
	program := filepath.Join(dir, "podbor")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "podbor").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server, err := servers.StartRedis(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { must(t, server.Stop()) })
	options, err := redis.ParseURL(server.URL)
	must(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { must(t, client.Close()) })

	processes := herd.Site{
		Program: program, Dir: t.TempDir(), DatabaseURL: serverstest.Database(t), RedisURL: server.URL, SessionRedisURL: serverstest.Redis(t),
		Pool: 5, Rows: 2000,
	}
	site, err := processes.Start(t.Context(), "both", 1) // which also fills the database
	must(t, err)
	t.Cleanup(func() { must(t, site.Stop()) })
	processes.Dir = t.TempDir()
	r, err := lab.Open(lab.Config{
		Dir: processes.Dir, SiteURL: "http://" + site.Addresses[0], Site: processes, Cache: client, Namespace: "podbor",
		Redis: lab.NewRedis(server), Log: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	t.Cleanup(r.Close)
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// over waits until a run is over.
func over(t *testing.T, r *lab.Runner, id string) lab.Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		got, err := r.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		if got.Phase.Over() && r.Current() != id {
			return got
		}
		if err := herd.SleepUntil(ctx, time.Now().Add(20*time.Millisecond)); err != nil {
			t.Fatalf("a run does not end: %+v", got.Plan)
		}
	}
}

func TestLabRuns(t *testing.T) {
	r := openLab(t)
	run := func(p lab.Plan) lab.Record {
		t.Helper()
		ids, err := r.Start(p)
		if err != nil {
			t.Fatal(err)
		}
		got := over(t, r, ids[0])
		if got.Phase != lab.Done {
			t.Fatalf("%+v: %s %s", p, got.Phase, got.Problem)
		}
		if got.Run.Requests != p.Herd || len(got.Run.Sample.Requests) != p.Herd || got.Run.Pods != p.Processes {
			t.Errorf("%+v: %d visitors in %d processes, %d recorded", p, got.Run.Requests, got.Run.Pods, len(got.Run.Sample.Requests))
		}
		return got
	}
	plan := lab.Plan{Strategy: "both", Herd: 40, Processes: 2, TimeoutMS: 5000, State: lab.Expired}

	if got := run(plan).Run; got.DBQueries != 1 || got.DBQueriesCompleted != 1 || got.OK != 40 || got.SingleQueryMS <= 0 {
		t.Errorf("both, expired: %d queries, %d completed, %d answered; want 1, 1, 40", got.DBQueries, got.DBQueriesCompleted, got.OK)
	}
	plan.Strategy = "swr"
	plan.State = lab.Stale
	if got := run(plan).Run; got.DBQueries != 1 || got.OK != 40 || count(got, report.Stale) == 0 || count(got, report.Loaded)+count(got, report.Waited) > 0 {
		t.Errorf("swr, stale: %d queries, %d answered, %d of them stale, %d loaded, %d waited; want 1, 40, some, 0, 0",
			got.DBQueries, got.OK, count(got, report.Stale), count(got, report.Loaded), count(got, report.Waited))
	}
	plan.Strategy, plan.State = "lock", lab.Negative
	if got := run(plan).Run; got.DBQueries != 1 || got.Status["404"] != 40 || got.OK != 40 {
		t.Errorf("lock, negative: %d queries, %v; want 1, 40 × 404", got.DBQueries, got.Status)
	}
	plan.Strategy, plan.State = "both", lab.Cold
	if got := run(plan).Run; got.DBQueries != 1 || got.OK != 40 {
		t.Errorf("both, cold: %d queries, %d answered; want 1, 40", got.DBQueries, got.OK)
	}
	plan.Strategy, plan.State = "off", lab.Expired
	if got := run(plan).Run; got.DBQueries != 40 || got.DBQueriesCompleted != 40 {
		t.Errorf("off: %d queries, %d completed; want 40", got.DBQueries, got.DBQueriesCompleted)
	}
	if n := len(r.Recent()); n != 5 {
		t.Errorf("%d runs are kept, want 5", n)
	}
}

func count(r report.Run, outcome report.Outcome) (n int) {
	for _, q := range r.Sample.Requests {
		if q.Outcome == outcome {
			n++
		}
	}
	return n
}

func TestLabRunIsCancelled(t *testing.T) {
	r := openLab(t)
	plan := lab.Plan{Strategy: "off", Herd: 10, Processes: 1, TimeoutMS: 5000, State: lab.Expired}
	ids, err := r.Start(plan, plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Start(plan); !errors.Is(err, lab.ErrBusy) {
		t.Errorf("a second run beside the first: %v", err)
	}
	r.Cancel()
	if got := over(t, r, ids[0]); got.Phase != lab.Cancelled {
		t.Errorf("the run is %s %s", got.Phase, got.Problem)
	}
	if _, err := r.Get(ids[1]); err == nil {
		t.Error("a run that never began is kept")
	}
}

// Everything that can be broken is, in the middle of a run; the herd is answered, and the next run finds all whole.
func TestLabBreaksAndMends(t *testing.T) {
	r := openLab(t)
	plan := lab.Plan{Strategy: "both", Herd: 20, Processes: 2, TimeoutMS: 8000, State: lab.Expired}
	for _, fault := range []lab.Fault{"", lab.EditHome, lab.CutPubSub, lab.StopRedis, "", lab.FreezeRedis, ""} {
		plan.Fault = fault
		ids, err := r.Start(plan)
		must(t, err)
		got := over(t, r, ids[0])
		if got.Phase != lab.Done || got.Run.OK != 20 {
			t.Errorf("%q: %s %s, %d of 20 answered", fault, got.Phase, got.Problem, got.Run.OK)
			continue
		}
		if fault == "" && got.Run.DBQueries != 1 {
			t.Errorf("after the fault was mended: %d queries", got.Run.DBQueries)
		}
		marked := slices.ContainsFunc(got.Run.Sample.Events, func(e report.Event) bool { return e.At > 0 })
		if marked != (fault != "") {
			t.Errorf("%q: events %+v", fault, got.Run.Sample.Events)
		}
		if fault == lab.StopRedis || fault == lab.FreezeRedis {
			if !r.Able(lab.MendRedis) {
				t.Fatalf("%q: there is nothing to mend", fault)
			}
			must(t, r.Break(t.Context(), lab.MendRedis))
		}
		if r.Able(lab.MendRedis) {
			t.Errorf("%q: Redis is still broken", fault)
		}
	}
}
