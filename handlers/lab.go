// The lab: pages for those who run the site, which exist only when they are asked for (LAB=1). In English only.

package handlers

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"podbor/internal/checklist"
	"podbor/internal/lab"
	"podbor/templates"
)

// labPages is what the lab's pages remember between requests.
type labPages struct {
	*site
	registry *prometheus.Registry
	target   checklist.Target
	history  opsHistory
	checking atomic.Bool // the checklist is being worked through
	checkup  atomic.Pointer[checkup]
	learn    *learn
	runner   *lab.Runner
	watchers atomic.Int64 // streams that are open
}

// A checkup is the latest answer of the checklist.
type checkup struct {
	at   time.Time
	rows []checklist.Row
	err  error // there was nothing to look at
}

func (s *site) labRoutes(e *echo.Echo, cfg Config) {
	learn, err := newLearn(cfg.Sources)
	if err != nil {
		panic(err) // a link into the program's own source leads nowhere
	}
	l := &labPages{site: s, registry: cfg.Registry, target: *cfg.Lab, runner: cfg.Runner, learn: learn}
	g := e.Group("/lab", private, csrf())
	get := func(path string, h echo.HandlerFunc) { g.Match([]string{http.MethodGet, http.MethodHead}, path, h) }
	get("", l.newest)
	get("/runs/:id", l.run)
	get("/runs/:id/events", l.watch)
	get("/compare", l.compareRuns)
	g.POST("/runs", l.order)
	g.POST("/runs/:id/cancel", l.cancel)
	g.POST("/all", l.orderAll)
	g.POST("/break", l.breakIt)
	get("/ops", l.ops)
	g.POST("/ops/checklist", l.check)
	get("/glossary", l.glossary)
	get("/source", l.sourceIndex)
	get("/source/*", l.source)
}

// ops shows how the cache does in this process, since it started or in the last minute.
func (l *labPages) ops(c echo.Context) error {
	now, err := readOps(l.registry, time.Now())
	if err != nil {
		return err
	}
	// Every visit is remembered, so that the last minute is known by the time somebody asks for it.
	minuteAgo, watched := l.history.add(now)
	span := opsSpan{minute: c.QueryParam("span") == "minute", still: c.QueryParam("still") != ""}
	p := period{now: now}
	if span.minute && watched {
		p.base = minuteAgo
	}
	view := opsView(p, span)
	view.CSRF = csrfToken(c)
	view.Checking = l.checking.Load()
	if last := l.checkup.Load(); last != nil {
		view.Checklist = checklistView(last)
	}
	return l.render(c, http.StatusOK, templates.LabOpsPage(view))
}

// check works through the checklist, which sends small herds to the site itself. One at a time: whoever presses the button
// meanwhile is shown that it is being done.
func (l *labPages) check(c echo.Context) error {
	if l.checking.CompareAndSwap(false, true) {
		defer l.checking.Store(false)
		ctx := c.Request().Context()
		rows, err := checklist.Run(ctx, l.target)
		if ctx.Err() != nil {
			return ctx.Err() // nobody waits for it any more, and the earlier answer is whole
		}
		l.checkup.Store(&checkup{time.Now(), rows, err})
	}
	return c.Redirect(http.StatusSeeOther, "/lab/ops#checklist")
}
