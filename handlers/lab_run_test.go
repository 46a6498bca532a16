// Runs of the lab over HTTP, with real processes: by a form alone, by streams of events, and in a browser.

package handlers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"podbor/internal/lab"
)

// newLab is a site whose lab has a program to run.
func newLab(t *testing.T) *testSite {
	t.Helper()
	s := newSite(t)
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", s.program, "podbor").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return s
}

func herdOf(n int, strategy string) url.Values {
	return url.Values{"strategy": {strategy}, "state": {"expired"}, "herd": {strconv.Itoa(n)}, "processes": {"2"}, "timeout_ms": {"5000"}}
}

// runOver waits until a run is over and returns its page.
func (b *browser) runOver(t *testing.T, path string) answer {
	t.Helper()
	var a answer
	eventually(t, path+" is over", func() bool {
		a = b.get(t, path)
		wantStatus(t, a, http.StatusOK)
		return !strings.Contains(a.body, `http-equiv="refresh"`)
	})
	return a
}

func TestLabWithoutScript(t *testing.T) {
	s := newLab(t)
	b := s.browser(t)
	first := b.get(t, "/lab")
	wantWellFormed(t, first.body)
	plan := herdOf(30, "both")
	plan.Set("guess", "30")
	sent := b.submit(t, first, "#herd", plan)
	wantStatus(t, sent, http.StatusSeeOther)
	path := sent.Header.Get("Location")

	busy := b.submit(t, first, "#herd", herdOf(7, "aside"))
	wantStatus(t, busy, http.StatusConflict)
	if doc := parse(t, busy); doc.Find("[name=herd]").AttrOr("value", "") != "7" || doc.Find("[role=alert]").Length() != 1 {
		t.Error("what was typed for a second run is lost")
	}

	a := b.runOver(t, path)
	wantWellFormed(t, a.body)
	doc := parse(t, a)
	for id, want := range map[string]string{"queries": "1", "completed": "1", "answered": "30", "lost": "0"} {
		if got := doc.Find("#count-" + id + " dd").Text(); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	if bars := doc.Find("[data-part=requests] .bars rect").Length(); bars != 30 {
		t.Errorf("%d bars, want 30", bars)
	}
	if text := doc.Find(".lab-guessed").Text(); !strings.Contains(text, "You guessed 30, it was 1 query") {
		t.Errorf("the guess: %q", text)
	}
	var record lab.Record
	must(t, json.Unmarshal([]byte(b.get(t, path+".json").body), &record))
	if record.Run.DBQueries != 1 || len(record.Run.Sample.Requests) != 30 || record.Environment.PostgreSQL == "" {
		t.Errorf("the file has %d queries, %d requests, %+v", record.Run.DBQueries, len(record.Run.Sample.Requests), record.Environment)
	}
	if page := b.get(t, path+".html").body; !strings.Contains(page, "</html>") || strings.Contains(page, "<script") || strings.Contains(page, "/static/") {
		t.Error("the page does not stand alone")
	}
	if got := b.get(t, "/lab?tour=5"); !strings.Contains(got.body, "Step 5 of 7") {
		t.Error("no tour")
	}

	wantStatus(t, b.get(t, "/lab/runs/none-both"), http.StatusNotFound)
	wantStatus(t, b.get(t, "/lab/runs/..%2Fnone"), http.StatusNotFound)
	for field, bad := range map[string]string{"herd": "1001", "processes": "0", "timeout_ms": "abc", "strategy": "magic", "state": "odd", "guess": "-", "fault": "fire"} {
		plan := herdOf(30, "both")
		plan.Set(field, bad)
		wantStatus(t, b.submit(t, first, "#herd", plan), http.StatusUnprocessableEntity)
	}
	wantStatus(t, b.do(t, http.MethodPost, "/lab/runs", herdOf(30, "both")), http.StatusForbidden) // from elsewhere
	wantStatus(t, b.submit(t, first, "#herd", nil), http.StatusSeeOther)                           // as the page proposes it
}

// An event of a stream.
type event struct {
	id, name, data string
}

// events reads a stream until its end, or n events of it.
func (s *testSite) events(t *testing.T, path, after string, n int) (events []event) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	must(t, err)
	request.Header.Set("Last-Event-ID", after)
	response, err := s.client.Do(request)
	must(t, err)
	defer response.Body.Close()
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("a stream of %q", got)
	}
	var e event
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if events = append(events, e); len(events) == n {
				return events
			}
		}
	}
	return events
}

func TestLabStreams(t *testing.T) {
	s := newLab(t)
	b := s.browser(t)
	sent := b.submit(t, b.get(t, "/lab"), "#herd", herdOf(40, "off"))
	path := sent.Header.Get("Location") + "/events"

	second := make(chan []event)
	go func() { second <- s.events(t, path, "", 0) }()
	// The first viewer is cut off after every event, and comes back.
	bars, after := 0, ""
	for range 1000 {
		got := s.events(t, path, after, 1)
		if len(got) == 0 || got[0].name == "over" {
			break
		}
		after = got[0].id
		if got[0].name == "update" {
			bars += barsIn(t, got[0])
			if strconv.Itoa(bars) != after {
				t.Fatalf("%d bars after id %s", bars, after)
			}
		}
	}
	all := <-second
	whole := 0
	for _, e := range all {
		if e.name == "update" {
			whole += barsIn(t, e)
		}
	}
	if bars != 40 || whole != 40 {
		t.Errorf("the viewer who was cut off has %d bars, the other %d; want 40", bars, whole)
	}
	if first, last := all[0].name, all[len(all)-1].name; first != "step" || last != "over" {
		t.Errorf("the stream goes from %s to %s", first, last)
	}
}

func barsIn(t *testing.T, e event) int {
	t.Helper()
	var u struct {
		Bars string    `json:"bars"`
		Ends []float64 `json:"ends"`
	}
	must(t, json.NewDecoder(bytes.NewReader([]byte(e.data))).Decode(&u))
	if n := strings.Count(u.Bars, "<rect"); n != len(u.Ends) {
		t.Errorf("%d bars, %d ends", n, len(u.Ends))
	}
	return len(u.Ends)
}

func TestLabRunIsCancelledByItsButton(t *testing.T) {
	s := newLab(t)
	b := s.browser(t)
	page := b.get(t, "/lab")
	path := b.submit(t, page, "#herd", herdOf(40, "off")).Header.Get("Location")
	wantStatus(t, b.submit(t, b.get(t, path), `form[action$="/cancel"]`, nil), http.StatusSeeOther)
	if text := parse(t, b.runOver(t, path)).Find(".notice.bad").Text(); !strings.Contains(text, "Cancelled") {
		t.Errorf("the page says %q", text)
	}
}

// TestLabInABrowser takes the tour, as a newcomer would.
func TestLabInABrowser(t *testing.T) {
	s := newLab(t)
	b := s.tab(t, chromium(t), laptop)
	b.open(t, "/lab?tour=1")
	text := func(of string) string { return `document.querySelector("` + of + `").textContent` }
	// On so few rows a query may be over before all of the herd have come; those find its answer.
	type bounds struct{ least, most int }
	wants := map[string]bounds{"off": {200, 200}, "aside": {1, 200}, "flight": {1, 3}, "lock": {1, 1}, "both": {1, 1}, "swr": {1, 1}, "xfetch": {1, 1}}
	for i, strategy := range lab.Strategies() {
		if i > 0 {
			b.open(t, ask[string](t, b, `document.querySelector(".tour-nav a[rel=next]").getAttribute("href")`))
		}
		b.fill(t, "guess", "7")
		b.follow(t, ".tour-form button")
		b.wait(t, `document.getElementById("player") !== null && !document.getElementById("player").hidden`) // live until it is over
		if got := ask[string](t, b, text(".tour-beside dd")); got != "7" {
			t.Errorf("%s: the guess beside the fact is %q", strategy, got)
		}
		queries, err := strconv.Atoi(ask[string](t, b, text(".tour-answer .fact dd")))
		if want := wants[strategy]; err != nil || queries < want.least || queries > want.most {
			t.Errorf("%s: %d queries (%v), want %d to %d", strategy, queries, err, want.least, want.most)
		}
		for _, count := range []string{"#count-queries dd", "#count-completed dd"} { // the processes', PostgreSQL's
			if got := ask[string](t, b, text(count)); got != strconv.Itoa(queries) {
				t.Errorf("%s: %s is %q, the tour says %d", strategy, count, got, queries)
			}
		}
		if i == 0 {
			playARun(t, b)
		}
	}
	wantNoFaults(t, b, "/lab")
}

// playARun works the player of a run of 200 queries from the keyboard.
func playARun(t *testing.T, b *tab) {
	lost := ask[string](t, b, `document.querySelector("#count-lost dd").textContent`)
	queries := func(text string) string {
		return `document.querySelector("#count-queries dd").textContent === "` + text + `"`
	}
	b.wait(t, queries("200"))
	b.press(t, kb.Home)
	b.wait(t, queries("0"))
	b.press(t, ".")
	b.wait(t, `["queries", "answered", "lost"].some(id => document.querySelector("#count-" + id + " dd").textContent !== "0")`)
	b.press(t, kb.End)
	b.wait(t, queries("200")+` && document.querySelector("#count-lost dd").textContent === "`+lost+`"`)
	b.press(t, " ")
	b.wait(t, `document.querySelector("[data-do=play]").textContent === "Pause"`)
	b.press(t, " ")
	ask[bool](t, b, `document.querySelector("[data-part=requests] svg").focus(), true`)
	b.press(t, kb.ArrowDown)
	b.wait(t, `document.getElementById("facts").textContent.startsWith("#1, process ")`)
}
