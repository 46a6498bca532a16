package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/internal/herd"
	"podbor/internal/lab"
	"podbor/internal/report"
)

// openTestLab builds the program and opens a lab beside a running site, whose private servers it shares.
func openTestLab(t *testing.T) *lab.Runner {
	t.Helper()
	cfg := runSite(t, "both")
	program := filepath.Join(t.TempDir(), "podbor")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	url := func(name string) string {
		text, err := os.ReadFile(filepath.Join(cfg.DataDir, name+".url"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text[:len(text)-1])
	}
	options, err := redis.ParseURL(url("redis"))
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	dir := t.TempDir()
	r, err := lab.Open(lab.Config{
		Dir: dir, SiteURL: fmt.Sprintf("http://127.0.0.1:%d", cfg.Port), Cache: client, Namespace: "podbor", Log: slog.New(slog.DiscardHandler),
		Site: herd.Site{Program: program, Dir: dir, DatabaseURL: url("postgres"), RedisURL: url("redis"), SessionRedisURL: url("sessions/redis"), Pool: 5, Rows: 2000},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		_ = client.Close()
	})
	return r
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
	r := openTestLab(t)
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
	if got := run(plan).Run; got.DBQueries != 1 || got.OK != 40 || count(got, report.Stale) < 30 {
		t.Errorf("swr, stale: %d queries, %d answered, %d of them stale; want 1, 40, nearly all", got.DBQueries, got.OK, count(got, report.Stale))
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
	r := openTestLab(t)
	plan := lab.Plan{Strategy: "off", Herd: 10, Processes: 1, TimeoutMS: 5000, State: lab.Expired}
	ids, err := r.Start(plan, plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Start(plan); err != lab.ErrBusy { //nolint:errorlint // returned as it is
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
