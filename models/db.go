// The database: a bounded pool for the site, and one connection beside it for everything that must not queue.

package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// connectTimeout bounds one attempt to connect when the URL has no connect_timeout.
const connectTimeout = 5 * time.Second

// oldestVersion is the oldest PostgreSQL the tests have seen.
const oldestVersion = 14

// A DB is one PostgreSQL database.
type DB struct {
	orm    *gorm.DB
	pool   *sql.DB         // behind orm; what the site's queries share
	side   *sql.DB         // one connection for migrations, probes and the outbox: a full pool must not make the process look dead
	config *pgx.ConnConfig // for a connection of one's own
}

// Open connects to the PostgreSQL at url and keeps at most pool connections for the site's queries.
// Its error is one sentence for the person who configured the url.
func Open(ctx context.Context, url string, pool int) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("the database URL cannot be read: %w", err) // pgx masks the password
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	// One statement serves every filter, and what is not filtered by must cost nothing: plan it for the values
	// at hand. PostgreSQL would otherwise settle for a plan that suits no filter in particular.
	if _, set := config.RuntimeParams["plan_cache_mode"]; !set {
		config.RuntimeParams["plan_cache_mode"] = "force_custom_plan"
	}

	db := &DB{pool: stdlib.OpenDB(*config), side: stdlib.OpenDB(*config), config: config}
	db.pool.SetMaxOpenConns(pool)
	db.pool.SetMaxIdleConns(pool) // a herd must not pay for connecting again
	db.side.SetMaxOpenConns(1)
	if err := db.check(ctx, config); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	db.orm, err = gorm.Open(postgres.New(postgres.Config{Conn: db.pool}), &gorm.Config{
		Logger:                 logger.Discard, // errors are returned, and logged once by whoever answers for them
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening gorm: %w", err), db.Close())
	}
	return db, nil
}

// Close closes all connections, and waits for queries that are running.
func (db *DB) Close() error { return errors.Join(db.pool.Close(), db.side.Close()) }

// Namespace returns the id that this database got when it was created.
func (db *DB) Namespace(ctx context.Context) (string, error) {
	var id string
	if err := db.side.QueryRowContext(ctx, `SELECT id::text FROM instance`).Scan(&id); err != nil {
		return "", fmt.Errorf("reading the database's id: %w", err)
	}
	return id, nil
}

// check connects once and turns what commonly goes wrong into a sentence.
func (db *DB) check(ctx context.Context, config *pgx.ConnConfig) error {
	var version int
	err := db.side.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int / 10000`).Scan(&version)
	if err == nil && version < oldestVersion {
		return fmt.Errorf("PostgreSQL %d is too old: this needs %d or newer", version, oldestVersion)
	}
	if err == nil {
		return nil
	}
	server := net.JoinHostPort(config.Host, fmt.Sprint(config.Port))
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch refusal.Code {
		case "28P01", "28000":
			return fmt.Errorf("PostgreSQL at %s does not let user %q in: check user and password in the database URL (%w)", server, config.User, refusal)
		case "3D000":
			return fmt.Errorf("PostgreSQL at %s has no database %q: create it, or change the database URL (%w)", server, config.Database, refusal)
		}
		return fmt.Errorf("PostgreSQL at %s refuses the connection: %w", server, refusal)
	}
	if network, ok := errors.AsType[*net.OpError](err); ok {
		err = network // without pgx's list of every address it tried
	}
	return fmt.Errorf("PostgreSQL at %s cannot be reached: %w", server, err)
}
