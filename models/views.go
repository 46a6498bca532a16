// Views: how often each apartment was looked at. The write side of a hot key.
//
// Everybody looks at the same famous apartment, and one row (or one Redis key) that every request writes to becomes the
// queue that every request waits in. So nobody waits:
//
//	visit ─▶ map in this process ─▶ one of 16 hashes in Redis, each second ─▶ table apartment_views, every 5 s
//
// The hashes are shards of one counter: a process adds to a random one, so that in a Cluster no single slot gets all the
// writes. Any process may move a shard into the table. It does so as a named batch, which the table accepts once: a crash at
// any point between taking a shard and dropping it leads to the same batch again.
//
// What can go wrong nevertheless: a killed process loses the views of its last second; a killed Redis those that are not
// yet in the table, up to its own durability. While Redis is away they wait in the process, which loses them if it ends
// then. A push whose answer is lost is repeated, and may count twice. An orderly stop loses nothing.

package models

import (
	"context"
	"crypto/rand"
	_ "embed" // the scripts
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	viewShards  = 16
	pushEvery   = time.Second
	flushEvery  = 5 * time.Second
	closeWithin = 5 * time.Second
	// mostViewed bounds the ids that wait for Redis: a crawler of the whole site must not fill the memory while it is away.
	mostViewed = 50_000
)

var (
	//go:embed lua/take.lua
	takeText string
	//go:embed lua/drop.lua
	dropText string
)

// Views counts visits. Make it with CountViews.
type Views struct {
	db         *DB
	client     redis.UniversalClient
	namespace  string
	log        *slog.Logger
	take, drop *redis.Script

	mu     sync.Mutex
	counts map[int64]int64 // protected by mu: seen, and not yet in Redis

	// Of the goroutine of run:
	dirty [viewShards]bool // shards that this process has added to since it moved them; at first all, which the dead may have left
	turn  int              // one more shard is looked at each time, for those that die later

	stop chan struct{}
	done chan struct{}
}

// CountViews returns a counter whose shards lie in the Redis of client under namespace. That Redis should evict nothing.
func CountViews(db *DB, client redis.UniversalClient, namespace string, log *slog.Logger) *Views {
	v := &Views{
		db: db, client: client, namespace: namespace, log: log,
		take: redis.NewScript(takeText), drop: redis.NewScript(dropText),
		counts: map[int64]int64{},
		stop:   make(chan struct{}), done: make(chan struct{}),
	}
	for shard := range v.dirty {
		v.dirty[shard] = true
	}
	go v.run()
	return v
}

// Seen counts one visit. It never waits for a server.
func (v *Views) Seen(apartment int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, known := v.counts[apartment]; known || len(v.counts) < mostViewed {
		v.counts[apartment]++
	}
}

// Close moves all that was counted into the table, and returns when that is done or has failed.
func (v *Views) Close() {
	close(v.stop)
	<-v.done
}

func (v *Views) run() {
	defer close(v.done)
	push, flush := time.NewTicker(pushEvery), time.NewTicker(flushEvery)
	defer push.Stop()
	defer flush.Stop()
	failing := false
	for stopping := false; !stopping; {
		var err error
		ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
		select {
		case <-push.C:
			err = v.push(ctx)
		case <-flush.C:
			err = v.flush(ctx)
		case <-v.stop:
			stopping = true
			if err = v.push(ctx); err == nil {
				err = v.flush(ctx)
			}
		}
		cancel()
		switch {
		case err != nil && stopping:
			v.log.Warn("not all views are counted yet; those that are not even in Redis are lost", "lost_of_apartments", v.waiting(), "err", err)
		case err != nil && !failing: // once per outage, not once a second
			v.log.Warn("views wait to be counted", "err", err)
		}
		failing = err != nil
	}
}

// waiting is the number of apartments whose views are not in Redis.
func (v *Views) waiting() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.counts)
}

// push moves the counts of this process into one shard, all or none. What does not get there is kept.
func (v *Views) push(ctx context.Context) error {
	v.mu.Lock()
	counts := v.counts
	v.counts = map[int64]int64{}
	v.mu.Unlock()
	if len(counts) == 0 {
		return nil
	}
	shard := mathrand.IntN(viewShards)
	v.dirty[shard] = true // even if this fails: the answer alone may be lost
	live, _ := v.keys(shard)
	_, err := v.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		for id, n := range counts {
			p.HIncrBy(ctx, live, strconv.FormatInt(id, 10), n)
		}
		return nil
	})
	if err == nil {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, n := range counts {
		v.counts[id] += n
	}
	return fmt.Errorf("count views in Redis: %w", err)
}

// flush moves the shards that need it into the table.
func (v *Views) flush(ctx context.Context) error {
	v.turn = (v.turn + 1) % viewShards
	v.dirty[v.turn] = true
	for shard, dirty := range v.dirty {
		if !dirty {
			continue
		}
		for more := true; more; { // what somebody took before us, and then what has come in since
			var err error
			if more, err = v.flushShard(ctx, shard); err != nil {
				return fmt.Errorf("move views to PostgreSQL: %w", err)
			}
		}
		v.dirty[shard] = false
	}
	return nil
}

// flushShard moves one batch of a shard, if there is any.
func (v *Views) flushShard(ctx context.Context, shard int) (moved bool, err error) {
	live, taken := v.keys(shard)
	fields, err := v.take.Run(ctx, v.client, []string{live, taken}, rand.Text()).StringSlice()
	if err != nil {
		return false, err
	}
	if len(fields) == 0 {
		return false, nil
	}
	var batch string
	var ids, counts []int64
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == "batch" {
			batch = fields[i+1]
			continue
		}
		id, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return false, err
		}
		n, err := strconv.ParseInt(fields[i+1], 10, 64)
		if err != nil {
			return false, err
		}
		ids, counts = append(ids, id), append(counts, n)
	}
	if err := v.db.addViews(ctx, batch, ids, counts); err != nil {
		return false, err
	}
	return true, v.drop.Run(ctx, v.client, []string{taken}, batch).Err()
}

// keys returns the names of a shard's two hashes, which share a slot of a Cluster.
func (v *Views) keys(shard int) (live, taken string) {
	live = "{" + v.namespace + ":viewcount:" + strconv.Itoa(shard) + "}"
	return live, live + ":taken"
}

// addViews adds a batch unless it was added before: one statement, and so one transaction.
func (db *DB) addViews(ctx context.Context, batch string, ids, counts []int64) error {
	_, err := db.pool.ExecContext(ctx, `/* add-views */
		WITH fresh AS (INSERT INTO view_batches (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id),
		     old AS (DELETE FROM view_batches WHERE applied_at < now() - interval '1 day')
		INSERT INTO apartment_views (apartment_id, views)
		SELECT seen.id, seen.n FROM fresh, unnest($2::bigint[], $3::bigint[]) AS seen (id, n)
		ORDER BY seen.id -- two batches at once lock rows in one order
		ON CONFLICT (apartment_id) DO UPDATE SET views = apartment_views.views + excluded.views`,
		batch, ids, counts)
	if err != nil {
		return fmt.Errorf("add a batch of views: %w", err)
	}
	return nil
}

// Views returns how often an apartment was looked at, 0 if never.
func (s *Store) Views(ctx context.Context, apartment int64) (int64, error) {
	var views int64
	err := s.query(ctx, &views, "views",
		`SELECT coalesce((SELECT views FROM apartment_views WHERE apartment_id = @id), 0)`,
		map[string]any{"id": apartment})
	return views, err
}
