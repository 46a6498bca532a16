// The listing: its input, its pages and its counts.

package handlers_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// Every parameter with every kind of value. The answer is a page, the URL it should have been, or a 400.
func TestListingInput(t *testing.T) {
	s := newSite(t)
	const ok, moved, bad = http.StatusOK, http.StatusFound, http.StatusBadRequest
	slugs := districtSlugs(t, s)
	first, second := slugs[0], slugs[1]

	for _, test := range []struct {
		query    string
		status   int
		location string // for moved: the query of the canonical URL
	}{
		{"", ok, ""},

		{"district=" + first, ok, ""},
		{"district=" + first + "&district=" + second, ok, ""},
		{"district=" + second + "&district=" + first, moved, "?district=" + first + "&district=" + second},
		{"district=" + first + "&district=" + first, moved, "?district=" + first},
		{"district=" + strings.ToUpper(first), moved, "?district=" + first},
		{"district=", moved, ""},
		{"district=-1", bad, ""},
		{"district=nowhere", bad, ""},
		{"district=" + strings.Repeat("x", 5000), bad, ""},
		{"district=NaN", bad, ""},
		{"district=%D0%90%D1%80%D0%B1%D0%B0%D1%82", bad, ""},
		{"district=%00", bad, ""},
		{"district=%FF%FE", bad, ""},

		{"rooms=2", ok, ""},
		{"rooms=0&rooms=2", ok, ""},
		{"rooms=2&rooms=1&rooms=2", moved, "?rooms=1&rooms=2"},
		{"rooms=", moved, ""},
		{"rooms=02", moved, "?rooms=2"},
		{"rooms=-1", bad, ""},
		{"rooms=6", bad, ""},
		{"rooms=99999999999999999999", bad, ""},
		{"rooms=two", bad, ""},
		{"rooms=NaN", bad, ""},
		{"rooms=1.5", bad, ""},
		{"rooms=%D9%A2", bad, ""}, // ARABIC-INDIC DIGIT TWO

		{"price_min=5000000", ok, ""},
		{"price_min=5000000&price_min=6000000", moved, "?price_min=6000000"},
		{"price_min=", moved, ""},
		{"price_min=0", moved, ""},
		{"price_min=-5", bad, ""},
		{"price_min=%2B5", bad, ""},
		{"price_min=1000000000001", bad, ""},
		{"price_min=99999999999999999999", bad, ""},
		{"price_min=cheap", bad, ""},
		{"price_min=1e6", bad, ""},
		{"price_min=NaN", bad, ""},
		{"price_min=Inf", bad, ""},
		{"price_min=%EF%BC%95", bad, ""}, // FULLWIDTH DIGIT FIVE
		{"price_max=9000000", ok, ""},
		{"price_max=-1", bad, ""},
		{"price_max=NaN", bad, ""},
		{"price_min=9000000&price_max=5000000", moved, "?price_min=5000000&price_max=9000000"},

		{"area_min=30", ok, ""},
		{"area_min=30&area_min=", moved, "?area_min=30"},
		{"area_min=-30", bad, ""},
		{"area_min=100001", bad, ""},
		{"area_min=30.5", bad, ""},
		{"area_min=NaN", bad, ""},
		{"area_max=60", ok, ""},
		{"area_max=huge", bad, ""},
		{"area_min=90&area_max=30", moved, "?area_min=30&area_max=90"},

		{"sort=price_asc", ok, ""},
		{"sort=newest", moved, ""},
		{"sort=", moved, ""},
		{"sort=PRICE_ASC", moved, "?sort=price_asc"},
		{"sort=price_asc&sort=ppm2", moved, "?sort=ppm2"},
		{"sort=1", bad, ""},
		{"sort=price'--", bad, ""},

		{"page=2", ok, ""},
		{"page=", moved, ""},
		{"page=0", moved, ""},
		{"page=1", moved, ""},
		{"page=002", moved, "?page=2"},
		{"page=2&page=3", moved, "?page=3"},
		{"page=-1", bad, ""},
		{"page=two", bad, ""},
		{"page=NaN", bad, ""},
		{"page=99999999999999999999", moved, "?page=100"}, // and from there to the last one, see below

		{"utm_source=letter", moved, ""},
		{"rooms=2&utm_source=letter", moved, "?rooms=2"},
		{"page=2&rooms=1", moved, "?rooms=1&page=2"},
		{"%zz", moved, ""},
		{";", moved, ""},
		{"rooms=2&", moved, "?rooms=2"},
	} {
		before := s.keys(t)
		a := s.get(t, "/moscow?"+test.query)
		if a.StatusCode != test.status {
			t.Errorf("?%.60s: status %d, want %d", test.query, a.StatusCode, test.status)
			continue
		}
		if test.status == moved {
			wantHeader(t, a, "Location", "/moscow"+test.location)
		}
		if test.status == bad {
			field, _, _ := strings.Cut(test.query, "=")
			if text := parse(t, a).Find("main").Text(); !strings.Contains(text, field) {
				t.Errorf("?%.60s: the page does not name %s: %s", test.query, field, text)
			}
			wantWellFormed(t, a.body)
		}
		if test.status != ok {
			if after := s.keys(t); len(after) > max(len(before), 1) { // the cities are always looked up
				t.Errorf("?%.60s made the keys %q of %q", test.query, after, before)
			}
		}
	}
}

func TestUnknownCityMakesNoKey(t *testing.T) {
	s := newSite(t)
	s.page(t, "/moscow")
	before := len(s.keys(t))
	for _, path := range []string{"/atlantis", "/Moscow", "/moscow%00", "/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0", "/moscow/2", "/" + strings.Repeat("x", 3000)} {
		a := s.get(t, path)
		wantStatus(t, a, http.StatusNotFound)
		wantWellFormed(t, a.body)
	}
	if after := len(s.keys(t)); after != before {
		t.Errorf("%d keys after unknown cities, %d before", after, before)
	}
}

func TestPageBeyondTheEndLeadsToTheLast(t *testing.T) {
	s := newSite(t)
	s.page(t, "/kazan")
	before := len(s.keys(t))
	a := s.get(t, "/kazan?page=100")
	wantStatus(t, a, http.StatusFound)
	total := intAttr(t, s.page(t, "/kazan").Find("[data-total]"), "data-total")
	last := (total + 23) / 24
	wantHeader(t, a, "Location", "/kazan?page="+strconv.Itoa(last))
	if after := len(s.keys(t)); after != before {
		t.Errorf("a page that does not exist made %d keys", after-before)
	}
}

// Walking rel=next from the first page meets every home once, and as many as the total promised.
func TestWalkingThePages(t *testing.T) {
	s := newSite(t)
	for _, start := range []string{"/mumbai", "/mumbai?sort=price_asc", "/mumbai?rooms=1&rooms=2&sort=area_desc"} {
		seen := map[string]bool{}
		total := -1
		for path := start; path != ""; {
			doc := s.page(t, path)
			total = intAttr(t, doc.Find("[data-total]"), "data-total")
			doc.Find("article[data-apartment-id]").Each(func(_ int, card *goquery.Selection) {
				id := card.AttrOr("data-apartment-id", "")
				if seen[id] {
					t.Errorf("%s shows apartment %s again", path, id)
				}
				seen[id] = true
			})
			path = doc.Find(".pages a[rel=next]").AttrOr("href", "")
		}
		if len(seen) != total || total == 0 {
			t.Errorf("%s: saw %d homes, the total says %d", start, len(seen), total)
		}
	}
}

// Each count beside a facet is the total of the page that choosing it alone leads to.
func TestFacetCountsAreTrue(t *testing.T) {
	s := newSite(t)
	doc := s.page(t, "/kazan?price_max=20000000")
	options := doc.Find("[data-facet]")
	if options.Length() < 10 {
		t.Fatalf("only %d facet options", options.Length())
	}
	options.Each(func(_ int, o *goquery.Selection) {
		query := o.AttrOr("data-facet", "") + "=" + o.AttrOr("data-value", "")
		if f := o.AttrOr("data-facet", ""); f == "metro_max" || f == "amenities" { // as the canonical URL has it
			query = "price_max=20000000&" + query
		} else {
			query += "&price_max=20000000"
		}
		got := intAttr(t, s.page(t, "/kazan?"+query).Find("[data-total]"), "data-total")
		if want := intAttr(t, o, "data-count"); got != want {
			t.Errorf("%s: %d homes, the facet promised %d", query, got, want)
		}
	})
}

// Chips lead to the listing without one filter, keep the order of results and start at page 1.
func TestChipsDropOneFilter(t *testing.T) {
	s := newSite(t)
	var links []string
	s.page(t, "/moscow?rooms=1&rooms=2&price_max=90000000&area_min=20&sort=ppm2").Find(".chips a").Each(func(_ int, a *goquery.Selection) {
		links = append(links, a.AttrOr("href", ""))
	})
	want := []string{
		"/moscow?rooms=2&price_max=90000000&area_min=20&sort=ppm2",
		"/moscow?rooms=1&price_max=90000000&area_min=20&sort=ppm2",
		"/moscow?rooms=1&rooms=2&area_min=20&sort=ppm2",
		"/moscow?rooms=1&rooms=2&price_max=90000000&sort=ppm2",
		"/moscow?sort=ppm2",
	}
	if !slices.Equal(links, want) {
		t.Errorf("chips lead to %q, want %q", links, want)
	}
}

func TestNothingMatches(t *testing.T) {
	doc := newSite(t).page(t, "/moscow?rooms=2&price_max=1")
	if total := intAttr(t, doc.Find("[data-total]"), "data-total"); total != 0 {
		t.Errorf("total %d, want 0", total)
	}
	if doc.Find(".empty a.button").Length() != 1 || doc.Find("article").Length() != 0 {
		t.Error("the empty state is missing")
	}
	if !doc.Find(`[data-facet=rooms][data-value="2"] input`).Is("[checked]") {
		t.Error("a chosen option that matches nothing is no longer shown as chosen")
	}
}

func districtSlugs(t *testing.T, s *testSite) (slugs []string) {
	t.Helper()
	s.page(t, "/moscow").Find("[data-facet=district]").Each(func(_ int, o *goquery.Selection) {
		slugs = append(slugs, o.AttrOr("data-value", ""))
	})
	slices.Sort(slugs)
	return slugs
}

func intAttr(t testing.TB, s *goquery.Selection, name string) int {
	t.Helper()
	n, err := strconv.Atoi(s.AttrOr(name, "missing"))
	if err != nil {
		t.Fatalf("attribute %s: %v", name, err)
	}
	return n
}
