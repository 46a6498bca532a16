// The schema: goose migrations, embedded, run by whichever process comes first.

package models

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema up to date. Processes that start together take turns, so all may call it.
func (db *DB) Migrate(ctx context.Context) error {
	goose, err := db.goose()
	if err != nil {
		return err
	}
	if _, err := goose.Up(ctx); err != nil {
		return fmt.Errorf("migrating the database: %w", err)
	}
	return nil
}

// Ready reports whether the database can be reached and has the schema that this program needs.
func (db *DB) Ready(ctx context.Context) error {
	goose, err := db.goose()
	if err != nil {
		return err
	}
	pending, err := goose.HasPending(ctx)
	if err != nil {
		return fmt.Errorf("asking the database for its schema version: %w", err)
	}
	if pending {
		return fmt.Errorf("the database has yet to be migrated")
	}
	return nil
}

func (db *DB) goose() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	const everySecond, forFiveMinutes = 1, 300
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(everySecond, forFiveMinutes))
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, db.side, files,
		goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
}
