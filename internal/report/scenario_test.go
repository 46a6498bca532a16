// What only some scenarios bring: charts, measures, events, large loads, stories.

package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestChartsOfAScenario(t *testing.T) {
	for name, c := range map[string]Chart{
		"bars":  {hostile, hostile, Bars, "seconds", "keys", []Series{{"no-jitter", []Point{{0, 0}, {1, 50_000}}}, {hostile, []Point{{0, 700}, {1, 800}, {2, 0}}}}},
		"line":  {"t", "s", Line, "seconds", "commands", []Series{{"lock", []Point{{0, 1}, {0.5, 2}}}, {"both", nil}}},
		"empty": {Kind: Bars}, "one point": {Kind: Line, Series: []Series{{"a", []Point{{3, 0}}}}},
	} {
		r := sampleReport()
		r.Scenarios[0].Charts = []Chart{c}
		text, root := drawn(t, r)
		for _, bad := range []string{"NaN", "Inf", "%!"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the page contains %s", name, bad)
			}
		}
		found := charts(root)
		for i := range c.Series {
			if found[fmt.Sprintf("s1-plot1-%d", i+1)] == nil {
				t.Errorf("%s: series %d is not drawn", name, i+1)
			}
		}
		if name == "bars" {
			if a, b := bars(found["s1-plot1-1"]), bars(found["s1-plot1-2"]); a != 1 || b != 2 {
				t.Errorf("%d and %d bars, want 1 and 2: none where there is nothing", a, b)
			}
			for _, cell := range []string{"50,000", "At most 50,000 keys, at 1 seconds."} {
				if !strings.Contains(text, cell) {
					t.Errorf("the page does not say %q in words", cell)
				}
			}
		}
	}
}

func TestMeasuresAreColumnsAndLines(t *testing.T) {
	a, b := herdRun("aside", 3, 0), herdRun("aside", 3, 0)
	a.Measures, b.Measures = []Measure{{"old values", 7, ""}}, []Measure{{"old values", 9, ""}}
	s := Scenario{Name: "s", Runs: []Run{Merge([]Run{a, b}), {Strategy: "both", Runs: 1, Measures: []Measure{{"message", 1.5, "ms"}, {"per request", 0.0123, "commands"}}}}, DurationS: 61.2}
	var b1 bytes.Buffer
	if err := WriteText(&b1, s); err != nil {
		t.Fatal(err)
	}
	text, _ := drawn(t, Report{Scenarios: []Scenario{s}})
	for _, want := range []string{"old values: 7 (7 – 9)", "message: 1.5 ms", "per request: 0.012 commands", "s took 61.2 s"} {
		if !strings.Contains(b1.String(), want) {
			t.Errorf("the text does not say %q:\n%s", want, b1.String())
		}
	}
	for _, want := range []string{"old values", "1.5 ms", "0.012 commands"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// A large load is drawn by the slowest of each moment, and nothing else is lost.
func TestManyRequestsAreThinned(t *testing.T) {
	var requests []Request
	for i := range 5000 {
		requests = append(requests, Request{Start: float64(i), End: float64(i) + 2, Outcome: L1})
	}
	requests[2500].End += 998
	requests[2501].Outcome = Timeout
	c := uprights(requests, 1000, scale{0, 5000}, 100)
	tall, lost := 0, 0
	for _, b := range c.bars {
		if b.h == 100 {
			tall++
		}
		if b.class == Timeout.class() {
			lost++
		}
	}
	if len(c.bars) > 700 || tall != 1 || lost != 1 {
		t.Errorf("%d bars, %d of the slowest, %d of the lost; want at most 700, 1, 1", len(c.bars), tall, lost)
	}
}

// Labels of moments that are near each other must not lie on one another.
func TestEveryEventIsMarked(t *testing.T) {
	r := herdRun("both", 40, 0)
	r.Sample.Events = []Event{{3000, "Redis is back"}, {0, "Redis is killed"}, {200, "half open"}, {400, "closed"}}
	x := timeline(r.Sample)
	c := requestsChart("c", r.Sample, x, 3000, 100)
	rows := map[int][]mark{}
	for _, m := range c.marks {
		for _, other := range rows[m.row] {
			if m.touches(other) {
				t.Errorf("%q and %q share row %d", m.label, other.label, m.row)
			}
		}
		rows[m.row] = append(rows[m.row], m)
	}
	if len(c.marks) != 5 || c.top() < 3*labelRow {
		t.Errorf("%d marks in %v pixels; want the events and the time-out", len(c.marks), c.top())
	}
	for _, other := range []chart{queueChart("q", r, x), lanesChart("l", r, x), unrelatedChart("u", r.Sample, x, 3000)} {
		if len(other.marks) != 4 || other.top() != 0 {
			t.Errorf("chart %s has %d marks, and %v pixels for their labels; want 4 without any", other.id, len(other.marks), other.top())
		}
	}
}

func TestStories(t *testing.T) {
	aside := herdRun("aside", 40, 30)
	aside.UnrelatedErrors = new(12)
	for _, want := range []string{"40 visitors came at once", "40 heavy queries were started for one and the same answer", "All 10 connections were taken, and up to 7 requests queued",
		"30 visitors gave up", "another 2 s on answers that nobody was waiting for", "12 requests of other pages"} {
		if got := story(aside); !strings.Contains(got, want) {
			t.Errorf("the story is %q, want %q in it", got, want)
		}
	}
	both := herdRun("both", 40, 0)
	both.DBQueries = 1
	for _, want := range []string{"One heavy query was started, and everybody shared its answer", "Nobody was lost", "× a single query"} {
		if got := story(both); !strings.Contains(got, want) {
			t.Errorf("the story is %q, want %q in it", got, want)
		}
	}
}
