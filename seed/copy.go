// How rows get into PostgreSQL quickly: COPY into bare tables, indexes and foreign keys afterwards.

package seed

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"
)

// copyInto streams rows into a table; none of them is kept.
func copyInto(ctx context.Context, tx pgx.Tx, table string, columns []string, rows iter.Seq[[]any]) error {
	next, stop := iter.Pull(rows)
	defer stop()
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		row, _ := next() // nil at the end, as CopyFromFunc wants it
		return row, nil
	}))
	if ended := context.Cause(ctx); err != nil && ended != nil {
		return ended // pgx reports the connection that it closed because of it
	}
	return err
}

// dropIndexes drops the large tables' foreign keys and plain indexes and returns the statements that make them
// again, as PostgreSQL itself remembers them: to build and check once takes a fraction of doing so row by row.
func dropIndexes(ctx context.Context, tx pgx.Tx) (rebuild []string, err error) {
	rows, err := tx.Query(ctx, `
		SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
		       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
		       2 AS place
		FROM pg_constraint
		WHERE contype = 'f' AND conrelid IN ('buildings'::regclass, 'apartments'::regclass, 'price_history'::regclass)
		UNION ALL
		SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 1
		FROM pg_index
		WHERE indrelid = 'apartments'::regclass
		  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
		ORDER BY place, 1`)
	if err != nil {
		return nil, fmt.Errorf("listing indexes: %w", err)
	}
	var drop []string
	var drops, makes string
	if _, err := pgx.ForEachRow(rows, []any{&drops, &makes, nil}, func() error {
		drop, rebuild = append(drop, drops), append(rebuild, makes)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("listing indexes: %w", err)
	}
	for _, statement := range drop {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return nil, fmt.Errorf("%s: %w", statement, err)
		}
	}
	return rebuild, nil
}

// disableTriggers makes the transaction's writes pass unnoticed, and returns the statement that ends that: nobody can have
// cached anything of an empty database, and nobody else can write before the commit.
func disableTriggers(ctx context.Context, tx pgx.Tx) (enable string, err error) {
	var disable, again []string
	for _, table := range []string{"cities", "districts", "buildings", "apartments", "price_history"} {
		disable = append(disable, "ALTER TABLE "+table+" DISABLE TRIGGER USER")
		again = append(again, "ALTER TABLE "+table+" ENABLE TRIGGER USER")
	}
	if _, err := tx.Exec(ctx, strings.Join(disable, "; ")); err != nil {
		return "", fmt.Errorf("disabling triggers: %w", err)
	}
	return strings.Join(again, "; "), nil
}

// A bar reports progress whenever it has moved by a percent.
type bar struct {
	rows, percent int
	progress      func(done, total int)
}

func (b *bar) at(percent int) {
	if percent > b.percent && b.progress != nil {
		b.percent = percent
		b.progress(b.rows*percent/100, b.rows)
	}
}

// during moves from one percentage to another while the flats of walk go by.
func (b *bar) during(from, to int, walk iter.Seq[*building]) iter.Seq[*building] {
	return func(yield func(*building) bool) {
		flats := 0
		for building := range walk {
			flats += len(building.flats)
			b.at(from + (to-from)*flats/b.rows)
			if !yield(building) {
				return
			}
		}
	}
}
