// The page of the lab: a run, as it goes on or as it was, and the form for the next.

package handlers

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"podbor/internal/lab"
	"podbor/internal/report"
	"podbor/templates"
)

// stackID is the picture's; the player looks for it.
const stackID = "stack"

// labShown is what the page is about.
type labShown struct {
	record  *lab.Record // nil for the newest
	plan    *lab.Plan   // what the form holds; nil for that of the record
	problem string
	tour    int // step, from 1; 0 for none
}

// newest shows the run in progress, or the last one, or one that came with the program: there is something to see before
// anybody clicks.
func (l *labPages) newest(c echo.Context) error {
	step, _ := strconv.Atoi(c.QueryParam("tour")) // none is 0
	if step < 0 || step > tourSteps {
		return c.Redirect(http.StatusSeeOther, "/lab?tour=1")
	}
	return l.show(c, http.StatusOK, labShown{tour: step})
}

// run shows one run. With .json or .html after its id, it is a file to keep.
func (l *labPages) run(c echo.Context) error {
	id, kind, _ := strings.Cut(c.Param("id"), ".")
	r, err := l.getRun(id)
	if err != nil {
		return err
	}
	switch kind {
	case "":
		step, _ := strconv.Atoi(c.QueryParam("tour"))
		if step < 0 || step > tourSteps {
			step = 0
		}
		return l.show(c, http.StatusOK, labShown{record: &r, tour: step})
	case "json":
		c.Response().Header().Set(echo.HeaderContentDisposition, "attachment; filename=podbor-"+id+".json")
		return c.JSON(http.StatusOK, r)
	case "html":
		if !r.Phase.Over() {
			return errNoSuchRun
		}
		var b bytes.Buffer
		if err := report.WriteRunHTML(&b, labTitle(r.Plan), r.Environment, r.Run); err != nil {
			return err
		}
		header := c.Response().Header()
		header.Set(echo.HeaderContentDisposition, "attachment; filename=podbor-"+id+".html")
		header.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; style-src 'unsafe-inline'; sandbox") // its style is its own
		return c.HTMLBlob(http.StatusOK, b.Bytes())
	}
	return errNoSuchRun
}

// choose finds the run to show when none was asked for: of a step of the tour, one of that plan.
func (l *labPages) choose(step int) *lab.Record {
	var ids []string
	if id := l.runner.Current(); id != "" && step == 0 {
		ids = append(ids, id)
	}
	for _, heads := range [][]lab.Record{l.runner.Recent(), lab.Builtin()} {
		for _, r := range heads {
			if step == 0 && r.Phase == lab.Done || step > 0 && sameRun(r.Plan, tourPlan(step)) {
				ids = append(ids, r.ID)
			}
		}
	}
	for _, id := range ids {
		if r, err := l.runner.Get(id); err == nil {
			return &r
		}
	}
	return nil
}

func (l *labPages) show(c echo.Context, status int, s labShown) error {
	if s.record == nil {
		s.record = l.choose(s.tour)
	}
	plan := lab.Plan{Strategy: "aside", Herd: 200, Processes: 3, TimeoutMS: 3000, State: lab.Expired}
	switch {
	case s.plan != nil:
		plan = *s.plan
	case s.tour > 0:
		plan = tourPlan(s.tour)
	case s.record != nil:
		plan = s.record.Plan
		plan.Guess = nil
	}
	view := l.labForm(plan)
	view.CSRF, view.Problem = csrfToken(c), s.problem
	if id := l.runner.Current(); id != "" && (s.record == nil || s.record.ID != id) {
		view.Busy = &templates.Link{URL: "/lab/runs/" + id, Text: "watch it"}
	}
	strategy := plan.Strategy
	if s.record != nil {
		run := labRunView(*s.record)
		view.Run = &run
		strategy = s.record.Plan.Strategy
	}
	if s.tour > 0 {
		view.Tour = l.learn.tourStep(s.tour, view.CSRF, s.record)
	} else {
		view.TourURL = "/lab?tour=1"
	}
	if slices.Contains(lab.Strategies(), strategy) {
		view.Explain = l.learn.explanation(strategy)
	}
	for _, r := range append(l.runner.Recent(), lab.Builtin()...) {
		view.Runs = append(view.Runs, labRecentView(r, s.record))
	}
	return l.render(c, status, templates.LabPage(view))
}

func (l *labPages) labForm(plan lab.Plan) templates.Lab {
	view := templates.Lab{
		Herd: strconv.Itoa(plan.Herd), Processes: strconv.Itoa(plan.Processes), Timeout: strconv.Itoa(plan.TimeoutMS),
		MaxHerd: strconv.Itoa(lab.MaxHerd), MaxPods: strconv.Itoa(lab.MaxProcesses),
		MinTimeout: strconv.Itoa(lab.MinTimeoutMS), MaxTimeout: strconv.Itoa(lab.MaxTimeoutMS),
	}
	if plan.Guess != nil {
		view.Guess = strconv.Itoa(*plan.Guess)
	}
	for _, name := range lab.Strategies() {
		view.Strategies = append(view.Strategies, templates.LabChoice{Value: name, Text: name + " – " + report.StrategyName(name), Chosen: name == plan.Strategy})
	}
	for _, s := range lab.States() {
		view.States = append(view.States, templates.LabChoice{Value: string(s), Text: stateName(s), Chosen: s == plan.State})
	}
	if l.runner.Ours() {
		view.Planned = append(view.Planned, templates.LabChoice{Value: "", Text: "nothing breaks", Chosen: plan.Fault == ""})
		for _, f := range lab.Faults() {
			if f != lab.MendRedis {
				view.Planned = append(view.Planned, templates.LabChoice{Value: string(f), Text: faultName(f), Chosen: f == plan.Fault})
			}
			if f != lab.KillHolder { // no hand is quick enough
				view.Faults = append(view.Faults, templates.LabFault{Value: string(f), Text: faultName(f), Enabled: l.runner.Able(f)})
			}
		}
	}
	return view
}

func stateName(s lab.State) string {
	switch s {
	case lab.Stale:
		return "stale: past its soft expiry"
	case lab.Cold:
		return "cold: nothing is cached at all"
	case lab.Negative:
		return "negative: there is no such home"
	default:
		return "expired: its copy has just ended"
	}
}

func faultName(f lab.Fault) string {
	switch f {
	case lab.StopRedis:
		return "Kill Redis"
	case lab.FreezeRedis:
		return "Freeze Redis"
	case lab.MendRedis:
		return "Mend Redis"
	case lab.KillHolder:
		return "Kill the holder"
	case lab.EditHome:
		return "Edit a home"
	default:
		return "Cut pub/sub"
	}
}

func labTitle(p lab.Plan) string {
	title := fmt.Sprintf("%s: %s, %s, %s", p.Strategy, counted(p.Herd, "visitor", "visitors"), counted(p.Processes, "process", "processes"), p.State)
	if p.Fault != "" {
		title += ", " + strings.ToLower(faultName(p.Fault))
	}
	return title
}

func labRunView(r lab.Record) templates.LabRun {
	address := "/lab/runs/" + r.ID
	view := templates.LabRun{
		ID: r.ID, URL: address, Title: labTitle(r.Plan), Live: !r.Phase.Over(), Step: r.Step, Problem: r.Problem,
		Badge: "replayed", Measured: r.Created.Format("2 January 2006, 15:04 MST"),
		JSON: address + ".json", HTML: address + ".html", Events: address + "/events", Cancel: address + "/cancel",
	}
	for _, f := range report.EnvironmentFacts(r.Environment) {
		view.Facts = append(view.Facts, templates.LabFigure{Name: f.Name, Value: f.Value})
	}
	view.Facts = append(view.Facts, templates.LabFigure{Name: "pool", Value: strconv.Itoa(r.Run.Pool)})
	if r.Phase == lab.Cancelled {
		view.Problem = "Cancelled. This is what was seen until then."
	}
	if r.Run.Sample == nil {
		return view
	}
	for _, f := range report.Counters(r.Run) {
		view.Counters = append(view.Counters, templates.LabCounter{ID: f.ID, Name: f.Name, Value: f.Value, Bad: f.Bad})
	}
	if view.Live {
		view.Badge, view.Picture = "measured", templ.Join(report.Patterns(), report.LiveStack(stackID, r.Run))
		return view
	}
	view.Picture = templ.Join(report.Patterns(), report.Stack(stackID, r.Run, report.End(r.Run)))
	if r.Phase == lab.Done {
		view.Story = report.Story(r.Run)
	}
	view.Notes = r.Run.Notes
	if r.Plan.Guess != nil && r.Phase == lab.Done {
		view.Guess = &templates.LabGuess{Guess: report.Thousands(*r.Plan.Guess), Fact: counted(r.Run.DBQueries, "query", "queries"), Verdict: guessVerdict(*r.Plan.Guess, r.Run.DBQueries)}
	}
	return view
}

func guessVerdict(guess, fact int) string {
	switch {
	case guess == fact:
		return "Exactly."
	case guess >= fact-fact/5 && guess <= fact+fact/5:
		return "Close."
	case guess > fact:
		return "Fewer than you thought."
	}
	return "More than you thought."
}

func labRecentView(r lab.Record, current *lab.Record) templates.LabRecent {
	view := templates.LabRecent{
		ID: r.ID, URL: "/lab/runs/" + r.ID, Title: labTitle(r.Plan), When: r.Created.Format("2 Jan, 15:04"), Over: r.Phase == lab.Done,
		Queries: counted(r.Run.DBQueries, "query", "queries"), Lost: report.Thousands(r.Run.Timeouts + r.Run.Errors), P99: report.Milliseconds(r.Run.Latency.P99),
		Current: current != nil && current.ID == r.ID,
	}
	if r.Phase != lab.Done {
		view.Queries = string(r.Phase)
	}
	return view
}

// mostPictured is how many runs are drawn side by side; the table has all.
const mostPictured = 3

// compareRuns shows runs on one scale. Runs that are yet to come are waited for.
func (l *labPages) compareRuns(c echo.Context) error {
	view := templates.LabCompare{Columns: []string{"queries", "completed, by PostgreSQL", "answered", "lost", "half within", "99 % within", "others: 99 %", "last answer"}}
	ids := c.QueryParams()["run"]
	var runs []lab.Record
	for i, id := range ids {
		if i == 2*mostPictured+1 { // as many as there are strategies
			break
		}
		r, err := l.runner.Get(id)
		if err != nil {
			continue // cancelled before it began, or gone to make room
		}
		if !r.Phase.Over() {
			view.Waiting = true
		}
		runs = append(runs, r)
	}
	end := 0.0
	for _, r := range runs {
		if r.Phase == lab.Done && r.Run.Sample != nil {
			end = max(end, report.LastAnswer(r.Run)) // what a database does for nobody is told in words
		}
	}
	for _, r := range runs {
		row := templates.LabCompared{URL: "/lab/runs/" + r.ID, Title: labTitle(r.Plan), State: string(r.Phase)}
		if r.Phase == lab.Done && r.Run.Sample != nil {
			row.State = ""
			row.Values = comparedValues(r.Run)
			if len(view.Runs) < mostPictured && !view.Waiting {
				id := fmt.Sprintf("%s-%d", stackID, len(view.Runs)+1)
				picture := report.Stack(id, r.Run, end)
				if len(view.Runs) == 0 {
					picture = templ.Join(report.Patterns(), picture)
				}
				view.Runs = append(view.Runs, templates.LabPictured{URL: row.URL, Title: row.Title, Story: report.Story(r.Run), Picture: picture})
			}
		}
		view.Rows = append(view.Rows, row)
	}
	if len(view.Rows) == 0 {
		view.Problem = "Choose runs to compare on the page of the lab."
	}
	return l.render(c, http.StatusOK, templates.LabComparePage(view))
}

func comparedValues(r report.Run) []string {
	others := "–"
	if r.Unrelated != nil {
		others = report.Milliseconds(r.Unrelated.P99)
	}
	return []string{
		report.Thousands(r.DBQueries), report.Thousands(r.DBQueriesCompleted), report.Thousands(r.OK), report.Thousands(r.Timeouts + r.Errors),
		report.Milliseconds(r.Latency.P50), report.Milliseconds(r.Latency.P99), others, report.Milliseconds(1000 * r.TotalS),
	}
}
