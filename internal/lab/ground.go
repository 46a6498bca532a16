// The ground: the page that herds ask for, its copies in the cache, and where all this happens.

package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"podbor/cache"
	"podbor/internal/herd"
	"podbor/internal/report"
	"podbor/models"
)

// ground is found out once.
type ground struct {
	page        string        // the largest city's, with a filter that lets everything pass and that visitors do not use
	keys        []string      // patterns of the page's entries in Redis: its counts and its list
	ids         []int64       // of apartments for visitors of other pages, scattered over the table
	absent      int64         // no apartment has this id or a greater one
	single      time.Duration // what the heavy query takes with the database to itself; 0 until that is known
	environment report.Environment
}

func (r *Runner) survey(ctx context.Context, conn *pgx.Conn) (*ground, error) {
	g := &ground{environment: herd.Environment(ctx, conn, r.cfg.Cache, r.cfg.Site.Rows)}
	var city string
	if err := conn.QueryRow(ctx, `SELECT slug FROM cities ORDER BY id LIMIT 1`).Scan(&city); err != nil {
		return nil, fmt.Errorf("choosing a page: %w", err)
	}
	f := models.Filter{AreaMin: 1}
	g.page = "/" + city + "?" + f.ListID()
	for _, id := range []string{"facets:" + city + ":v*:" + f.FacetsID(), "list:" + city + ":v*:" + f.ListID()} {
		g.keys = append(g.keys, "{*:"+id+"}")
	}
	if err := conn.QueryRow(ctx, `SELECT max(id) + 1 FROM apartments`).Scan(&g.absent); err != nil {
		return nil, fmt.Errorf("choosing an apartment that does not exist: %w", err)
	}
	rows, err := conn.Query(ctx, `SELECT id FROM apartments WHERE status = 'published' ORDER BY hashint8(id) LIMIT 5000`)
	if err == nil {
		g.ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	}
	if err != nil {
		return nil, fmt.Errorf("choosing apartments: %w", err)
	}
	return g, nil
}

// otherPage is the page of an apartment.
func (g *ground) otherPage(i int) string {
	n := len(g.ids)
	return fmt.Sprintf("/apartments/%d", g.ids[(i%n+n)%n])
}

// find returns the keys in Redis that match patterns.
func (r *Runner) find(ctx context.Context, patterns ...string) (keys []string, err error) {
	for _, pattern := range patterns {
		scan := r.cfg.Cache.Scan(ctx, 0, pattern, 1000).Iterator()
		for scan.Next(ctx) {
			keys = append(keys, scan.Val())
		}
		if err := scan.Err(); err != nil {
			return nil, fmt.Errorf("looking for entries in Redis: %w", err)
		}
	}
	return keys, nil
}

func (r *Runner) forget(ctx context.Context, patterns ...string) error {
	keys, err := r.find(ctx, patterns...)
	if err != nil || len(keys) == 0 {
		return err
	}
	for len(keys) > 0 {
		n := min(len(keys), 1000)
		if err := r.cfg.Cache.Unlink(ctx, keys[:n]...).Err(); err != nil {
			return fmt.Errorf("deleting entries from Redis: %w", err)
		}
		keys = keys[n:]
	}
	return nil
}

// copyLives is how long a copy that was made sure of stays, if no run ends it before.
const copyLives = 10 * time.Minute

// prime makes sure that Redis has fresh copies of the page, and returns their keys. The site itself puts them there, and none
// of the crew gets one into its own memory. The copies of the last run will do, but what the heavy query costs is told only
// by one that was made while nobody else wanted anything.
func (r *Runner) prime(ctx context.Context, u *run, g *ground) ([]string, error) {
	if g.single == 0 {
		u.step("putting a copy of the page into the cache")
		if err := r.forget(ctx, g.keys...); err != nil {
			return nil, err
		}
	}
	const tries = 6
	for range tries {
		began := time.Now()
		if err := r.visit(ctx, g.page); err != nil {
			return nil, err
		}
		keys, err := r.find(ctx, g.keys...)
		if err != nil {
			return nil, err
		}
		counts, err := r.inspect(ctx, keys, len(g.keys))
		if err == nil && !counts.Start.Before(began) {
			g.single = counts.Cost
		}
		if err == nil && g.single > 0 {
			for _, key := range keys {
				if err := herd.Keep(ctx, r.cfg.Cache, key, time.Now().Add(copyLives)); err != nil {
					return nil, err
				}
			}
			return keys, nil
		}
		u.step("putting a copy of the page into the cache")
		if err := r.forget(ctx, g.keys...); err != nil {
			return nil, err
		}
		// Until it has no copy in its own memory, the site needs none in Redis.
		if err := herd.SleepUntil(ctx, time.Now().Add(localCopies/2)); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("the site does not put the page into its cache: it needs a STRATEGY other than off, and a Redis that has room")
}

// inspect looks at the page's copies and returns the envelope of its counts. Its error says why they will not do: there are
// not as many as a page has (an edit moves it to other keys), or one is not fresh.
func (r *Runner) inspect(ctx context.Context, keys []string, want int) (counts cache.Stored, err error) {
	if len(keys) != want {
		return counts, fmt.Errorf("%d copies in Redis, want %d", len(keys), want)
	}
	for _, key := range keys {
		stored, err := r.cfg.Cache.Get(ctx, key).Bytes()
		if err != nil {
			return counts, fmt.Errorf("reading %s: %w", key, err)
		}
		found, err := cache.Inspect(stored)
		if err != nil || time.Now().After(found.Soft) {
			return counts, fmt.Errorf("%s is not fresh (%w)", key, err)
		}
		if strings.Contains(key, ":facets:") {
			counts = found
		}
	}
	return counts, nil
}

// visit asks the site itself for a page.
func (r *Runner) visit(ctx context.Context, page string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.cfg.SiteURL+page, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("asking the site for %s: %w", page, err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("asking the site for %s: it answers %s (%w)", page, response.Status, err)
	}
	return nil
}

// expire does to the copies what the plan says, at a moment to come.
func (r *Runner) expire(ctx context.Context, state State, keys []string, at time.Time) error {
	for _, key := range keys {
		var err error
		switch state {
		case Stale:
			err = herd.ExpireSoftly(ctx, r.cfg.Cache, key, at)
		case Expired:
			err = r.cfg.Cache.PExpireAt(ctx, key, at).Err()
		}
		if err != nil && !errors.Is(err, redis.Nil) {
			return fmt.Errorf("letting the copy expire: %w", err)
		}
	}
	return nil
}
