// Runs of the lab: ordering one, cancelling it, and watching it by server-sent events.

package handlers

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/lab"
	"podbor/internal/report"
)

// errNoSuchRun is for ids of runs that were never there, or have made room for others.
var errNoSuchRun = echo.NewHTTPError(http.StatusNotFound, "there is no such run")

func (l *labPages) getRun(id string) (lab.Record, error) {
	r, err := l.runner.Get(id)
	if errors.Is(err, lab.ErrUnknown) {
		return r, errNoSuchRun
	}
	return r, err
}

// askedPlan reads the form. What is wrong with it is told in a sentence; what was typed comes back either way.
func askedPlan(c echo.Context) (p lab.Plan, err error) {
	number := func(name, what string) int {
		n, convErr := strconv.Atoi(c.FormValue(name))
		if convErr != nil && err == nil {
			err = fmt.Errorf("%s: a whole number is needed", what)
		}
		return n
	}
	p.Strategy, p.State = c.FormValue("strategy"), lab.State(c.FormValue("state"))
	p.Herd, p.Processes = number("herd", "visitors"), number("processes", "processes")
	p.TimeoutMS, p.Fault = number("timeout_ms", "patience"), lab.Fault(c.FormValue("fault"))
	if c.FormValue("guess") != "" {
		if guess := number("guess", "your guess"); guess >= 0 {
			p.Guess = &guess
		}
	}
	if err == nil {
		err = p.Check()
	}
	return p, err
}

// order starts a run.
func (l *labPages) order(c echo.Context) error {
	plan, err := askedPlan(c)
	return l.start(c, plan, err, plan)
}

// orderAll starts a run of each strategy, one after the other.
func (l *labPages) orderAll(c echo.Context) error {
	plan, err := askedPlan(c)
	var plans []lab.Plan
	for _, strategy := range lab.Strategies() {
		plan.Strategy, plan.Guess = strategy, nil
		plans = append(plans, plan)
	}
	return l.start(c, plan, err, plans...)
}

func (l *labPages) start(c echo.Context, typed lab.Plan, err error, plans ...lab.Plan) error {
	if err != nil {
		return l.show(c, http.StatusUnprocessableEntity, labShown{plan: &typed, problem: sentence(err.Error())})
	}
	ids, err := l.runner.Start(plans...)
	if errors.Is(err, lab.ErrBusy) {
		return l.show(c, http.StatusConflict, labShown{plan: &typed, problem: "Not yet: a run is under way, and there is only one at a time."})
	}
	if err != nil {
		return err
	}
	if len(ids) > 1 {
		return c.Redirect(http.StatusSeeOther, "/lab/compare?"+url.Values{"run": ids}.Encode())
	}
	to := "/lab/runs/" + ids[0]
	if n, err := strconv.Atoi(c.FormValue("tour")); err == nil && n >= 1 && n <= tourSteps {
		to += "?tour=" + strconv.Itoa(n)
	}
	return c.Redirect(http.StatusSeeOther, to)
}

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// breakIt does something to the private servers.
func (l *labPages) breakIt(c echo.Context) error {
	fault := lab.Fault(c.FormValue("fault"))
	if !slices.Contains(lab.Faults(), fault) || !l.runner.Ours() {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, "nothing is known of that fault here")
	}
	if err := l.runner.Break(c.Request().Context(), fault); err != nil {
		return l.show(c, http.StatusConflict, labShown{problem: sentence(err.Error())})
	}
	to := "/lab"
	if id := l.runner.Current(); id != "" {
		to = "/lab/runs/" + id
	}
	return c.Redirect(http.StatusSeeOther, to)
}

func (l *labPages) cancel(c echo.Context) error {
	r, err := l.getRun(c.Param("id"))
	if err != nil {
		return err
	}
	if l.runner.Current() == r.ID {
		l.runner.Cancel()
	}
	return c.Redirect(http.StatusSeeOther, "/lab/runs/"+r.ID)
}

const (
	watchEvery  = 150 * time.Millisecond
	watchStart  = 20 * time.Millisecond  // until the run begins
	watchEnd    = 500 * time.Millisecond // when all have their answer, and only the database is still at work
	watchStall  = 10 * time.Second       // a viewer who takes nothing for so long is gone
	maxWatchers = 50                     // each costs a drawing per watchEvery
)

// An update is what a viewer gets.
type update struct {
	report.Update
	Now float64 `json:"now"` // ms since the zero of the run
}

// watch streams a run until it is over. A viewer who comes back says how many requests it has seen (Last-Event-ID).
func (l *labPages) watch(c echo.Context) error {
	id := c.Param("id")
	if _, err := l.getRun(id); err != nil {
		return err
	}
	if l.watchers.Add(1) > maxWatchers {
		l.watchers.Add(-1)
		return echo.NewHTTPError(http.StatusServiceUnavailable, "too many look on; the page shows the run when it is over")
	}
	defer l.watchers.Add(-1)
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // nginx would collect
	c.Response().WriteHeader(http.StatusOK)

	stream := http.NewResponseController(c.Response())
	send := func(event string, id int, data any) error {
		text, err := json.Marshal(data)
		if err != nil {
			return err
		}
		_ = stream.SetWriteDeadline(time.Now().Add(watchStall)) // instead of that of a page
		if _, err := fmt.Fprintf(c.Response(), "id: %d\nevent: %s\ndata: %s\n\n", id, event, text); err != nil {
			return err
		}
		return stream.Flush()
	}
	seen, _ := strconv.Atoi(c.Request().Header.Get("Last-Event-ID")) // none is 0
	seen = max(seen, 0)
	step := ""
	ticker := time.NewTicker(watchStart)
	defer ticker.Stop()
	for {
		r, err := l.getRun(id)
		if err != nil {
			return nil // the answer has begun; the viewer asks again and is told
		}
		switch {
		case r.Phase.Over():
			_ = send("over", seen, "")
			return nil
		case r.Phase == lab.Preparing && r.Step != step:
			step = r.Step
			err = send("step", seen, step)
		case r.Phase == lab.Running:
			ticker.Reset(watchEvery)
			if len(r.Run.Sample.Requests) == r.Plan.Herd {
				ticker.Reset(watchEnd)
			}
			var u report.Update
			if u, err = report.Live(stackID, r.Run, seen); err == nil {
				seen = u.From + len(u.Ends)
				err = send("update", seen, update{u, r.Run.Sample.To})
			}
		}
		if err != nil {
			return nil // as above
		}
		select {
		case <-c.Request().Context().Done():
			return nil
		case <-ticker.C:
		}
	}
}
