package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podbor/internal/report"
)

// On so few rows the problem need not show, so the verdict is not looked at, only what holds on any machine. There are just
// enough of them for a query to be caught running (killLeader), and the visitors are patient: the tests beside this one take
// the processor.
func TestOnRealServers(t *testing.T) {
	o, err := parseOptions([]string{"-rows", "150000", "-herd", "30", "-pods", "2", "-strategies", "aside,both,swr", "-repeats", "1", "-timeout", "6s"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.dir, err = os.MkdirTemp("", "podbor-loadtest-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(o.dir) })
	if err := os.Chmod(o.dir, 0o755); err != nil { // as root, PostgreSQL runs under another user
		t.Fatal(err)
	}
	o.out = filepath.Join(o.dir, "report")

	t.Run("a stampede is measured", func(t *testing.T) { stampedeIsMeasured(t, o) })
	t.Run("scenarios without faults", func(t *testing.T) { scenariosAreMeasured(t, o) })
	t.Run("faults are measured", func(t *testing.T) { faultsAreMeasured(t, o) })
	t.Run("an interrupted run ends its processes", func(t *testing.T) { interruptedRunEnds(t, o) })
}

func stampedeIsMeasured(t *testing.T, o options) {
	var table, log bytes.Buffer
	result, err := run(t.Context(), o, progress{table: &table, log: &log})
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	aside, both, swr := result.Scenarios[0].Runs[0], result.Scenarios[0].Runs[1], result.Scenarios[0].Runs[2]
	if aside.Strategy != "aside" || both.Strategy != "both" || swr.Strategy != "swr" {
		t.Fatalf("strategies %s, %s, %s", aside.Strategy, both.Strategy, swr.Strategy)
	}
	if both.DBQueries != 1 || both.DBQueriesCompleted != 1 || *both.Expiries != 1 || both.OK != 30 || *both.UnrelatedErrors != 0 {
		t.Errorf("both: %d queries started, %d completed, %d expiries, %d answers, %d of other pages lost; want 1, 1, 1, 30, 0",
			both.DBQueries, both.DBQueriesCompleted, *both.Expiries, both.OK, *both.UnrelatedErrors)
	}
	if aside.DBQueries < 1 || aside.DBQueries > 30 || aside.DBQueries != aside.DBQueriesCompleted {
		t.Errorf("aside: %d queries started, %d completed; want a herd of up to 30, all completed", aside.DBQueries, aside.DBQueriesCompleted)
	}
	if swr.DBQueries != 1 || swr.OK != 30 || swr.Measure(waitedForAQuery) != 0 || swr.Expiries != nil || len(swr.Notes) > 0 {
		t.Errorf("swr: %d queries, %d answers, %v waited, expiries %v, notes %q; want 1, 30, 0, none", swr.DBQueries, swr.OK, swr.Measure(waitedForAQuery), swr.Expiries, swr.Notes)
		for _, q := range swr.Repeats[0].Sample.Requests {
			t.Logf("%+v", q)
		}
	}
	for _, r := range []report.Run{aside, both, swr} {
		s := r.Repeats[0].Sample
		if r.OK+r.Timeouts+r.Errors != 30 || len(s.Requests) != 30 || len(s.Unrelated) < 50 {
			t.Errorf("%s: %d + %d + %d answers to %d requests, %d to other pages", r.Strategy, r.OK, r.Timeouts, r.Errors, len(s.Requests), len(s.Unrelated))
		}
		if len(s.Pools) < 10 || len(s.Spans) == 0 {
			t.Errorf("%s: %d looks at the pools, %d queries seen in PostgreSQL", r.Strategy, len(s.Pools), len(s.Spans))
		}
		if r.SingleQueryMS <= 0 || r.Latency.P50 <= 0 || r.Latency.Max < r.Latency.P50 {
			t.Errorf("%s: figures are missing: %+v", r.Strategy, r)
		}
	}
	if n := strings.Count(table.String(), "1/1"); n != 3 {
		t.Errorf("the table has %d rows:\n%s", n, table.String())
	}

	text, err := os.ReadFile(filepath.Join(o.out, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var stored report.Report
	if err := json.Unmarshal(text, &stored); err != nil || len(stored.Scenarios) != 1 || stored.Environment.PostgreSQL == "" || stored.Environment.Redis == "" {
		t.Errorf("report.json: %v, %d scenarios, %+v", err, len(stored.Scenarios), stored.Environment)
	}
	if page, err := os.ReadFile(filepath.Join(o.out, "report.html")); err != nil || !bytes.Contains(page, []byte("</html>")) {
		t.Errorf("report.html has %d bytes (%v)", len(page), err)
	}
}

func scenariosAreMeasured(t *testing.T, o options) {
	o.strategies, o.duration, o.keys = []string{"both"}, 6*time.Second, 400
	var log bytes.Buffer
	b, err := newBench(t.Context(), o, progress{table: io.Discard, log: &log})
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	defer b.close()
	of := func(scenario func(context.Context, *bench, options) (report.Scenario, error)) (report.Scenario, report.Run) {
		s, err := scenario(t.Context(), b, o)
		if err != nil {
			t.Fatalf("%v\n%s", err, log.String())
		}
		return s, s.Runs[0]
	}
	if _, r := of(coldstart); r.DBQueries != 10 || r.OK != 30 || r.Measure("queries per page") != 1 {
		t.Errorf("coldstart: %d queries for 10 pages, %d answers; want 10, 30", r.DBQueries, r.OK)
	}
	if _, r := of(missing); r.Status["404"] != r.Requests || r.Requests != 400 || r.DBQueries != botsKnown+400/botsNew {
		t.Errorf("missing: %v to %d requests, %d queries; want 400 × 404, %d", r.Status, r.Requests, r.DBQueries, botsKnown+400/botsNew)
	}
	s, r := of(hotkey)
	if per := r.Measure(perRequest); r.OK != 1000 || r.DBQueries != 1 || per <= 0 || per > 0.2 {
		t.Errorf("hotkey: %d answers, %d queries, %v Redis commands per request; want 1000, 1, far less than 1", r.OK, r.DBQueries, per)
	}
	if len(s.Charts) != 1 || len(s.Charts[0].Series) != 1 || len(s.Charts[0].Series[0].Points) != 4 {
		t.Errorf("hotkey: charts %+v; want one with 4 half seconds", s.Charts)
	}
	endsAreScattered(t, b)
}

// The two halves of sync-expiry, the second with an even shorter life.
func endsAreScattered(t *testing.T, b *bench) {
	p := policyOf("apartment")
	if points, err := b.writtenEnds(t.Context(), p); err != nil || len(points) < 50 || len(points) > 80 {
		t.Errorf("the ends take %d s (%v); want the minute that is a tenth of ten, and the writing", len(points), err)
	}
	p.SoftTTL, p.Jitter = 2*time.Second, 0.5
	r, asked, started, err := b.playEnds(t.Context(), p)
	if err != nil || r.OK != 400 || r.DBQueries != 400 || r.DBQueriesCompleted != 400 {
		t.Errorf("%d visitors answered, %d queries started, %d completed (%v); want 400 each", r.OK, r.DBQueries, r.DBQueriesCompleted, err)
	}
	if len(asked) < 4 || len(started) < 4 {
		t.Errorf("queries were asked for in %d quarters of a second, and started in %d; want a second of them", len(asked), len(started))
	}
}

// TestMain sees the goroutines that wait for processes, if any are left.
func interruptedRunEnds(t *testing.T, o options) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	log := writerFunc(func(p []byte) {
		if strings.Contains(string(p), "repeat 1") {
			interrupt()
		}
	})
	if _, err := run(ctx, o, progress{table: io.Discard, log: log}); err == nil || ctx.Err() == nil {
		t.Fatalf("got error %v, context %v; want an interrupted run", err, ctx.Err())
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }
