package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const hostile = `</style></title><script>alert(1)</script>"'&`

// herdRun is a small recording: pods processes, n visitors at once, of whom lost give up.
func herdRun(strategy string, n, lost int) Run {
	s := &Sample{From: -100, To: 4000, TimeoutMS: 3000, Events: []Event{{0, "the copy expires"}}}
	r := Run{Strategy: strategy, Pods: 2, Pool: 5, Requests: n, OK: n - lost, Timeouts: lost, DBQueries: n, DBQueriesCompleted: n, Runs: 1, TotalS: 3, DBBusyS: 5,
		SingleQueryMS: 150, Status: map[string]int{"200": n - lost}, Queries: map[string]int{"facets": n, "list": n}}
	for i := range n {
		q := Request{Start: 5, Sent: 6, End: 200 + float64(i), Process: i%2 + 1, Status: 200, Outcome: Loaded}
		if i < lost {
			q.End, q.Status, q.Outcome = 3005, 0, Timeout
		}
		s.Requests = append(s.Requests, q)
		s.Spans = append(s.Spans, Span{Process: i%2 + 1, PID: 100 + i%10, Start: 10 + 100*float64(i/10), End: 100 + 100*float64(i/10), Kind: "facets"})
		s.Unrelated = append(s.Unrelated, Request{Start: float64(10 * i), End: float64(10*i + 8), Process: 1, Outcome: Loaded, Status: 200})
	}
	for at := 0.0; at < 1000; at += 100 {
		s.Pools = append(s.Pools, Pool{At: at, Process: 1, InUse: 5, Waiting: 7}, Pool{At: at, Process: 2, InUse: 5})
	}
	r.Latency = NewLatency(Latencies(s.Requests))
	u := NewLatency(Latencies(s.Unrelated))
	r.Unrelated, r.UnrelatedErrors = &u, new(int)
	r.Sample = s
	return r
}

func sampleReport() Report {
	return Report{
		Command: hostile, Environment: Environment{CPU: hostile, Cores: 2},
		Scenarios: []Scenario{{
			Name: "stampede", Verdict: Pass, Asked: hostile, Method: []string{hostile}, Computed: []Fact{{hostile, hostile, hostile}},
			Checks: []Check{{hostile, hostile, hostile, true}, {"b", "2", "1", false}},
			Runs:   []Run{Merge([]Run{herdRun("aside", 40, 30), herdRun("aside", 40, 31), herdRun("aside", 40, 32)}), Merge([]Run{herdRun("both", 40, 0)})},
		}},
	}
}

func drawn(t *testing.T, r Report) (string, *html.Node) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, r); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), root
}

// elements returns the elements of that name below n.
func elements(n *html.Node, name string) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			found = append(found, d)
		}
	}
	return found
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// charts returns every chart by the id of its title.
func charts(root *html.Node) map[string]*html.Node {
	found := map[string]*html.Node{}
	for _, svg := range elements(root, "svg") {
		if attribute(svg, "role") == "img" {
			found[strings.TrimSuffix(strings.Fields(attribute(svg, "aria-labelledby"))[0], "-t")] = svg
		}
	}
	return found
}

func bars(svg *html.Node) int {
	n := 0
	for _, g := range elements(svg, "g") {
		if attribute(g, "class") == "bars" {
			n += len(elements(g, "rect"))
		}
	}
	return n
}

func TestEveryRequestAndEveryQueryIsDrawn(t *testing.T) {
	_, root := drawn(t, sampleReport())
	found := charts(root)
	for id, want := range map[string]int{
		"s1-before-requests": 40, "s1-after-requests": 40,
		"s1-1-requests": 40, "s1-1-lanes": 40, "s1-1-unrelated": 40,
		"s1-2-requests": 40, "s1-2-lanes": 40, "s1-2-unrelated": 40,
	} {
		svg := found[id]
		if svg == nil {
			t.Errorf("no chart %s", id)
			continue
		}
		if got := bars(svg); got != want {
			t.Errorf("chart %s has %d bars, want %d", id, got, want)
		}
	}
	if n := len(elements(found["s1-1-lanes"], "rect")) - bars(found["s1-1-lanes"]); n != 2 {
		t.Errorf("%d bands for 2 processes", n)
	}
}

func TestChartsSayInWordsWhatTheyShow(t *testing.T) {
	_, root := drawn(t, sampleReport())
	ids := map[string]bool{}
	for id, svg := range charts(root) {
		for _, name := range []string{"title", "desc"} {
			if n := elements(svg, name); len(n) == 0 || n[0].FirstChild == nil {
				t.Errorf("chart %s has no %s", id, name)
			}
		}
		if ids[id] {
			t.Errorf("id %s twice", id)
		}
		ids[id] = true
	}
	if len(ids) != 4+2*6 {
		t.Errorf("%d charts: %v", len(ids), ids)
	}
}

func TestThePageIsSelfContainedAndInert(t *testing.T) {
	text, root := drawn(t, sampleReport())
	for _, name := range []string{"script", "link", "img", "iframe", "object", "base", "form"} {
		if n := len(elements(root, name)); n > 0 {
			t.Errorf("%d elements %s", n, name)
		}
	}
	if n := len(elements(root, "style")); n != 1 {
		t.Errorf("%d style elements", n)
	}
	for _, word := range []string{"http:", "https:", "@import", "javascript:"} {
		if strings.Contains(text, word) {
			t.Errorf("the page mentions %q", word)
		}
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s has a handler %s", n.Data, a.Key)
			}
		}
	}
	if n := strings.Count(text, "&lt;script&gt;alert(1)"); n < 8 {
		t.Errorf("the hostile text is shown %d times, want it everywhere it was put", n)
	}
}

func TestThePageIsWellFormed(t *testing.T) {
	text, _ := drawn(t, sampleReport())
	void := regexp.MustCompile(`<meta [^>]*[^/]>`) // the only elements of the page that HTML does not close
	d := xml.NewDecoder(strings.NewReader(void.ReplaceAllString(strings.Replace(text, "<!doctype html>", "", 1), "")))
	for {
		if _, err := d.Token(); err != nil {
			if err.Error() != "EOF" {
				t.Fatal(err)
			}
			return
		}
	}
}

func TestFillsThatChartsReferToExist(t *testing.T) {
	text, root := drawn(t, sampleReport())
	for _, p := range elements(root, "pattern") {
		if id := attribute(p, "id"); !strings.Contains(text, "url(#"+id+")") {
			t.Errorf("pattern %s is not used", id)
		}
	}
	for _, o := range outcomes() {
		if !strings.Contains(figuresStyle(), "."+o.class()) {
			t.Errorf("outcome %s has no colour", o)
		}
	}
	for _, k := range kinds() {
		if !strings.Contains(figuresStyle(), "."+kindClass(k)) {
			t.Errorf("kind %s has no colour", k)
		}
	}
	if got := Outcome(hostile).class(); got != "o-error" {
		t.Errorf("an unknown outcome has class %q", got)
	}
}

// Odd reports must be drawn as well: they are the ones that somebody needs to read.
func TestOddReportsAreDrawn(t *testing.T) {
	empty := Run{Strategy: "both", Sample: &Sample{}}
	one := herdRun("aside", 1, 0)
	many := herdRun("aside", 3000, 3000)
	spreadOut := herdRun("aside", 100, 20)
	for i := range spreadOut.Sample.Requests {
		r := &spreadOut.Sample.Requests[i]
		r.Start, r.End = r.Start+100*float64(i), r.End+100*float64(i)
	}
	spreadOut.Sample.From, spreadOut.Sample.To = -5000, 10_000
	for name, runs := range map[string][]Run{
		"no runs": nil, "no sample": {{Strategy: "off"}}, "empty sample": {empty}, "one request": {one}, "3000 requests": {many}, "over time": {spreadOut, herdRun("both", 3, 0)},
		"instant answers": {{Strategy: "off", Pods: 1, Pool: 1, Sample: &Sample{Requests: []Request{{}}}}},
	} {
		text, _ := drawn(t, Report{Scenarios: []Scenario{{Name: "s", Runs: runs}}})
		for _, bad := range []string{"NaN", "Inf", "%!"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the page contains %s", name, bad)
			}
		}
	}
}

func TestJSONKeepsTheContract(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, sampleReport()); err != nil {
		t.Fatal(err)
	}
	var got struct{ Scenarios []map[string]json.RawMessage }
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	wantFields(t, got.Scenarios[0], "name", "verdict", "checks", "runs")
	var runs []map[string]json.RawMessage
	if err := json.Unmarshal(got.Scenarios[0]["runs"], &runs); err != nil {
		t.Fatal(err)
	}
	wantFields(t, runs[0], "strategy", "pods", "requests", "ok", "timeouts", "errors", "status", "db_queries", "db_queries_completed", "queries",
		"db_active_peak", "db_busy_s", "total_s", "runs", "pool", "single_query_ms", "latency_ms", "unrelated_ms", "unrelated_errors")
	for _, absent := range []string{"stale_served", "takeover_ms", "expiries"} {
		if _, there := runs[0][absent]; there {
			t.Errorf("%s has no meaning here but is there", absent)
		}
	}
	var latency map[string]float64
	if err := json.Unmarshal(runs[0]["latency_ms"], &latency); err != nil || len(latency) != 4 {
		t.Errorf("latency_ms is %s (%v)", runs[0]["latency_ms"], err)
	}
	var back Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	before, _ := drawn(t, sampleReport())
	if after, _ := drawn(t, back); after != before {
		t.Error("a report that was stored and read again is drawn differently")
	}
}

func wantFields(t *testing.T, got map[string]json.RawMessage, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, there := got[name]; !there {
			t.Errorf("field %s is missing", name)
		}
	}
}

func TestTextFitsATerminal(t *testing.T) {
	var b bytes.Buffer
	r := sampleReport()
	r.Scenarios[0].Checks = nil
	if err := WriteText(&b, r.Scenarios[0]); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&b, TextHeader())
	fmt.Fprintln(&b, TextRow("flight 3/3", herdRun("flight", 40, 40)))
	for line := range strings.Lines(b.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(b.String(), "PASS") {
		t.Error("the text has no verdict")
	}
}

func TestMergeTakesMediansAndTheWorstGenerator(t *testing.T) {
	a, b, c := herdRun("aside", 10, 1), herdRun("aside", 10, 5), herdRun("aside", 10, 3)
	a.Generator, b.Generator, c.Generator = Generator{LateP99MS: 1, KeptUp: true}, Generator{LateP99MS: 200}, Generator{CPUShare: .5, KeptUp: true}
	a.Notes, b.Notes = []string{"x"}, []string{"x", "y"}
	m := Merge([]Run{a, b, c})
	if m.Runs != 3 || m.Timeouts != 3 || m.OK != 7 || m.Status["200"] != 7 || len(m.Repeats) != 3 || m.Sample != nil {
		t.Errorf("merged into %+v", m)
	}
	if want := (Generator{CPUShare: .5, LateP99MS: 200}); m.Generator != want {
		t.Errorf("generator %+v, want %+v", m.Generator, want)
	}
	if strings.Join(m.Notes, "") != "xy" {
		t.Errorf("notes %q", m.Notes)
	}
	if got := typical(m); got.Timeouts != 3 {
		t.Errorf("the repeat with %d time-outs is drawn, want the middle one with 3", got.Timeouts)
	}
}

func TestPercentileIsAMeasuredValue(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 100}
	for p, want := range map[float64]float64{0: 1, 10: 1, 50: 5, 90: 9, 91: 100, 100: 100} {
		if got := Percentile(values, p); got != want {
			t.Errorf("p%v is %v, want %v", p, got, want)
		}
	}
	if got := Percentile(nil, 50); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
	if got := Median([]int{3, 1, 2, 4}); got != 2 {
		t.Errorf("median %d, want the lower middle", got)
	}
}

func TestMilliseconds(t *testing.T) {
	for ms, want := range map[float64]string{0: "0", 0.04: "0 ms", 0.5: "0.5 ms", 9.94: "9.9 ms", 12.3: "12 ms", 999.4: "999 ms", 999.6: "1 s", 1234: "1.23 s", 28_449: "28.4 s", -1500: "-1.5 s"} {
		if got := Milliseconds(ms); got != want {
			t.Errorf("Milliseconds(%v) = %q, want %q", ms, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestTimeTicksAreRoundAndInside(t *testing.T) {
	for _, s := range []scale{{0, 1}, {-2, 210}, {-70, 3200}, {-15_000, 62_000}} {
		ticks := s.ticks(Milliseconds)
		if len(ticks) < 3 || len(ticks) > 9 {
			t.Errorf("%v has %d ticks", s, len(ticks))
		}
		for _, tick := range ticks {
			if tick.at < 0 || tick.at > 100 || math.IsNaN(tick.at) {
				t.Errorf("%v has a tick at %v %%", s, tick.at)
			}
		}
	}
}

func TestBusyTimeCountsOverlapsOnce(t *testing.T) {
	spans := []Span{{Start: 0, End: 100, Kind: "facets"}, {Start: 50, End: 150, Kind: "list"}, {Start: 300, End: 400, Kind: "facets"}, {Start: 0, End: 1000, Kind: "apartment"}}
	if got := BusyMS(spans, ""); got != 250 {
		t.Errorf("busy for %v ms, want 250", got)
	}
	if got := BusyMS(spans, "apartment"); got != 1000 {
		t.Errorf("busy with apartments for %v ms, want 1000", got)
	}
}
