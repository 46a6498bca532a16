// One run as a stack of figures on one time axis: requests, lease, queue, connections. A finished run is drawn whole; of one
// under way, what is known so far. The lab's player reveals both along that axis and draws nothing itself.

package report

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// The parts of a stack, by which the player finds them.
const (
	partRequests = "requests"
	partLeases   = "leases"
	partQueue    = "queue"
	partLanes    = "lanes"
)

// stackHeight is that of the requests; rows of a small herd need less.
const stackHeight = 480

type stackView struct {
	id                             string
	x                              scale
	row                            float64
	rows                           int
	end                            float64 // of what there is to see
	requests, leases, queue, lanes chart
	legend                         []Outcome
	phases                         bool // rows are tall enough to show them
	outcomes, kinds                [][]string
	sample                         *Sample
	queries, completed             []float64 // when those that count began, and ended
	counters                       []Counter
}

// End is the last moment of a finished run that is worth drawing, in milliseconds from its zero.
func End(run Run) float64 { return timeline(run.Sample).to / beyond }

// LastAnswer is when the last visitor of a run had an answer, or gave up.
func LastAnswer(run Run) float64 {
	last := 1.0
	for _, r := range run.Sample.Requests {
		last = max(last, r.End)
	}
	return last
}

// beyond is how far an axis goes on after the end: room for the labels on the right.
const beyond = 1.07

func stackScale(end float64) scale { return scale{-0.02 * end, beyond * end} }

// Stack draws a finished run on an axis that ends at end, which is End(run) unless runs are compared on one scale.
func Stack(id string, run Run, end float64) templ.Component {
	v := newStack(id, run, stackScale(end))
	v.end = min(End(run), end)
	v.legend, _ = outcomeCounts(run.Sample.Requests)
	return stack(v)
}

// LiveStack draws a run under way, to which Live brings the rest.
func LiveStack(id string, run Run) templ.Component {
	v := newStack(id, run, liveScale(run))
	v.legend = outcomes() // whatever comes, nothing on the page moves
	return stack(v)
}

// Patterns are the fills that the pictures of a page refer to.
func Patterns() templ.Component { return patterns() }

// Story says in a few sentences what happened in a run.
func Story(run Run) string { return story(run) }

// StrategyName explains a strategy in a few words.
func StrategyName(strategy string) string { return strategyName(strategy) }

// liveScale is fixed while a run goes on: bars that have been drawn stay where they are.
func liveScale(run Run) scale { return stackScale(run.Sample.TimeoutMS) }

func newStack(id string, run Run, x scale) stackView {
	s := run.Sample
	v := stackView{id: id, x: x, sample: s, counters: Counters(run)}
	v.rows = max(run.Requests, len(s.Requests))
	v.row = rowHeight(v.rows, stackHeight)
	v.phases = v.row >= phaseRow
	v.requests = chart{
		id: id + "-requests", part: partRequests, height: v.row * float64(v.rows), room: 3, ticks: x.ticks(Milliseconds),
		title: fmt.Sprintf("%s, one row each, the first answered on top", count(v.rows, "request", "requests")),
		desc:  outcomesInWords(s.Requests), rowHeight: v.row, waitFrom: x.at(0),
	}
	v.requests.bars, v.requests.segments = rows(s.Requests, 0, v.row, x)
	v.requests.events(s, x, true)
	if s.TimeoutMS < x.to {
		v.requests.mark(x.at(s.TimeoutMS), "clients give up")
	}
	v.leases, v.queue, v.lanes = stackFigures(id, run, x)
	v.outcomes, v.kinds = outcomeRows(s.Requests), kindRows(run)
	v.queries, v.completed = queryTimes(run)
	return v
}

// queryTimes returns when the queries that count began and ended. PostgreSQL shows one that is being parsed as one of its
// own, which is over soon: of more spans than queries, the shortest are those.
func queryTimes(run Run) (starts, ends []float64) {
	var spans []Span
	for _, s := range run.Sample.Spans {
		if counts(run, s.Kind) {
			spans = append(spans, s)
		}
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
	spans = spans[:min(len(spans), max(run.DBQueries, 0))]
	starts = of(spans, func(s Span) float64 { return max(s.Start, 0) })
	ends = of(spans, func(s Span) float64 { return s.End })
	slices.Sort(starts)
	slices.Sort(ends)
	return starts, ends
}

// stackFigures draws what is redrawn as a whole while a run goes on.
func stackFigures(id string, run Run, x scale) (leases, queue, lanes chart) {
	leases = leasesChart(id+"-leases", run, x)
	queue = queueChart(id+"-queue", run, x)
	lanes = lanesChart(id+"-lanes", run, x)
	leases.part, queue.part, lanes.part = partLeases, partQueue, partLanes
	return leases, queue, lanes
}

// counts reports whether Run.DBQueries is about queries of this kind.
func counts(run Run, kind string) bool {
	return kind == run.Counted || run.Counted == "" && kind == "facets"
}

// A Counter is a figure in large digits; the player finds it by its ID.
type Counter struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Bad   bool   `json:"bad"`
}

// Counters are the figures of a run, so far.
func Counters(run Run) []Counter {
	lost := 0
	for _, r := range run.Sample.Requests {
		if r.Outcome.lost() {
			lost++
		}
	}
	ms := Latencies(run.Sample.Requests)
	wait := func(p float64) string {
		if len(ms) == 0 {
			return "–"
		}
		return Milliseconds(Percentile(ms, p))
	}
	return []Counter{
		{ID: "queries", Name: plural(run.DBQueries, "query", "queries") + " started by the processes", Value: Thousands(run.DBQueries), Bad: run.DBQueries > run.Pods},
		{ID: "completed", Name: "completed by PostgreSQL", Value: Thousands(run.DBQueriesCompleted)},
		{ID: "answered", Name: fmt.Sprintf("answered of %s", count(run.Requests, "visitor", "visitors")), Value: Thousands(len(ms) - lost)},
		{ID: "lost", Name: "lost", Value: Thousands(lost), Bad: lost > 0},
		{ID: "p50", Name: "half waited at most", Value: wait(50)},
		{ID: "p99", Name: "99 % waited at most", Value: wait(99)},
	}
}

// An Update is what somebody who has seen the first From requests of a run under way needs to see the rest.
type Update struct {
	From     int       `json:"from"`
	Bars     string    `json:"bars"`     // rows to add
	Segments string    `json:"segments"` // to add, their phases
	Ends     []float64 `json:"ends"`     // of the added rows
	Marks    string    `json:"marks"`    // these and what follows replace what was there
	Leases   string    `json:"leases"`
	Queue    string    `json:"queue"`
	Lanes    string    `json:"lanes"`
	Counters []Counter `json:"counters"`
}

// Live returns the update for somebody who has seen from requests of LiveStack(id, run).
func Live(id string, run Run, from int) (Update, error) {
	s, x := run.Sample, liveScale(run)
	from = min(max(from, 0), len(s.Requests))
	var u Update
	u.From, u.Counters, u.Ends = from, Counters(run), []float64{}
	c := chart{height: rowHeight(max(run.Requests, len(s.Requests)), stackHeight), part: partRequests}
	c.rowHeight = c.height
	c.height *= float64(max(run.Requests, len(s.Requests)))
	c.bars, c.segments = rows(s.Requests, from, c.rowHeight, x)
	for _, r := range s.Requests[from:] {
		u.Ends = append(u.Ends, r.End)
	}
	c.events(s, x, true)
	c.mark(x.at(s.TimeoutMS), "clients give up")
	leases, queue, lanes := stackFigures(id, run, x)
	for _, part := range []struct {
		into *string
		what templ.Component
	}{
		{&u.Bars, chartBars(c.bars)}, {&u.Segments, chartBars(c.segments)}, {&u.Marks, chartMarks(c)},
		{&u.Leases, chartFigure(leases)}, {&u.Queue, chartFigure(queue)}, {&u.Lanes, chartFigure(withoutTips(lanes))},
	} {
		var b bytes.Buffer
		if err := part.what.Render(context.Background(), &b); err != nil {
			return Update{}, fmt.Errorf("drawing an update: %w", err)
		}
		*part.into = b.String()
	}
	return u, nil
}

// WriteRunHTML writes one run as a self-contained page.
func WriteRunHTML(w io.Writer, title string, environment Environment, run Run) error {
	return writePage(w, runPage(pageView{title: title, badges: EnvironmentFacts(environment)}, run))
}

// numbers writes figures for the player: 12.5 210 3005.
func numbers(values []float64) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(trim(v, 1))
	}
	return b.String()
}

func (v stackView) ends() string {
	return numbers(of(v.sample.Requests, func(r Request) float64 { return r.End }))
}

func (v stackView) waits() string {
	return numbers(of(v.sample.Requests, Request.Latency))
}

// lost has a 1 for each request that was lost, a 0 for each other.
func (v stackView) lost() string {
	b := make([]byte, 0, len(v.sample.Requests))
	for _, r := range v.sample.Requests {
		if r.Outcome.lost() {
			b = append(b, '1')
		} else {
			b = append(b, '0')
		}
	}
	return string(b)
}

func of[T any](all []T, figure func(T) float64) []float64 {
	values := make([]float64, len(all))
	for i, r := range all {
		values[i] = figure(r)
	}
	return values
}

func (v stackView) number(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }
