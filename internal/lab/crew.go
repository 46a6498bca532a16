// The crew: processes of the site that visitors are sent to. It stays from run to run as long as it fits.

package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"podbor/internal/herd"
)

type crew struct {
	strategy string
	n        int
	fleet    *herd.Fleet
	scraper  *herd.Scraper
	visited  time.Time // when a herd last was there
}

// localCopies is longer than a process keeps a copy in its own memory (2 s and up to 10 % of jitter).
const localCopies = 2500 * time.Millisecond

// muster makes r.crew one that fits the plan, with its connections to the database open and no copies in its memory.
func (r *Runner) muster(ctx context.Context, u *run, g *ground) error {
	p := u.record.Plan
	fits := r.crew != nil && r.crew.strategy == p.Strategy && r.crew.n == p.Processes && r.crew.fleet.Alive() == nil &&
		p.State != Cold // processes that have been asked before are not cold
	if !fits {
		r.letGo()
		u.step(fmt.Sprintf("starting %d × the site with STRATEGY=%s", p.Processes, p.Strategy))
		fleet, err := r.cfg.Site.Start(ctx, p.Strategy, p.Processes)
		if err != nil {
			return err
		}
		r.crew = &crew{strategy: p.Strategy, n: p.Processes, fleet: fleet, scraper: herd.NewScraper(fleet)}
		u.step("opening their connections to the database")
		c := herd.NewClient(fleet.Addresses, time.Minute)
		defer c.Close()
		if p.State != Cold {
			herd.FillPools(ctx, c, r.cfg.Site.Pool, func(i int) string { return g.otherPage(len(g.ids) - 1 - i) })
		}
	}
	if wait := time.Until(r.crew.visited.Add(localCopies)); wait > 0 {
		u.step("waiting until no process has a copy in its own memory any more")
		return herd.SleepUntil(ctx, r.crew.visited.Add(localCopies))
	}
	return ctx.Err()
}

func (c *crew) close() error {
	c.scraper.Close()
	return errors.Join(c.fleet.Stop())
}
