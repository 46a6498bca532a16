package report

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

func parsed(t *testing.T, c templ.Component) *html.Node {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return fragment(t, b.String())
}

func fragment(t *testing.T, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader("<svg>" + text + "</svg>"))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func ofClass(n *html.Node, name, class string) []*html.Node {
	var found []*html.Node
	for _, e := range elements(n, name) {
		if strings.Contains(" "+attribute(e, "class")+" ", " "+class+" ") {
			found = append(found, e)
		}
	}
	return found
}

// rowsOf returns the bars of the requests, which are the children of the first layer of bars.
func rowsOf(n *html.Node) (rows []*html.Node) {
	for c := range ofClass(n, "g", "bars")[0].ChildNodes() {
		if c.Type == html.ElementNode {
			rows = append(rows, c)
		}
	}
	return rows
}

// A run in the order of its ends, as the lab records it.
func labRun(n, lost int) Run {
	r := herdRun("aside", n, 0)
	for i := range n {
		q := &r.Sample.Requests[i]
		q.Phases = map[string]float64{"facets-redis": 1, "list-redis": 2, "facets-load": 100, "list-load": 60, "pool": 100, "query": 60, "render": 3}
		if i >= n-lost {
			*q = Request{Start: 5, Sent: 6, End: 3005, Process: 1, Outcome: Timeout}
		}
	}
	r.Timeouts, r.OK = lost, n-lost
	r.Sample.Leases = []Lease{{At: 10, Process: 1, Event: "acquired"}, {At: 12, Process: 2, Event: "held"}, {At: 13, Process: 2, Event: "held"}, {At: 900, Process: 1, Event: "lost"}}
	return r
}

func TestStackHasEveryRequestInOrderOfItsEnd(t *testing.T) {
	run := labRun(40, 3)
	root := parsed(t, Stack("x", run, End(run)))
	rows := rowsOf(root)
	if len(rows) != 40 {
		t.Fatalf("%d rows", len(rows))
	}
	last := -1.0
	for i, row := range rows {
		y, err := strconv.ParseFloat(attribute(row, "y"), 64)
		if err != nil || y <= last {
			t.Fatalf("row %d is at %s", i, attribute(row, "y"))
		}
		last = y
	}
	if got := attribute(rows[39], "class"); got != "o-timeout" {
		t.Errorf("who gave up is %s", got)
	}
	div := ofClass(root, "div", "stack")[0]
	for name, want := range map[string]int{"data-ends": 40, "data-waits": 40, "data-queries": 40} {
		if got := len(strings.Fields(attribute(div, name))); got != want {
			t.Errorf("%s has %d figures", name, got)
		}
	}
	if got := attribute(div, "data-lost"); strings.Count(got, "1") != 3 || !strings.HasSuffix(got, "111") {
		t.Errorf("lost: %s", got)
	}
	for _, class := range []string{"p-redis", "p-pool", "p-query", "p-render"} {
		if got := len(ofClass(ofClass(root, "g", "segments")[0], "rect", class)); got != 37 {
			t.Errorf("%d segments %s", got, class)
		}
	}
	if tip := rows[0].FirstChild.FirstChild.Data; !strings.Contains(tip, "#1, process 1") || !strings.Contains(tip, "waited for a database connection 62 ms, query 38 ms") {
		t.Errorf("the facts are %q", tip)
	}
	if got := len(elements(root, "tr")); got < 4 {
		t.Errorf("the tables have %d rows", got)
	}
}

func TestPhasesFitIntoTheRequest(t *testing.T) {
	r := Request{Sent: 10, End: 60, Phases: map[string]float64{"facets-flight": 90, "list-flight": 80, "render": 10}}
	p := parts(r)
	if len(p) != 2 || p[0].from != 10 || p[1].to > 60.0001 || p[0].to != 55 {
		t.Errorf("parts are %+v", p)
	}
	if parts(Request{Sent: 1, End: 2}) != nil {
		t.Error("phases without an answer")
	}
}

// Rows that came with an update are where they are in the picture that is drawn anew, whatever came when.
func TestUpdatesAddUpToThePicture(t *testing.T) {
	whole := labRun(40, 3)
	for _, sizes := range [][]int{{0, 40}, {0, 1, 17, 17, 40}, {5, 40}} {
		var bars strings.Builder
		ends, seen := 0, 0
		for _, n := range sizes {
			run := whole
			sample := *whole.Sample
			sample.Requests = sample.Requests[:n]
			run.Sample = &sample
			u, err := Live("x", run, seen)
			if err != nil {
				t.Fatal(err)
			}
			if u.From != seen || len(u.Ends) != n-seen {
				t.Errorf("from %d to %d: %d ends from %d on", seen, n, len(u.Ends), u.From)
			}
			bars.WriteString(u.Bars)
			ends, seen = ends+len(u.Ends), n
		}
		drawn := rowsOf(parsed(t, LiveStack("x", whole)))
		added := elements(fragment(t, bars.String()), "rect")
		if len(added) != len(drawn) || ends != 40 {
			t.Fatalf("%d bars and %d ends, the picture has %d", len(added), ends, len(drawn))
		}
		for i := range added {
			for _, name := range []string{"x", "y", "width", "height", "class"} {
				if attribute(added[i], name) != attribute(drawn[i], name) {
					t.Errorf("bar %d: %s is %s, was %s", i, name, attribute(drawn[i], name), attribute(added[i], name))
				}
			}
		}
	}
	u, err := Live("x", whole, 1000)
	if err != nil || u.From != 40 || u.Bars != "" {
		t.Errorf("somebody from elsewhere gets %d bars: %v", u.From, err)
	}
}

func TestCountersAreThoseOfTheRun(t *testing.T) {
	run := labRun(1000, 30)
	run.DBQueries, run.DBQueriesCompleted = 1234, 1000
	got := map[string]string{}
	for _, c := range Counters(run) {
		got[c.ID] = c.Value
	}
	want := map[string]string{"queries": "1,234", "completed": "1,000", "answered": "970", "lost": "30", "p50": "694 ms", "p99": "3 s"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	run.Sample = &Sample{TimeoutMS: 3000}
	for _, c := range Counters(run) {
		if c.ID == "p99" && c.Value != "–" {
			t.Errorf("without an answer p99 is %s", c.Value)
		}
	}
}

func TestLeasesAreMarkedInTheirProcess(t *testing.T) {
	run := labRun(4, 0)
	c := leasesChart("x", run, stackScale(3000))
	if len(c.bars) != 3 || !strings.Contains(c.bars[1].tip, "process 2, 12 ms: lease held ×2") || c.bars[2].class != "l-bad" {
		t.Errorf("marks are %+v", c.bars)
	}
	if c.desc != "Events of the lease: acquired 1 ×, held 2 ×, lost 1 ×." {
		t.Errorf("in words: %s", c.desc)
	}
}

func TestRunPageStandsAlone(t *testing.T) {
	var b bytes.Buffer
	if err := WriteRunHTML(&b, hostile, Environment{CPU: hostile, Cores: 2}, labRun(20, 2)); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, bad := range []string{"<script", "http://", "https://", "src=", "<link"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	if len(rowsOf(root)) != 20 {
		t.Errorf("%d rows", len(rowsOf(root)))
	}
}
