// What the listing tells beyond its homes: advice when few match, one card for one building, and the age of its data.

package handlers_test

import (
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestAdviceLeadsToAsManyHomesAsItPromises(t *testing.T) {
	s := newSite(t)
	doc := s.page(t, "/moscow?rooms=2&price_max=1")
	advice := doc.Find(".empty .relaxed a")
	if advice.Length() != 1 { // without the rooms there is still nothing at that price
		t.Fatalf("%d pieces of advice: %s", advice.Length(), advice.Text())
	}
	to := advice.AttrOr("href", "")
	if to != "/moscow?rooms=2" {
		t.Errorf("the advice leads to %s", to)
	}
	total := s.page(t, to).Find("[data-total]").Text()
	if got, want := advice.Text(), "Without “Up to ₽1” there are "+total; got != want {
		t.Errorf("the advice is %q, want %q", got, want)
	}
	if s.page(t, "/moscow?rooms=2").Find(".relaxed").Length() != 0 {
		t.Error("advice where there are many homes")
	}
}

func TestHomesOfABuildingShareACard(t *testing.T) {
	s := newSite(t)
	// All homes of the first page move into one building.
	s.exec(t, `UPDATE apartments a SET building_id = b.id, district_id = b.district_id, year_built = b.year_built, metro_minutes = b.metro_minutes
		FROM (SELECT * FROM buildings WHERE district_id IN (SELECT id FROM districts WHERE city_id = 1) ORDER BY id LIMIT 1) b
		WHERE a.city_id = 1 AND a.rooms = 3`)
	doc := s.page(t, "/moscow?rooms=3")
	if n := doc.Find("article.card").Length(); n != 1 {
		t.Fatalf("%d cards for one building", n)
	}
	if n := doc.Find("article.card .others article[data-apartment-id]").Length(); n != 23 {
		t.Errorf("%d other homes in the card, want 23", n)
	}
	if got := doc.Find(".others summary").Text(); got != "23 more in this building" {
		t.Errorf("the card says %q", got)
	}
}

func TestCombinationsAreNotForSearchEngines(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]bool{"/moscow": false, "/moscow?rooms=2": false, "/moscow?page=2": false,
		"/moscow?rooms=2&rooms=3": true, "/moscow?rooms=2&metro_max=10": true, "/moscow?sort=ppm2": true} {
		if got := s.page(t, path).Find(`meta[name=robots][content="noindex,follow"]`).Length() == 1; got != want {
			t.Errorf("%s: noindex is %t", path, got)
		}
	}
	doc := s.page(t, "/moscow?page=2")
	if prev, next := doc.Find("link[rel=prev]").AttrOr("href", ""), doc.Find("link[rel=next]").AttrOr("href", ""); prev != s.url+"/moscow" || next != s.url+"/moscow?page=3" {
		t.Errorf("the neighbours of page 2 are %q and %q", prev, next)
	}
}

// A walk that is not among those offered is kept, and every filter is shown as a chip.
func TestEveryFilterIsKeptAndNamed(t *testing.T) {
	s := newSite(t)
	doc := s.page(t, "/moscow?ppm2_max=900000&floor_min=2&floor_max=30&metro_max=12&year_min=1900&year_max=2026&amenities=lift")
	var names []string
	doc.Find(".chips .chip:not(.clear)").Each(func(_ int, a *goquery.Selection) { names = append(names, a.Text()) })
	if len(names) != 7 {
		t.Errorf("chips: %q", names)
	}
	walk := doc.Find("input[name=metro_max][checked]")
	if walk.Length() != 1 || walk.AttrOr("value", "") != "12" {
		t.Errorf("the walk in use is %q", walk.AttrOr("value", ""))
	}
	if doc.Find("details.group[open]").Length() != 2 {
		t.Error("filters in use are folded away")
	}
	if iso := doc.Find("#fresh time").AttrOr("datetime", ""); len(iso) != len("2026-12-02T18:45:12Z") {
		t.Errorf("the data is of %q", iso)
	}
}
