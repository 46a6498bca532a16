// Package checklist asks what one should ask before calling a cache done, and looks the answers up in the running system:
// in the site's own answers and metrics, in what lies in its Redis, and in the settings of its servers.
//
// The questions come from models.Policies. Reading order: checklist.go (the rows), visit.go (what the site answers),
// stored.go (what lies in Redis), windows.go (what is remembered of visitors), servers.go (settings and metrics).
package checklist

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/cache"
	"podbor/models"
)

// A Row is one question and its answer.
type Row struct {
	Subject string // a prefix or a server
	Check   string // what must hold
	OK      bool
	Found   string // what was seen
}

// Target is the system to look at.
type Target struct {
	URL            string // of the site, without a path: http://127.0.0.1:8080
	Cache, Session redis.UniversalClient
	Namespace      string // of the cache's keys
}

// herd is how many visitors ask for the same page at once.
const herd = 20

// Run visits the site and returns all rows. An error means that there was no site to look at.
func Run(ctx context.Context, t Target) ([]Row, error) {
	v, err := visitSite(ctx, t.URL)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, p := range models.Policies(v.strategy) {
		stored, err := t.stored(ctx, p.Prefix)
		if err != nil {
			return nil, fmt.Errorf("look for %s in Redis: %w", p.Prefix, err)
		}
		rows = append(rows, prefixRows(p, v, stored)...)
	}
	rows = append(rows, windowRows(ctx, t)...)
	rows = append(rows, serverRows(ctx, t)...)
	return append(rows, metricRows(v.metrics)...), nil
}

// stored returns the entries of a prefix. A copy that lives for seconds may have ended since the visits, and a process that
// has one of its own does not write it again at once: somebody looks at the site now and then until it is there.
func (t Target) stored(ctx context.Context, prefix string) (found []entry, err error) {
	const tries, pause = 5, 500 * time.Millisecond
	b := browser{http.DefaultClient, t.URL}
	for try := range tries {
		if found, err = readStored(ctx, t.Cache, t.Namespace, prefix); err != nil || len(found) > 0 {
			break
		}
		if try > 0 {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(pause):
			}
		}
		if _, _, err := b.get(ctx, "/"); err != nil {
			return nil, err
		}
	}
	return found, err
}

// Failed returns an error if any row does not hold.
func Failed(rows []Row) error {
	failed := 0
	for _, r := range rows {
		if !r.OK {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, len(rows))
	}
	return nil
}

// prefixRows asks the same questions of every prefix.
func prefixRows(p models.Policy, v visit, stored []entry) []Row {
	row := func(check string, ok bool, found string, args ...any) Row {
		return Row{p.Prefix, check, ok, fmt.Sprintf(found, args...)}
	}
	lookups := v.herds[p.Prefix]
	rows := []Row{
		ttlRow(p, stored),
		jitterRow(p, stored),
		row("protected against a herd", v.strategy != cache.Off && v.strategy != cache.Aside && len(lookups) == herd && lookups.count("loaded") <= 1,
			"%s: %d at once asked the database %d times", p.Strategy, len(lookups), lookups.count("loaded")),
		row("hot key: a local copy", p.LocalTTL > 0 && v.warm[p.Prefix] == "l1",
			"kept %v per process; the next visit was answered by %s", p.LocalTTL, orNothing(v.warm[p.Prefix])),
		row("behaviour without Redis is written down", p.Away != "", "%s", p.Away),
	}
	if p.CanMiss {
		rows = append(rows, row("negative caching", p.NegativeTTL > 0 && v.missing == "negative",
			"what does not exist is remembered %v; the second visit was answered by %s", p.NegativeTTL, orNothing(v.missing)))
	}
	return rows
}

func ttlRow(p models.Policy, stored []entry) Row {
	longest := max(p.HardTTL, p.NegativeTTL)
	longest += time.Duration(float64(longest) * p.Jitter)
	low, high := longest, time.Duration(0)
	var err error
	for _, e := range stored {
		low, high = min(low, e.ttl), max(high, e.ttl)
		if e.ttl <= 0 {
			err = errors.New("a key without a TTL")
		} else if e.ttl > longest {
			err = fmt.Errorf("a key that lives longer than %v", longest)
		}
	}
	switch {
	case len(stored) == 0:
		return Row{p.Prefix, "TTL", false, "nothing is stored"}
	case err != nil:
		return Row{p.Prefix, "TTL", false, err.Error()}
	}
	return Row{p.Prefix, "TTL", true, fmt.Sprintf("soft %v, hard %v; %d keys have %v to %v left",
		p.SoftTTL, p.HardTTL, len(stored), low.Round(time.Second), high.Round(time.Second))}
}

// jitterRow measures by how much each stored value's soft TTL was stretched.
func jitterRow(p models.Policy, stored []entry) Row {
	low, high := 1.0, 0.0
	for _, e := range stored {
		soft := p.SoftTTL
		if e.NotFound {
			soft = p.NegativeTTL
		}
		stretch := float64(e.Soft.Sub(e.Start))/float64(max(soft, 1)) - 1
		low, high = min(low, stretch), max(high, stretch)
	}
	const rounding = 0.001 // expiries are whole milliseconds
	ok := len(stored) > 0 && high > rounding/100 && low > -rounding && high <= p.Jitter+rounding
	if len(stored) == 0 {
		return Row{p.Prefix, "jitter", false, "nothing is stored"}
	}
	return Row{p.Prefix, "jitter", ok, fmt.Sprintf("up to +%.0f %%; %d values have +%.1f to +%.1f %%", p.Jitter*100, len(stored), low*100, high*100)}
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
