// A job beside the site that uses its cache package: it writes many keys, and knows when each of them ends.

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"podbor/cache"
	"podbor/internal/herd"
	"podbor/internal/report"
	"podbor/models"
)

const (
	jobName    = "job" // its name space
	jobWriters = 64
	jobScan    = 1000 // keys asked for in one round trip
)

type job struct {
	client     redis.UniversalClient
	cache      *cache.Cache
	apartments *cache.Group[models.Detail]
	db         *models.DB
	store      *models.Store

	mu      sync.Mutex
	queries []time.Time // when each was started
}

// startJob connects to the servers, with an empty cache.
func (b *bench) startJob(ctx context.Context, p cache.Policy) (_ *job, err error) {
	if err := b.emptyCache(ctx); err != nil {
		return nil, err
	}
	j := &job{}
	defer func() {
		if err != nil {
			j.close()
		}
	}()
	if j.db, err = models.Open(ctx, b.postgres.URL, b.opts.pool); err != nil {
		return nil, err
	}
	j.store = models.NewStore(j.db, prometheus.NewRegistry())
	if j.client, err = cache.Connect(b.redis.URL); err != nil {
		return nil, err
	}
	j.cache, err = cache.New(cache.Options{
		Client: j.client, Namespace: jobName, Registry: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler), MaxLoads: bulkhead(b.opts.pool),
	})
	if err != nil {
		return nil, err
	}
	j.apartments, err = cache.NewGroup[models.Detail](j.cache, "apartment", 1, p)
	return j, err
}

func (j *job) close() {
	if j.cache != nil {
		j.cache.Close()
	}
	if j.client != nil {
		_ = j.client.Close()
	}
	if j.db != nil {
		_ = j.db.Close()
	}
}

// write puts apartments into the cache as fast as it takes them.
func (j *job) write(ctx context.Context, ids []int64) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobWriters)
	for _, id := range ids {
		group.Go(func() error {
			return j.apartments.Put(ctx, strconv.FormatInt(id, 10), models.Detail{Card: models.Card{ID: id}, Version: 1})
		})
	}
	return group.Wait()
}

// ends asks Redis when each of the keys will end.
func (j *job) ends(ctx context.Context) (map[int64]time.Time, error) {
	ends := map[int64]time.Time{}
	for cursor := uint64(0); ; {
		keys, next, err := j.client.Scan(ctx, cursor, "{"+jobName+":apartment:*", jobScan).Result()
		if err != nil {
			return nil, fmt.Errorf("looking for the keys: %w", err)
		}
		pipe := j.client.Pipeline()
		left := make([]*redis.DurationCmd, len(keys))
		for i, key := range keys {
			left[i] = pipe.PTTL(ctx, key)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return nil, fmt.Errorf("reading TTLs: %w", err)
		}
		now := time.Now() // later than Redis's: a little too late rather than too early
		for i, key := range keys {
			id, err := strconv.ParseInt(strings.Trim(key[strings.LastIndexByte(key, ':')+1:], "{}"), 10, 64)
			if err != nil {
				return nil, fmt.Errorf("no id in the key %s", key)
			}
			ends[id] = now.Add(left[i].Val())
		}
		if cursor = next; cursor == 0 {
			return ends, nil
		}
	}
}

// visit asks for each apartment when its key has just ended, whether or not earlier visitors have been answered.
func (j *job) visit(ctx context.Context, ends map[int64]time.Time, zero time.Time) []report.Request {
	ids := slices.SortedFunc(maps.Keys(ends), func(a, b int64) int { return cmp.Compare(ends[a].UnixNano(), ends[b].UnixNano()) })
	visits := make([]report.Request, len(ids))
	var open sync.WaitGroup
	for i, id := range ids {
		due := ends[id].Add(2 * time.Millisecond) // Redis counts time in report.MS: now the key is gone for certain
		if herd.SleepUntil(ctx, due) != nil {
			break
		}
		open.Go(func() {
			sent := time.Now()
			_, err := j.apartments.Get(ctx, strconv.FormatInt(id, 10), func(ctx context.Context) (models.Detail, error) { return j.load(ctx, id) })
			since := func(t time.Time) float64 { return report.MS(t.Sub(zero)) }
			r := report.Request{Start: since(due), Sent: since(sent), End: since(time.Now()), Process: 1, Status: 200, Outcome: report.Loaded}
			switch {
			case errors.Is(err, models.ErrOverloaded):
				r.Status, r.Outcome = 503, report.Shed
			case err != nil:
				r.Status, r.Outcome, r.Error = 500, report.Error, err.Error()
			}
			visits[i] = r
		})
	}
	open.Wait()
	return visits
}

func (j *job) load(ctx context.Context, id int64) (models.Detail, error) {
	j.mu.Lock()
	j.queries = append(j.queries, time.Now())
	j.mu.Unlock()
	return j.store.Apartment(ctx, id)
}
