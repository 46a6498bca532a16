// Seeding as a whole: repeatable, all or nothing, once.

package seed

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"podbor/internal/servers/serverstest"
	"podbor/models"
)

func TestMain(m *testing.M) { serverstest.Main(m) }

// migrated returns an empty database with the schema, and a connection to it.
func migrated(t *testing.T) (url string, conn *pgx.Conn) {
	t.Helper()
	url = serverstest.Database(t)
	db, err := models.Open(t.Context(), url, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Migrate(t.Context()), db.Close()); err != nil {
		t.Fatal(err)
	}
	conn, err = pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	return url, conn
}

// ask returns the one value that sql selects.
func ask[T any](t *testing.T, conn *pgx.Conn, sql string) T {
	t.Helper()
	var v T
	if err := conn.QueryRow(t.Context(), sql).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

const everyRow = `
	SELECT md5(string_agg(line, E'\n' ORDER BY line)) FROM (
		SELECT 'city' || t::text FROM cities t UNION ALL
		SELECT 'district' || t::text FROM districts t UNION ALL
		SELECT 'building' || t::text FROM buildings t UNION ALL
		SELECT 'apartment' || t::text FROM apartments t UNION ALL
		SELECT 'price' || t::text FROM price_history t) rows (line)`

const schema = `
	SELECT string_agg(line, E'\n' ORDER BY line) FROM (
		SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL
		SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
		WHERE connamespace = 'public'::regnamespace) definitions (line)`

func TestEveryRunMakesTheSameRows(t *testing.T) {
	reference := time.Date(2026, 12, 2, 9, 0, 0, 0, time.UTC)
	digest := func(reference time.Time) string {
		t.Helper()
		_, conn := migrated(t)
		if err := fill(t.Context(), conn, 1003, reference, nil); err != nil {
			t.Fatal(err)
		}
		if n := ask[int](t, conn, `SELECT count(*) FROM apartments`); n != 1003 {
			t.Fatalf("%d apartments, want 1003", n)
		}
		return ask[string](t, conn, everyRow)
	}
	first := digest(reference)
	if again := digest(reference); again != first {
		t.Error("two runs differ")
	}
	if later := digest(reference.Add(time.Hour)); later == first {
		t.Error("the digest does not notice that all dates have moved")
	}
}

func TestAnInterruptedRunLeavesNothing(t *testing.T) {
	url, conn := migrated(t)
	before := ask[string](t, conn, schema)
	for _, at := range []int{10, 60, 90} { // among apartments, prices, indexes
		ctx, cancel := context.WithCancel(t.Context())
		err := Run(ctx, url, 3000, func(done, total int) {
			if done*100/total >= at {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted at %d %%: error is %v", at, err)
		}
		left := ask[int](t, conn, `SELECT (SELECT count(*) FROM cities) + (SELECT count(*) FROM buildings) + (SELECT count(*) FROM apartments)`)
		if left != 0 {
			t.Errorf("interrupted at %d %%: %d rows are left", at, left)
		}
		if after := ask[string](t, conn, schema); after != before {
			t.Errorf("interrupted at %d %%: the schema is now\n%s\nand was\n%s", at, after, before)
		}
	}
	if err := Run(t.Context(), url, 3000, nil); err != nil {
		t.Fatal(err)
	}
	if n := ask[int](t, conn, `SELECT count(*) FROM apartments`); n != 3000 {
		t.Errorf("the run after that made %d apartments, want 3000", n)
	}
	if after := ask[string](t, conn, schema); after != before {
		t.Errorf("seeding changed the schema to\n%s\nfrom\n%s", after, before)
	}
}

func TestProcessesThatStartTogetherSeedOnce(t *testing.T) {
	url, conn := migrated(t)
	var g errgroup.Group
	for range 3 {
		g.Go(func() error { return Run(t.Context(), url, 700, nil) })
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	before := ask[string](t, conn, everyRow)
	if err := Run(t.Context(), url, 9000, nil); err != nil {
		t.Fatal(err)
	}
	if after := ask[string](t, conn, everyRow); after != before {
		t.Error("a seeded database was seeded again")
	}
	if n := ask[int](t, conn, `SELECT count(*) FROM apartments`); n != 700 {
		t.Errorf("%d apartments, want 700", n)
	}
}

func TestAnyNumberOfRows(t *testing.T) {
	for _, rows := range []int{0, 1, 7} {
		url, conn := migrated(t)
		if err := Run(t.Context(), url, rows, func(done, total int) {
			if done < 0 || done > total || total != rows {
				t.Errorf("progress(%d, %d) of %d rows", done, total, rows)
			}
		}); err != nil {
			t.Fatalf("%d rows: %v", rows, err)
		}
		if n := ask[int](t, conn, `SELECT count(*) FROM apartments`); n != rows {
			t.Errorf("%d apartments, want %d", n, rows)
		}
		if n := ask[int](t, conn, `SELECT count(*) FROM cities`); n < 5 {
			t.Errorf("%d rows: %d cities", rows, n)
		}
		if id := ask[int](t, conn, `SELECT nextval(pg_get_serial_sequence('apartments', 'id'))`); id != rows+1 {
			t.Errorf("%d rows: the next apartment gets id %d", rows, id)
		}
	}
	if err := Run(t.Context(), serverstest.Database(t), -1, nil); err == nil {
		t.Error("-1 rows are no error")
	}
	if err := Run(t.Context(), serverstest.Database(t), 10, nil); err == nil {
		t.Error("a database without schema is no error")
	}
}

func TestProgressMovesInSmallSteps(t *testing.T) {
	url, _ := migrated(t)
	var percents []int
	if err := Run(t.Context(), url, 2000, func(done, total int) { percents = append(percents, 100*done/total) }); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(percents); i++ {
		if step := percents[i] - percents[i-1]; step < 1 || step > 4 { // an index is one step of 4 at most
			t.Errorf("progress went from %d %% to %d %%", percents[i-1], percents[i])
		}
	}
	if len(percents) == 0 || percents[len(percents)-1] != 100 {
		t.Errorf("progress was %v, want it to end at 100 %%", percents)
	}
}
