// Formatting and the mapping to view models: pure functions, so tables.

package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/templates"
)

var now = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)

// english is the frame of a page in English, of a site whose address is not known.
var english = frame{Locale: locale.English}

func TestFacts(t *testing.T) {
	card := models.Card{Rooms: 2, Area: 54.5, Floor: 3, Floors: 9}
	for l, want := range map[*locale.Locale]string{
		locale.English: "2 rooms · 54.5 m² · floor 3 of 9",
		locale.Russian: "2 комнаты · 54,5 м² · этаж 3 из 9",
		locale.Hindi:   "2 कमरे · 54.5 मी² · मंज़िल 3/9",
	} {
		if got := facts(frame{Locale: l}, &card); got != want {
			t.Errorf("%s: %q, want %q", l.Tag, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	for _, test := range []struct {
		page, onPage, total int
		want                string
	}{
		{1, 24, 1234, "Showing 1–24 of 1,234"}, {52, 10, 1234, "Showing 1,225–1,234 of 1,234"}, {1, 7, 7, ""}, {1, 0, 0, ""},
	} {
		if got := shown(english, test.page, test.onPage, test.total); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// A home is headed by what its seller wrote in English, and by its facts elsewhere; names that are missing are English.
func TestTitles(t *testing.T) {
	city := models.City{Districts: []models.District{{ID: 7, Name: models.Names{EN: "Arbat", RU: "Арбат"}}}}
	card := models.Card{Title: "Bright flat", Rooms: 2, DistrictID: 7}
	for l, want := range map[*locale.Locale][2]string{
		locale.English: {"Bright flat", ""},
		locale.Russian: {"2-комнатная квартира, Арбат", "Bright flat"},
		locale.Hindi:   {"2 कमरों का फ़्लैट, Arbat", "Bright flat"},
	} {
		heading, headline := titles(frame{Locale: l}, &card, &city)
		if got := [2]string{heading, headline}; got != want {
			t.Errorf("%s: %q, want %q", l.Tag, got, want)
		}
	}
}

// Every language has a word for everything that the models can name.
func TestWordsForModels(t *testing.T) {
	if n := len(english.T.Common.Rooms); n != models.MaxRooms+1 {
		t.Errorf("%d names of rooms, want %d", n, models.MaxRooms+1)
	}
	for _, l := range locale.All {
		for _, slug := range models.AllAmenities {
			if l.T.Common.Amenities[slug] == "" {
				t.Errorf("%s has no word for %s", l.Tag, slug)
			}
		}
		if got, want := len(l.T.Common.Amenities), len(models.AllAmenities); got != want {
			t.Errorf("%s names %d amenities, there are %d", l.Tag, got, want)
		}
		for _, query := range []string{"district=x", "rooms=9", "amenities=x", "price_min=x", "area_max=999999999", "sort=x", "page=x"} {
			q, _ := url.ParseQuery(query)
			_, err := models.ParseFilter(q, models.City{})
			input, ok := errors.AsType[*models.InputError](err)
			if !ok || reason(frame{Locale: l}, input) == "" {
				t.Errorf("%s does not say what is wrong with %s", l.Tag, query)
			}
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
		for _, l := range pageLinks(english, city, models.Filter{Page: test.page}, test.last) {
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
		h := histogram(english, city, f, buckets)
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
	h := histogram(english, city, models.Filter{}, buckets)
	if want := "Prices: the largest group, 100 homes, costs ₽1M to ₽2M"; h.Summary != want {
		t.Errorf("summary %q, want %q", h.Summary, want)
	}
	if !strings.Contains(h.In, "M10 56v-56h9v56z") || !strings.Contains(h.In, "M20 56v-1h9v1z") {
		t.Errorf("want the fullest bar at full height and the emptiest at 1: %s", h.In)
	}
	if empty := histogram(english, city, models.Filter{}, [models.PriceBuckets]int{}); empty.In+empty.Out != "" {
		t.Errorf("bars without homes: %+v", empty)
	}
}

func TestPriceHistory(t *testing.T) {
	history := []models.PricePoint{
		{At: now.AddDate(0, 0, -40), Price: 100}, {At: now.AddDate(0, 0, -10), Price: 90}, {At: now.AddDate(0, 0, -1), Price: 99},
	}
	steps := priceSteps(english, history, "RUB")
	want := []templates.PriceStep{
		{Date: "1 Dec 2026", DateISO: "2026-12-01", Price: "₽99", Change: "+10%"},
		{Date: "22 Nov 2026", DateISO: "2026-11-22", Price: "₽90", Change: "−10%"},
		{Date: "23 Oct 2026", DateISO: "2026-10-23", Price: "₽100"},
	}
	if !slices.Equal(steps, want) {
		t.Errorf("steps %+v, want %+v", steps, want)
	}
	c := chart(english, history, "RUB", now)
	if want := "M0 12H300V88H390V19H400"; c.Line != want || c.Area != want+"V112H0z" {
		t.Errorf("chart %+v, want the line %s", c, want)
	}
	if c := chart(english, history[:1], "RUB", now); c.Line != "" {
		t.Errorf("one price makes a chart: %+v", c)
	}
}

func TestDroppedPrice(t *testing.T) {
	for _, test := range []struct {
		price, old   int64
		was, percent string
	}{{90, 100, "₽100", "−10%"}, {100, 90, "", ""}, {100, 0, "", ""}} {
		was, percent := dropped(english, &models.Card{Price: test.price, OldPrice: test.old}, "RUB")
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
	view := problemView(english, http.StatusBadRequest, &models.InputError{Field: "price_min", Value: "x", Fault: models.NotANumber}, at, "id")
	if got := view.Actions[0].URL; got != "/kazan?rooms=2" {
		t.Errorf("the first way out is %q", got)
	}
	for status := 400; status < 600; status++ {
		view := problemView(english, status, models.ErrNotFound, at, "id")
		if view.Heading == "" || view.Code != "Error "+strconv.Itoa(status) || len(view.Actions) == 0 {
			t.Errorf("status %d: %+v", status, view)
		}
	}
}
