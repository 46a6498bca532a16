// The outbox: the keys whose cached copies an edit made old. Triggers write them in the edit's own transaction
// (migrations/00002_outbox.sql); this file is what is asked of the table, over the connection that never queues.

package models

import (
	"context"
	"fmt"
)

// An outboxRow is one key to be told to Redis, and the attempt it is told in. Only the latest attempt may mark it.
type outboxRow struct {
	id      int64
	key     string
	attempt int32
}

// outboxClaim is how long others leave a row alone that a relay has claimed. It is not locked meanwhile.
const outboxClaim = "2 s"

// claimOutbox takes up to limit rows that nobody has applied and nobody is at.
func (db *DB) claimOutbox(ctx context.Context, limit int) ([]outboxRow, error) {
	return db.outboxRows(ctx, "claiming", `
		UPDATE outbox SET claimed_until = clock_timestamp() + interval '`+outboxClaim+`', attempt = attempt + 1
		WHERE id IN (
			SELECT id FROM outbox WHERE applied_at IS NULL AND claimed_until < clock_timestamp()
			ORDER BY claimed_until LIMIT $1 FOR UPDATE SKIP LOCKED)
		RETURNING id, key, attempt`, limit)
}

// pendingOutbox returns all rows that nobody has applied, whoever is at them.
func (db *DB) pendingOutbox(ctx context.Context) ([]outboxRow, error) {
	return db.outboxRows(ctx, "reading", `SELECT id, key, attempt FROM outbox WHERE applied_at IS NULL`)
}

// markOutbox records that Redis has been told of rows.
func (db *DB) markOutbox(ctx context.Context, rows []outboxRow) error {
	return db.markOutboxAfterPut(ctx, rows, "", "0")
}

// markOutboxAfterPut is markOutbox for a writer who has put a new value under the key put, instead of deleting the old
// one. If another edit that was not surely over by transaction since concerns the same key, the two may have reached
// Redis in either order, and the value may lack the other's part: then the key's rows are left to the relay.
func (db *DB) markOutboxAfterPut(ctx context.Context, rows []outboxRow, put, since string) error {
	if len(rows) == 0 {
		return nil
	}
	var ids []int64
	var attempts []int32
	for _, row := range rows {
		ids, attempts = append(ids, row.id), append(attempts, row.attempt)
	}
	_, err := db.side.ExecContext(ctx, `/* outbox */
		UPDATE outbox SET applied_at = clock_timestamp()
		FROM unnest($1::bigint[], $2::int[]) AS told (id, attempt)
		WHERE outbox.id = told.id AND outbox.attempt = told.attempt
		  AND NOT (outbox.key = $3 AND EXISTS (
			SELECT FROM outbox AS other
			WHERE other.key = $3 AND other.xact >= $4::text::xid8 AND other.xact <> outbox.xact))`,
		ids, attempts, put, since)
	if err != nil {
		return fmt.Errorf("marking outbox rows: %w", err)
	}
	return nil
}

// retarget notes the Redis primaries in use. If they are others than before, every row is to be applied again, those
// under way included.
func (db *DB) retarget(ctx context.Context, primaries string) error {
	_, err := db.side.ExecContext(ctx, `/* outbox */
		WITH moved AS (UPDATE outbox_target SET primaries = $1 WHERE primaries <> $1 RETURNING true)
		UPDATE outbox SET applied_at = NULL, attempt = attempt + 1, claimed_until = clock_timestamp()
		WHERE EXISTS (SELECT FROM moved)`, primaries)
	if err != nil {
		return fmt.Errorf("noting the Redis primaries: %w", err)
	}
	return nil
}

// pruneOutbox forgets what was applied long ago. Until then a replica that is promoted can be told again.
func (db *DB) pruneOutbox(ctx context.Context) error {
	_, err := db.side.ExecContext(ctx, `/* outbox */ DELETE FROM outbox WHERE applied_at < clock_timestamp() - interval '10 min'`)
	if err != nil {
		return fmt.Errorf("pruning the outbox: %w", err)
	}
	return nil
}

func (db *DB) outboxRows(ctx context.Context, what, sql string, args ...any) ([]outboxRow, error) {
	found, err := db.side.QueryContext(ctx, "/* outbox */ "+sql, args...)
	if err != nil {
		return nil, fmt.Errorf("%s outbox rows: %w", what, err)
	}
	defer found.Close() //nolint:errcheck // reported by Err
	var rows []outboxRow
	for found.Next() {
		var row outboxRow
		if err := found.Scan(&row.id, &row.key, &row.attempt); err != nil {
			return nil, fmt.Errorf("%s outbox rows: %w", what, err)
		}
		rows = append(rows, row)
	}
	if err := found.Err(); err != nil {
		return nil, fmt.Errorf("%s outbox rows: %w", what, err)
	}
	return rows, nil
}

// tell applies each row's key once, and returns the rows whose key succeeded together with the first error.
func tell(rows []outboxRow, apply func(key string) error) (told []outboxRow, err error) {
	failed := map[string]bool{}
	for _, row := range rows {
		if _, seen := failed[row.key]; !seen {
			e := apply(row.key)
			failed[row.key] = e != nil
			if err == nil {
				err = e
			}
		}
		if !failed[row.key] {
			told = append(told, row)
		}
	}
	return told, err
}
