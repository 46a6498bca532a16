// The page under test and its copies in the cache.

package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

// localCopies is longer than a process keeps a copy in its own memory (2 s and up to 10 % of jitter).
const localCopies = 2500 * time.Millisecond

// ofPage are the prefixes of the page's two entries, its counts and its list.
var ofPage = []string{"facets", "list"}

// keys returns where the entries of some prefixes are stored in Redis.
func (b *bench) keys(ctx context.Context, prefixes []string) ([]string, error) {
	var found []string
	for _, prefix := range prefixes {
		scan := b.cache.Scan(ctx, 0, "*:"+prefix+":*", 1000).Iterator()
		for scan.Next(ctx) {
			if !strings.HasSuffix(scan.Val(), ":lease") {
				found = append(found, scan.Val())
			}
		}
		if err := scan.Err(); err != nil {
			return nil, fmt.Errorf("looking for entries in Redis: %w", err)
		}
	}
	return found, nil
}

// forget deletes the entries of some prefixes from Redis.
func (b *bench) forget(ctx context.Context, prefixes []string) error {
	keys, err := b.keys(ctx, prefixes)
	if err != nil || len(keys) == 0 {
		return err
	}
	if err := b.cache.Del(ctx, keys...).Err(); err != nil {
		return fmt.Errorf("deleting entries from Redis: %w", err)
	}
	return nil
}

// single measures one request for the page on a cold key with nothing else running, on every process in turn, in
// report.MS. It leaves the page in Redis.
func (b *bench) single(ctx context.Context, c *herd.Client) ([]float64, error) {
	var ms []float64
	rounds := 1
	if len(c.Addresses()) == 1 {
		rounds = 2 // so that three repeats give at least five figures
	}
	// The same counts under a filter that lets everything pass: reads the table into memory.
	for i := range c.Addresses() {
		if r := c.Get(ctx, time.Now(), herd.Arrival{Process: i, Path: b.page + "?area_min=1"}); r.Outcome == report.Error {
			return nil, fmt.Errorf("warming process %d: %s", i+1, r.Error)
		}
	}
	for round := range rounds {
		if round > 0 {
			if err := herd.SleepUntil(ctx, time.Now().Add(localCopies)); err != nil {
				return nil, err
			}
		}
		for i := range c.Addresses() {
			if err := b.forget(ctx, ofPage); err != nil {
				return nil, err
			}
			r := c.Get(ctx, time.Now(), herd.Arrival{Process: i, Path: b.page})
			if r.Status != http.StatusOK || r.Outcome != report.Loaded {
				return nil, fmt.Errorf("measuring a single query on process %d: answered %q, status %d, %s", i+1, r.Outcome, r.Status, r.Error)
			}
			ms = append(ms, r.Latency())
		}
	}
	return ms, nil
}

// openConnections makes every process fill its pool, with pages that no run asks for.
func (b *bench) openConnections(ctx context.Context, c *herd.Client) {
	herd.FillPools(ctx, c, b.opts.pool, func(i int) string { return b.coldPage(len(b.ids) - 1 - i) })
}

// warm asks for the page until every process answers it from the cache.
func (b *bench) warm(ctx context.Context, c *herd.Client) error {
	const tries = 20
	for i := range c.Addresses() {
		var last report.Request
		for range tries {
			last = c.Get(ctx, time.Now(), herd.Arrival{Process: i, Path: b.page})
			if last.Outcome == report.L1 || last.Outcome == report.Redis {
				break
			}
		}
		if last.Outcome != report.L1 && last.Outcome != report.Redis {
			return fmt.Errorf("process %d does not answer the page from its cache: %q, status %d, %s", i+1, last.Outcome, last.Status, last.Error)
		}
	}
	return nil
}
