// Listening: news of edits from the database itself, which void this process's own copies even while Redis is away.

package models

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	listenPing      = time.Second // of silence, after which the connection must prove itself
	listenPong      = time.Second
	listenReconnect = 200 * time.Millisecond
	listenerName    = "podbor listener" // in pg_stat_activity
)

// A Listener voids this process's copies of what edits made old, as soon as they commit.
//
// PostgreSQL forgets notifications for whoever does not listen. So copies are trusted only while the connection lives,
// and all are forgotten whenever LISTEN has been confirmed: not when the connection ended, because a load that began in
// between read without hearing. The connection is its own: a pool would lend it to others.
type Listener struct {
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// Listen begins to listen to db, until Close.
func Listen(db *DB, store *Cached, log *slog.Logger) *Listener {
	ctx, cancel := context.WithCancel(context.Background())
	l := &Listener{cancel: cancel}
	l.running.Go(func() {
		for ctx.Err() == nil {
			err := receive(ctx, db, store)
			store.cache.SetListening(false)
			if ctx.Err() == nil {
				log.Warn("not listening to the database's news of edits for now", "err", err)
				select {
				case <-ctx.Done():
				case <-time.After(listenReconnect):
				}
			}
		}
	})
	return l
}

// Close ends the connection and waits for that.
func (l *Listener) Close() {
	l.cancel()
	l.running.Wait()
}

// receive listens and obeys until the connection fails.
func receive(ctx context.Context, db *DB, store *Cached) error {
	config := db.config.Copy()
	config.RuntimeParams["application_name"] = listenerName
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		goodbye, cancel := context.WithTimeout(context.WithoutCancel(ctx), listenPong)
		defer cancel()
		conn.Close(goodbye)
	}()
	if _, err := conn.Exec(ctx, "LISTEN outbox"); err != nil {
		return fmt.Errorf("LISTEN: %w", err)
	}
	store.cache.Flush()
	store.cache.SetListening(true)
	for {
		news, err := waitForNews(ctx, conn)
		if err != nil {
			return err
		}
		store.voidLocal(news.Payload)
	}
}

// waitForNews returns the next notification. A dead connection looks like silence, so silence is questioned.
func waitForNews(ctx context.Context, conn *pgx.Conn) (*pgconn.Notification, error) {
	for {
		quiet, cancel := context.WithTimeout(ctx, listenPing)
		news, err := conn.WaitForNotification(quiet)
		cancel()
		if err == nil || ctx.Err() != nil || !pgconn.Timeout(err) {
			return news, err
		}
		answer, cancel := context.WithTimeout(ctx, listenPong)
		err = conn.Ping(answer)
		cancel()
		if err != nil {
			return nil, fmt.Errorf("no answer from the connection that listens: %w", err)
		}
	}
}
