// PostgreSQL's own count of the queries that have ended: pg_stat_statements. It knows nothing of the site's counters.

package herd

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// ResetStatements makes Completed count from zero.
func ResetStatements(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, `SELECT pg_stat_statements_reset()`); err != nil {
		return fmt.Errorf("resetting pg_stat_statements: %w", err)
	}
	return nil
}

// Completed returns how many statements of each kind PostgreSQL has brought to their end since the reset.
func Completed(ctx context.Context, conn *pgx.Conn) (map[string]int, error) {
	rows, err := conn.Query(ctx, `SELECT query, calls FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	if err != nil {
		return nil, fmt.Errorf("reading pg_stat_statements: %w", err)
	}
	counts := map[string]int{}
	var query string
	var calls int
	_, err = pgx.ForEachRow(rows, []any{&query, &calls}, func() error {
		if found := kindOf.FindStringSubmatch(query); found != nil {
			counts[found[1]] += calls
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading pg_stat_statements: %w", err)
	}
	return counts, nil
}
