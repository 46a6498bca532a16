// Which indexes the store really uses.

package models_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"podbor/internal/servers/serverstest"
	"podbor/models"
	"podbor/seed"
)

// The stampede must come from a query that is honestly heavy: each order of a list walks its own index, the
// counts are read from an index alone, and nothing reads the whole table.
func TestEveryIndexEarnsItsKeep(t *testing.T) {
	url := serverstest.Database(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	number := func(sql string, args ...any) (n int) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return n
	}
	// A server process hands in its statistics when it leaves.
	allLeft := func() {
		t.Helper()
		models.Eventually(t, "all other connections are closed", func() bool {
			return number(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`) == 0
		})
	}

	db, err := models.Open(t.Context(), url, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Migrate(t.Context()), seed.Run(t.Context(), url, 20_000, nil), db.Close()); err != nil {
		t.Fatal(err)
	}
	allLeft()
	if _, err := conn.Exec(t.Context(), `SELECT pg_stat_reset()`); err != nil {
		t.Fatal(err)
	}

	db, err = models.Open(t.Context(), url, 1)
	if err != nil {
		t.Fatal(err)
	}
	store := models.NewStore(db, prometheus.NewPedanticRegistry())
	cities, err := store.Cities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Apartment(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Facets(t.Context(), cities[0], models.Filter{}); err != nil {
		t.Fatal(err)
	}
	for _, sort := range models.Sorts {
		if _, err := store.List(t.Context(), cities[0], models.Filter{Sort: sort}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	allLeft()

	for index, scans := range map[string]int{
		"apartments_pkey": 1, "apartments_facets": 1,
		"apartments_newest": 1, "apartments_price": 2, "apartments_per_m2": 1, "apartments_area": 1,
	} {
		used := func() int { return number(`SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = $1`, index) }
		models.Eventually(t, index+" is used", func() bool { return used() >= scans })
		if n := used(); n != scans {
			t.Errorf("%s was used %d times, want %d", index, n, scans)
		}
	}
	if n := number(`SELECT idx_tup_fetch FROM pg_stat_user_indexes WHERE indexrelname = 'apartments_facets'`); n != 0 {
		t.Errorf("%d apartments were fetched for the counts; their index has all that they need", n)
	}

	db, err = models.Open(t.Context(), url, 1)
	if err != nil {
		t.Fatal(err)
	}
	store = models.NewStore(db, prometheus.NewPedanticRegistry())
	if _, err := store.Similar(t.Context(), cities[0], models.Likeness{DistrictID: cities[0].Districts[0].ID, Rooms: 2, Band: 2}); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Home(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	allLeft()
	models.Eventually(t, "similar homes are found by the index of the counts", func() bool {
		return number(`SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'apartments_facets'`) == 1+2
	})
	if n := number(`SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'apartments'`); n != 0 {
		t.Errorf("all apartments were read from end to end %d times", n)
	}
}
