// What the page of a home compares it with, and what there is instead of a home that is gone.

package handlers_test

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"podbor/models"
)

func TestSimilarHomesAndTheMarket(t *testing.T) {
	s := newSite(t)
	said := map[string]bool{}
	for offset := range 12 {
		var id, homes, perM2 int64
		var district string
		var median float64
		must(t, s.sql.QueryRowContext(t.Context(), `
			WITH homes AS (SELECT a.*, count(*) OVER w AS homes FROM apartments a WHERE status = 'published' WINDOW w AS (PARTITION BY district_id, rooms))
			SELECT h.id, h.homes, h.price_per_m2, d.name_en, (SELECT percentile_cont(.5) WITHIN GROUP (ORDER BY price_per_m2)
			       FROM homes o WHERE o.district_id = h.district_id AND o.rooms = h.rooms)
			FROM homes h JOIN districts d ON d.id = h.district_id WHERE h.homes >= 8 ORDER BY h.id OFFSET $1 LIMIT 1`, offset*7).
			Scan(&id, &homes, &perM2, &district, &median))
		page := s.page(t, fmt.Sprint("/apartments/", id))
		phrase := "At the"
		if off := int(math.Round((float64(perM2)/median - 1) * 100)); off < 0 {
			phrase = strconv.Itoa(-off) + "% below the"
		} else if off > 0 {
			phrase = strconv.Itoa(off) + "% above the"
		}
		said[strings.TrimLeft(phrase, "0123456789% ")] = true
		if sentence := page.Find(".price-market p").First().Text(); !strings.HasPrefix(sentence, phrase) ||
			!strings.Contains(sentence, district) || !strings.Contains(sentence, fmt.Sprint(homes, " home")) {
			t.Errorf("apartment %d, %d per m² where the median of %d is %.0f: %q", id, perM2, homes, median, sentence)
		}
		line := page.Find(".price-market svg")
		last := 0
		for _, mark := range []string{line.Find(".middle").AttrOr("x1", ""), line.Find(".median").AttrOr("x1", ""), line.Find(".middle").AttrOr("x2", "")} {
			x, err := strconv.Atoi(mark)
			if err != nil || x < last || x > 400 {
				t.Errorf("apartment %d: a mark at %q after one at %d", id, mark, last)
			}
			last = x
		}
		cards := page.Find(".similar article")
		if cards.Length() != 4 {
			t.Errorf("apartment %d: %d similar homes, want 4", id, cards.Length())
		}
		cards.Each(func(_ int, card *goquery.Selection) {
			other := intAttr(t, card, "data-apartment-id")
			if alike := s.number(t, `SELECT count(*) FROM apartments a JOIN apartments b USING (district_id, rooms) WHERE a.id = $1 AND b.id = $2 AND b.status = 'published'`, id, other); alike != 1 || int64(other) == id {
				t.Errorf("apartment %d is said to be like %d", other, id)
			}
		})
	}
	if len(said) < 2 {
		t.Errorf("all homes are %v median", said)
	}
}

// Nobody came for what is similar: the page of a home is there without it.
func TestTheApartmentPageGoesWithoutSimilarHomes(t *testing.T) {
	s := newSite(t)
	id := s.number(t, `SELECT min(id) FROM apartments WHERE status = 'published'`)
	_, err := s.cached.Apartment(t.Context(), id)
	must(t, err)
	_, err = s.cached.Cities(t.Context())
	must(t, err)
	s.exec(t, `ALTER TABLE apartments RENAME COLUMN title TO name`)
	page := s.page(t, fmt.Sprint("/apartments/", id))
	if page.Find(".similar, .price-market").Length() > 0 {
		t.Error("something is similar although nobody could tell")
	}
	if page.Find("h1").Length() != 1 || page.Find(".share input").AttrOr("value", "") != fmt.Sprint(s.url, "/apartments/", id) {
		t.Error("the page is not complete")
	}
}

// An edit shows among the similar homes at once.
func TestSimilarHomesFollowEdits(t *testing.T) {
	s := newSite(t)
	path := s.path(t, "/apartments/", `SELECT min(id) FROM apartments WHERE status = 'published' GROUP BY district_id, rooms ORDER BY count(*) DESC LIMIT 1`)
	first := intAttr(t, s.page(t, path).Find(".similar article").First(), "data-apartment-id")
	version := s.number(t, `SELECT version FROM apartments WHERE id = $1`, first)
	_, err := s.cached.UpdateApartment(t.Context(), "test", int64(first), int32(version), func(d *models.Draft) { d.Status = models.Withdrawn })
	must(t, err)
	if s.page(t, path).Find(fmt.Sprintf(`.similar [data-apartment-id="%d"]`, first)).Length() > 0 {
		t.Errorf("apartment %d is withdrawn, and still offered", first)
	}
}

func TestAWithdrawnHomeLeadsToOthers(t *testing.T) {
	s := newSite(t)
	gone := s.path(t, "/apartments/", `SELECT min(id) FROM apartments WHERE status = 'withdrawn'`)
	for _, language := range []string{"", "/ru", "/hi"} {
		a := s.get(t, language+gone)
		wantStatus(t, a, http.StatusGone)
		wantWellFormed(t, a.body)
		wantHeader(t, a, "Cache-Control", "no-store")
		page := parse(t, a)
		cards := page.Find(".similar article[data-apartment-id]")
		if cards.Length() == 0 {
			t.Errorf("%s offers no other home", language+gone)
		}
		if page.Find("link[rel=canonical]").Length() > 0 || page.Find("meta[name=robots]").AttrOr("content", "") != "noindex,follow" {
			t.Errorf("%s wants to be found", language+gone)
		}
		wantStatus(t, s.get(t, cards.First().Find("a").AttrOr("href", "")), http.StatusOK)
	}
	never := s.get(t, "/apartments/99999999")
	wantStatus(t, never, http.StatusNotFound)
	if parse(t, never).Find(".similar").Length() > 0 {
		t.Error("something is similar to what never was")
	}
}
