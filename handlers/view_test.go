// Formatting and the mapping to view models: pure functions, so tables.

package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"podbor/models"
	"podbor/templates"
)

var now = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)

func TestFormat(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{number(0), "0"}, {number(999), "999"}, {number(1000), "1,000"}, {number(1234567), "1,234,567"}, {number(-1234), "−1,234"},
		{count(0, "home", "homes"), "0 homes"}, {count(1, "home", "homes"), "1 home"}, {count(1234, "home", "homes"), "1,234 homes"},
		{money(12500000, "RUB"), "₽12,500,000"}, {money(5, "INR"), "₹5"}, {money(1000, "EUR"), "EUR 1,000"},
		{shortMoney(0, "RUB"), "₽0"}, {shortMoney(57_500_000, "RUB"), "₽57.5M"}, {shortMoney(2_000_000_000, "INR"), "₹2B"}, {shortMoney(1500, "RUB"), "₽1.5K"},
		{decimal(54.5), "54.5"}, {decimal(54), "54"}, {decimal(0.04), "0"},
		{change(100, 95), "−5%"}, {change(100, 112), "+12%"}, {change(3, 2), "−33.3%"}, {change(100, 100), "+0%"},
		{listed(now, now), "Listed today"}, {listed(now.Add(time.Hour), now), "Listed today"}, {listed(now.Add(-25*time.Hour), now), "Listed yesterday"},
		{listed(now.AddDate(0, 0, -29), now), "Listed 29 days ago"}, {listed(now.AddDate(0, 0, -30), now), "Listed on 2 Nov 2026"},
		{roomsName(0), "Studio"}, {roomsName(1), "1 room"}, {roomsName(4), "4 rooms"}, {roomsName(5), "5+ rooms"}, {roomsName(9), "5+ rooms"},
		{amenityName("air-conditioning"), "Air conditioning"},
		{shown(1, 24, 1234), "Showing 1–24 of 1,234"}, {shown(52, 10, 1234), "Showing 1,225–1,234 of 1,234"}, {shown(1, 7, 7), ""}, {shown(1, 0, 0), ""},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestAcceptsGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"gzip": true, "br,gzip": true, " GZip ; q=0.001": true, "gzip;q=1": true,
		"": false, "gzip;q=0": false, "gzip ; q = 0.00": false, "br": false, "gzipped": false, "*": false,
	} {
		if got := acceptsGzip(header); got != want {
			t.Errorf("acceptsGzip(%q) = %t", header, got)
		}
	}
}

func TestLastPage(t *testing.T) {
	for total, want := range map[int]int{0: 1, 1: 1, 24: 1, 25: 2, 48: 2, 2400: 100, 99999: 100} {
		if got := lastPage(total); got != want {
			t.Errorf("lastPage(%d) = %d, want %d", total, got, want)
		}
	}
}

// Links are written as "<2" (previous), "1", "[3]" (here), "…" and "4>" (next), each with the page it leads to.
func TestPageLinks(t *testing.T) {
	city := models.City{Slug: "kazan"}
	for _, test := range []struct {
		page, last int
		want       string
	}{
		{1, 1, ""},
		{1, 2, "[1] 2 2>"},
		{2, 2, "<1 1 [2]"},
		{1, 9, "[1] 2 … 9 2>"},
		{5, 9, "<4 1 … 4 [5] 6 … 9 6>"},
		{9, 9, "<8 1 … 8 [9]"},
		{3, 5, "<2 1 2 [3] 4 5 4>"},
	} {
		var got []string
		for _, l := range pageLinks(city, models.Filter{Page: test.page}, test.last) {
			to := strings.TrimPrefix(strings.TrimPrefix(l.URL, "/kazan"), "?page=")
			if to == "" {
				to = "1"
			}
			switch {
			case l.Rel == "prev":
				got = append(got, "<"+to)
			case l.Rel == "next":
				got = append(got, to+">")
			case l.Current:
				got = append(got, "["+l.Text+"]")
			case l.URL == "":
				got = append(got, l.Text)
			default:
				if to != l.Text {
					t.Errorf("the link %q leads to page %s", l.Text, to)
				}
				got = append(got, to)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("page %d of %d: %q, want %q", test.page, test.last, strings.Join(got, " "), test.want)
		}
	}
}

func TestHistogram(t *testing.T) {
	city := models.City{Currency: "RUB", PriceStep: 1_000_000}
	buckets := [models.PriceBuckets]int{0: 10, 1: 100, 2: 1, 23: 50}
	bars := func(f models.Filter) (in, out int) {
		h := histogram(city, f, buckets)
		return strings.Count(h.In, "M"), strings.Count(h.Out, "M")
	}
	for _, test := range []struct {
		filter  models.Filter
		in, out int
	}{
		{models.Filter{}, 4, 0},
		{models.Filter{PriceMin: 1_000_000}, 3, 1},
		{models.Filter{PriceMax: 999_999}, 1, 3},
		{models.Filter{PriceMin: 999_999_999}, 1, 3}, // the last bucket is open
		{models.Filter{PriceMin: 500_000, PriceMax: 1_500_000}, 2, 2},
	} {
		if in, out := bars(test.filter); in != test.in || out != test.out {
			t.Errorf("%+v: %d bars in and %d out, want %d and %d", test.filter, in, out, test.in, test.out)
		}
	}
	h := histogram(city, models.Filter{}, buckets)
	if want := "Prices: the largest group, 100 homes, costs ₽1M to ₽2M"; h.Summary != want {
		t.Errorf("summary %q, want %q", h.Summary, want)
	}
	if !strings.Contains(h.In, "M10 56v-56h9v56z") || !strings.Contains(h.In, "M20 56v-1h9v1z") {
		t.Errorf("want the fullest bar at full height and the emptiest at 1: %s", h.In)
	}
	if empty := histogram(city, models.Filter{}, [models.PriceBuckets]int{}); empty.In+empty.Out != "" {
		t.Errorf("bars without homes: %+v", empty)
	}
}

func TestPriceHistory(t *testing.T) {
	history := []models.PricePoint{
		{At: now.AddDate(0, 0, -40), Price: 100}, {At: now.AddDate(0, 0, -10), Price: 90}, {At: now.AddDate(0, 0, -1), Price: 99},
	}
	steps := priceSteps(history, "RUB")
	want := []templates.PriceStep{
		{Date: "1 Dec 2026", DateISO: "2026-12-01", Price: "₽99", Change: "+10%"},
		{Date: "22 Nov 2026", DateISO: "2026-11-22", Price: "₽90", Change: "−10%"},
		{Date: "23 Oct 2026", DateISO: "2026-10-23", Price: "₽100"},
	}
	if !slices.Equal(steps, want) {
		t.Errorf("steps %+v, want %+v", steps, want)
	}
	c := chart(history, "RUB", now)
	if want := "M0 12H300V88H390V19H400"; c.Line != want || c.Area != want+"V112H0z" {
		t.Errorf("chart %+v, want the line %s", c, want)
	}
	if c := chart(history[:1], "RUB", now); c.Line != "" {
		t.Errorf("one price makes a chart: %+v", c)
	}
}

func TestDroppedPrice(t *testing.T) {
	for _, test := range []struct {
		price, old   int64
		was, percent string
	}{{90, 100, "₽100", "−10%"}, {100, 90, "", ""}, {100, 0, "", ""}} {
		was, percent := dropped(&models.Card{Price: test.price, OldPrice: test.old}, "RUB")
		if was != test.was || percent != test.percent {
			t.Errorf("from %d to %d: %q %q, want %q %q", test.old, test.price, was, percent, test.was, test.percent)
		}
	}
}

// The way out of a bad parameter is the same listing without it.
func TestProblemLeadsOut(t *testing.T) {
	at, err := url.Parse("/kazan?rooms=2&price_min=x")
	if err != nil {
		t.Fatal(err)
	}
	view := problemView(http.StatusBadRequest, &models.InputError{Field: "price_min", Value: "x", Reason: "No."}, at, "id")
	if got := view.Actions[0].URL; got != "/kazan?rooms=2" {
		t.Errorf("the first way out is %q", got)
	}
	for status := 400; status < 600; status++ {
		view := problemView(status, models.ErrNotFound, at, "id")
		if view.Heading == "" && http.StatusText(status) != "" || view.Code != "Error "+strconv.Itoa(status) || len(view.Actions) == 0 {
			t.Errorf("status %d: %+v", status, view)
		}
	}
}
