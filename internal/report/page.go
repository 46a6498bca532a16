// The page: a report arranged for reading.

package report

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/a-h/templ"

	"podbor/static"
)

//go:embed style.css
var style string

// figuresStyle is the part of the style that the site's lab shares.
func figuresStyle() string {
	file, _ := static.Lookup(static.Path("figures.css"))
	return string(file.Body)
}

// WriteHTML writes the report as one self-contained page: no script, no picture, font or style from elsewhere.
func WriteHTML(w io.Writer, r Report) error {
	return writePage(w, page(newPageView(r)))
}

func writePage(w io.Writer, page templ.Component) error {
	var b bytes.Buffer // whole or not at all
	if err := page.Render(context.Background(), &b); err != nil {
		return fmt.Errorf("drawing the report: %w", err)
	}
	_, err := b.WriteTo(w)
	return err
}

type pageView struct {
	title     string
	created   string
	command   string
	badges    []Fact
	scenarios []scenarioView
}

type scenarioView struct {
	Scenario
	headline, verdict string
	panels            []panelView // before and after, empty when only one side was run
	columns           []figure
	plots             []plotView
	strategies        []strategyView
}

// A panelView is one half of the summary.
type panelView struct {
	label, strategy string
	big             []Fact
	requests        chart
	busy            chart
	legend          []Outcome
}

type strategyView struct {
	Run
	name, story string
	requests    chart
	queue       chart
	lanes       chart
	unrelated   chart
	percentiles chart
	histogram   chart
	legend      []Outcome
	outcomes    [][]string // rows: outcome, requests, first answer, median, last answer
	kinds       [][]string // rows: kind, started, time on connections
}

func newPageView(r Report) pageView {
	v := pageView{title: "Cache stampede report", command: r.Command, badges: EnvironmentFacts(r.Environment)}
	if !r.Created.IsZero() {
		v.created = r.Created.Format("2 January 2006, 15:04 MST")
	}
	for i, s := range r.Scenarios {
		v.scenarios = append(v.scenarios, newScenarioView(fmt.Sprintf("s%d", i+1), s))
	}
	return v
}

// EnvironmentFacts are the named figures of an environment, without those that are not known.
func EnvironmentFacts(e Environment) []Fact {
	var facts []Fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, Fact{Name: name, Value: value})
		}
	}
	add("commit", e.Commit)
	add("processor", e.CPU)
	if e.Cores > 0 {
		add("cores", fmt.Sprint(e.Cores))
	}
	add("system", e.OS)
	add("Go", strings.TrimPrefix(e.Go, "go"))
	add("PostgreSQL", e.PostgreSQL)
	add("Redis", e.Redis)
	if e.SeedRows > 0 {
		add("apartments", Thousands(e.SeedRows))
	}
	return facts
}

func newScenarioView(id string, s Scenario) scenarioView {
	v := scenarioView{Scenario: s, headline: headline(s), verdict: verdict(s), columns: columns(s)}
	for i, c := range s.Charts {
		v.plots = append(v.plots, newPlotView(fmt.Sprintf("%s-plot%d", id, i+1), c))
	}
	samples := make([]Run, len(s.Runs)) // the drawn repeat of each strategy
	for i, r := range s.Runs {
		samples[i] = typical(r)
	}
	if before, after := contrast(samples); before != nil && after != nil && before.Sample != nil && after.Sample != nil {
		v.panels = panels(id, *before, *after)
	}
	for i, r := range s.Runs {
		sv := strategyView{Run: r, name: strategyName(r.Strategy), story: story(samples[i])}
		if samples[i].Sample != nil {
			sv.draw(fmt.Sprintf("%s-%d", id, i+1), samples[i], others(samples, i), slowest(samples))
		}
		v.strategies = append(v.strategies, sv)
	}
	return v
}

func others(runs []Run, except int) []Run {
	var rest []Run
	for i, r := range runs {
		if i != except && r.Sample != nil {
			rest = append(rest, r)
		}
	}
	return rest
}

// panels sets two runs side by side on the same two time axes.
func panels(id string, before, after Run) []panelView {
	requests, busy := timeline(before.Sample), timeline(before.Sample)
	if !overTime(before.Sample) {
		last := max(before.TotalS, after.TotalS) * 1000
		requests = scale{-0.02 * last, 1.06 * last}
	}
	top := slowest([]Run{before, after})
	draw := func(label, suffix string, r Run) panelView {
		p := panelView{label: label, strategy: r.Strategy, big: bigFigures(r)}
		p.requests = withoutTips(requestsChart(id+suffix+"-requests", r.Sample, requests, top, 260))
		p.legend, _ = outcomeCounts(r.Sample.Requests)
		p.busy = busyChart(id+suffix+"-busy", r, busy)
		return p
	}
	return []panelView{draw("Before", "-before", before), draw("After", "-after", after)}
}

// withoutTips leaves the facts of single requests to the large picture below.
func withoutTips(c chart) chart {
	for i := range c.bars {
		c.bars[i].tip = ""
	}
	return c
}

func bigFigures(r Run) []Fact {
	lost := Fact{Name: fmt.Sprintf("lost of %s", count(r.Requests, "visitor", "visitors")), Value: Thousands(r.Timeouts + r.Errors)}
	if r.UnrelatedErrors != nil && *r.UnrelatedErrors > 0 {
		lost.Name += fmt.Sprintf(", and %s on other pages", Thousands(*r.UnrelatedErrors))
	}
	return []Fact{
		{Name: plural(r.DBQueries, "database query", "database queries"), Value: Thousands(r.DBQueries)},
		lost,
		{Name: "waited by the slowest 1 %", Value: Milliseconds(r.Latency.P99)},
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (v *strategyView) draw(id string, run Run, others []Run, slowest float64) {
	x := timeline(run.Sample)
	v.requests = requestsChart(id+"-requests", run.Sample, x, slowest, 320)
	v.queue = queueChart(id+"-queue", run, x)
	v.lanes = lanesChart(id+"-lanes", run, x)
	if len(run.Sample.Unrelated) > 0 {
		v.unrelated = unrelatedChart(id+"-unrelated", run.Sample, x, slowest)
	}
	v.percentiles = percentileChart(id+"-percentiles", run, others)
	v.histogram = histogramChart(id+"-histogram", run)
	v.legend, _ = outcomeCounts(append(append([]Request{}, run.Sample.Requests...), run.Sample.Unrelated...))
	v.outcomes = outcomeRows(run.Sample.Requests)
	v.kinds = kindRows(run)
}
