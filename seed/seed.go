// Package seed fills an empty database with apartments that do not exist: the same ones every time, plausible
// for their cities, counted back in time from the hour of seeding so that the newest are always new.
//
// Read seed.go for how rows get into PostgreSQL, then building.go and apartment.go for where they come from.
package seed

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// lockID makes processes that start together seed once. Any number nobody else locks will do.
const lockID = 7_263_548_190

// Run fills the migrated database at url with rows apartments, spread evenly over the cities, unless it has
// cities already. All of it is one transaction: a run that is interrupted leaves nothing behind. Processes may
// run it at once; all return when the data is there. progress, if not nil, is called at every percent or so.
func Run(ctx context.Context, url string, rows int, progress func(done, total int)) error {
	if rows < 0 {
		return fmt.Errorf("cannot seed %d apartments", rows)
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("seeding: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) // frees the lock
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, int64(lockID)); err != nil {
		return fmt.Errorf("seeding: waiting for other processes: %w", err)
	}
	var seeded bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM cities)`).Scan(&seeded); err != nil {
		return fmt.Errorf("seeding: looking for cities: %w", err)
	}
	if seeded {
		return nil
	}
	if err := fill(ctx, conn, rows, time.Now().Truncate(time.Hour), progress); err != nil {
		return fmt.Errorf("seeding: %w", err)
	}
	// Statistics for the planner, and the visibility map that makes index-only scans possible. Should this not
	// be reached, autovacuum does it within a minute.
	if _, err := conn.Exec(ctx, `VACUUM (ANALYZE) cities, districts, buildings, apartments, price_history`); err != nil {
		return fmt.Errorf("seeding: vacuuming: %w", err)
	}
	return nil
}

func fill(ctx context.Context, conn *pgx.Conn, rows int, reference time.Time, progress func(done, total int)) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // after a commit there is nothing to undo

	enable, err := disableTriggers(ctx, tx)
	if err != nil {
		return err
	}
	// Fresh files, which a rollback simply deletes; and memory for building indexes.
	if _, err := tx.Exec(ctx, `TRUNCATE cities, districts, buildings, apartments, price_history;
		SET LOCAL maintenance_work_mem = '256MB'`); err != nil {
		return fmt.Errorf("emptying the tables: %w", err)
	}
	rebuild, err := dropIndexes(ctx, tx)
	if err != nil {
		return err
	}

	bar := bar{rows: rows, progress: progress, percent: -1}
	walk := func(from, to int) iter.Seq[*building] { return bar.during(from, to, buildings(rows, reference)) }
	for _, table := range []struct {
		name, columns string
		rows          iter.Seq[[]any]
	}{
		{"cities", "id, slug, name_en, name_ru, name_hi, currency, price_step", cityRows()},
		{"districts", "id, city_id, slug, name_en, name_ru, name_hi, x, y", districtRows()},
		{"buildings", "id, district_id, street, house, floors, year_built, metro, metro_minutes", buildingRows(walk(0, 5))},
		{"apartments", "id, city_id, district_id, building_id, rooms, floor, year_built, metro_minutes, amenities, version, " +
			"price, old_price, area, status, title, description, listed_at, updated_at", apartmentRows(walk(5, 45))},
		{"price_history", "apartment_id, at, price", priceRows(walk(45, 65))},
	} {
		if err := copyInto(ctx, tx, table.name, strings.Split(table.columns, ", "), table.rows); err != nil {
			return fmt.Errorf("copying into %s: %w", table.name, err)
		}
	}
	for i, statement := range rebuild {
		bar.at(65 + 35*i/len(rebuild))
		if _, err := tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	if _, err := tx.Exec(ctx, enable); err != nil {
		return fmt.Errorf("enabling triggers: %w", err)
	}
	// The next apartment that somebody adds.
	if _, err := tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence('apartments', 'id'), $1 + 1, false)`, rows); err != nil {
		return fmt.Errorf("setting the next id: %w", err)
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	bar.at(100)
	return nil
}
