// The apartment page, and texts that editors wrote.

package handlers_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestApartmentPage(t *testing.T) {
	s := newSite(t)
	id := s.number(t, `SELECT apartment_id FROM price_history GROUP BY 1 HAVING count(*) >= 2
		INTERSECT SELECT id FROM apartments WHERE status = 'published' ORDER BY 1 LIMIT 1`)
	doc := s.page(t, fmt.Sprint("/apartments/", id))
	if got := intAttr(t, doc.Find("article[data-apartment-id]"), "data-apartment-id"); int64(got) != id {
		t.Errorf("the page shows apartment %d, want %d", got, id)
	}
	steps := s.number(t, `SELECT count(*) FROM price_history WHERE apartment_id = $1`, id)
	if got := doc.Find(".history tbody tr").Length(); int64(got) < steps {
		t.Errorf("%d rows of price history, want at least %d", got, steps)
	}
	if doc.Find("h1").Length() != 1 || doc.Find(".history svg path").Length() != 2 {
		t.Error("want one heading and a drawn price history")
	}
}

// Every small picture leads to a place in the page, every picture says what it shows, and the plan's rooms make up the home.
func TestGalleryAndPlan(t *testing.T) {
	s := newSite(t)
	id := s.number(t, `SELECT min(id) FROM apartments WHERE status = 'published' AND rooms = 2`)
	for _, language := range []string{"", "/ru", "/hi"} {
		doc := s.page(t, fmt.Sprint(language, "/apartments/", id))
		if slides, thumbs := doc.Find(".slides img").Length(), doc.Find(".thumbs a").Length(); slides != 6 || thumbs != 7 {
			t.Errorf("%d pictures and %d links to them, want 6 and, with the plan, 7", slides, thumbs)
		}
		doc.Find(".thumbs a").Each(func(_ int, a *goquery.Selection) {
			if href := a.AttrOr("href", ""); doc.Find(href).Length() != 1 {
				t.Errorf("%s leads nowhere", href)
			}
		})
		doc.Find(".apartment img").Each(func(_ int, img *goquery.Selection) {
			src := img.AttrOr("src", "")
			wantStatus(t, s.get(t, src), http.StatusOK)
			if img.AttrOr("alt", "") == "" {
				t.Errorf("nothing says what %s shows", src)
			}
		})
	}
	doc, sum := s.page(t, fmt.Sprint("/apartments/", id)), 0.0
	doc.Find(".plan dd").Each(func(_ int, dd *goquery.Selection) {
		area, err := strconv.ParseFloat(strings.Fields(dd.Text())[0], 64)
		must(t, err)
		sum += area
	})
	if want := s.number(t, `SELECT (area * 10)::bigint FROM apartments WHERE id = $1`, id); int64(math.Round(sum*10)) != want {
		t.Errorf("the rooms have %.1f m², the home %d tenths of one", sum, want)
	}
}

// Search engines and networks get the same as visitors, and no text of a seller ends the block of data.
func TestApartmentForMachines(t *testing.T) {
	s := newSite(t)
	id := s.number(t, `SELECT min(id) FROM apartments WHERE status = 'published'`)
	s.exec(t, `UPDATE apartments SET title = 'A </script><script>alert(1)</script> home' WHERE id = $1`, id)
	doc := s.page(t, fmt.Sprint("/apartments/", id))
	var offer struct {
		URL         string
		Price       int64
		ItemOffered struct{ Name string }
	}
	must(t, json.Unmarshal([]byte(doc.Find(`script[type="application/ld+json"]`).Text()), &offer))
	if want := s.number(t, `SELECT price FROM apartments WHERE id = $1`, id); offer.Price != want ||
		offer.ItemOffered.Name != doc.Find("h1").Text() || offer.URL != doc.Find("link[rel=canonical]").AttrOr("href", "") {
		t.Errorf("the data is %+v, want the page's heading, address and the price %d", offer, want)
	}
	if doc.Find(`meta[property="og:url"]`).AttrOr("content", "") != offer.URL || doc.Find(`meta[property="og:title"]`).AttrOr("content", "") == "" {
		t.Error("want a title and the address for those who share the page")
	}
}

func TestPartsThatFlagsTurnOff(t *testing.T) {
	s := newSite(t)
	s.exec(t, `UPDATE feature_flags SET enabled = false`)
	id := s.number(t, `SELECT apartment_id FROM price_history GROUP BY 1 HAVING count(*) >= 2
		INTERSECT SELECT id FROM apartments WHERE status = 'published' ORDER BY 1 LIMIT 1`)
	history := s.page(t, fmt.Sprint("/apartments/", id)).Find(".history")
	if history.Find("svg").Length() != 0 || history.Find("tbody tr").Length() < 2 {
		t.Error("want the table of prices without the drawing")
	}
	if home := s.page(t, "/"); home.Find("#latest").Length() != 0 || home.Find(".city").Length() < 5 {
		t.Error("want the cities without the newest homes")
	}
}

func TestViewsAreShownAndCounted(t *testing.T) {
	s := newSite(t)
	id := s.number(t, `SELECT min(id) FROM apartments WHERE status = 'published'`)
	s.exec(t, `INSERT INTO apartment_views VALUES ($1, 1234)`, id)
	path := fmt.Sprint("/apartments/", id)
	for range 3 {
		if got := s.page(t, path).Find("[data-views]").Text(); got != "1,234 views" {
			t.Errorf("the page says %q", got)
		}
	}
	wantStatus(t, s.do(t, http.MethodHead, path), http.StatusOK)
	eventually(t, "the three visits, and not the HEAD, are in the table", func() bool {
		return s.number(t, `SELECT views FROM apartment_views WHERE apartment_id = $1`, id) == 1237
	})
	if n := s.number(t, `SELECT count(*) FROM outbox WHERE key LIKE 'apartment:%'`); n != 0 {
		t.Errorf("views have invalidated %d apartments", n)
	}
	if doc := s.page(t, fmt.Sprint("/apartments/", s.number(t, `SELECT max(id) FROM apartments WHERE status = 'published'`))); doc.Find("[data-views]").Length() != 0 {
		t.Error("a page that nobody has seen yet tells a number")
	}
}

// What cannot be an id costs no lookup; what could be one but is not is remembered.
func TestApartmentsThatAreNotThere(t *testing.T) {
	s := newSite(t)
	for _, id := range []string{"0", "-1", "+1", "007", "1.0", "1e3", "NaN", "abc", "9223372036854775808", "%31%00", "%D9%A1", "1%20", strings.Repeat("9", 4000)} {
		a := s.get(t, "/apartments/"+id)
		wantStatus(t, a, http.StatusNotFound)
		wantHeader(t, a, "Cache-Status", "")
		wantWellFormed(t, a.body)
	}
	for _, want := range []string{"loaded", "negative"} {
		a := s.get(t, "/apartments/999999999")
		wantStatus(t, a, http.StatusNotFound)
		if got := a.Header.Get("Cache-Status"); !strings.HasPrefix(got, "podbor-apartment; ") || !strings.HasSuffix(got, "detail="+want) {
			t.Errorf("Cache-Status is %q, want detail=%s", got, want)
		}
	}
}

func TestWithdrawnApartmentIsGone(t *testing.T) {
	s := newSite(t)
	id := s.number(t, `SELECT min(id) FROM apartments WHERE status = 'withdrawn'`)
	a := s.get(t, fmt.Sprint("/apartments/", id))
	wantStatus(t, a, http.StatusGone)
	wantWellFormed(t, a.body)
	if href := parse(t, a).Find(".actions a").First().AttrOr("href", ""); href == "/" || s.get(t, href).StatusCode != http.StatusOK {
		t.Errorf("the page leads to %q, want the listing of the city", href)
	}
}

// Hostile text is shown as text wherever it appears.
func TestHostileTextIsText(t *testing.T) {
	s := newSite(t)
	const hostile = `</ScRiPt><img src=x onerror=alert(1)>"'><svg onload=alert(2)><!--`
	id := s.number(t, `UPDATE apartments SET title = $1, description = $1, listed_at = now()
		WHERE id = (SELECT min(id) FROM apartments WHERE status = 'published') RETURNING id`, hostile)
	slug := ""
	must(t, s.sql.QueryRowContext(t.Context(), `SELECT c.slug FROM apartments a JOIN cities c ON c.id = a.city_id WHERE a.id = $1`, id).Scan(&slug))
	apartment := fmt.Sprint("/apartments/", id)
	for _, path := range []string{"/", "/" + slug, apartment, "/ru/", "/hi/" + slug, "/ru" + apartment} {
		doc := s.page(t, path)
		if doc.Find("[onerror], [onload], script:not([src^='/static/'], [type='application/ld+json'])").Length() > 0 {
			t.Errorf("%s: text became markup", path)
		}
		if !strings.Contains(doc.Find("main").Text(), hostile) {
			t.Errorf("%s does not show the text as it is", path)
		}
	}
	for _, path := range []string{"/moscow?sort=%22%3E%3Csvg%20onload=alert(1)%3E", "/%3Cscript%3Ealert(1)%3C%2Fscript%3E"} {
		a := s.get(t, path)
		if parse(t, a).Find("script, [onload]").Length() > 0 {
			t.Errorf("%s: the address became markup", path)
		}
		wantWellFormed(t, a.body)
	}
}
