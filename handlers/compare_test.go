// The comparison: which URLs it has, what it marks, and what it says of homes that are gone.

package handlers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestCompareURLs(t *testing.T) {
	s := newSite(t)
	for query, want := range map[string]string{
		"ids=1&ids=2": "ids=1,2", "ids=1%2C2": "ids=1,2", "ids=3,1,3,2": "ids=3,1,2", "ids=1,2&utm_source=x": "ids=1,2", "ids=1,2,3,4,4,4": "ids=1,2,3,4",
	} {
		for _, language := range []string{"", "/ru", "/hi"} {
			a := s.get(t, language+"/compare?"+query)
			wantStatus(t, a, http.StatusFound)
			wantHeader(t, a, "Location", language+"/compare?"+want)
			wantStatus(t, s.get(t, a.Header.Get("Location")), http.StatusOK)
		}
	}
	before := len(s.keys(t))
	for _, query := range []string{
		"", "ids=", "ids=1", "ids=1,1", "ids=1,2,3,4,5", "ids=1,x", "ids=0,1", "ids=-1,2", "ids=01,2", "ids=1,,2", "ids=1,9223372036854775808", "ids=1 ,2", "ID=1,2",
		"ids=" + strings.Repeat("1,", 5000) + "2", `ids=1,"><svg onload=alert(1)>`,
	} {
		for _, language := range []string{"", "/ru", "/hi"} {
			a := s.get(t, language+"/compare?"+strings.ReplaceAll(query, " ", "%20"))
			if query == "ids="+strings.Repeat("1,", 5000)+"2" { // all the same but for one
				wantStatus(t, a, http.StatusFound)
				continue
			}
			wantStatus(t, a, http.StatusBadRequest)
			wantWellFormed(t, a.body)
			if href := parse(t, a).Find(".actions a").First().AttrOr("href", ""); href != language+"/favourites" {
				t.Errorf("%.60q leads to %q", query, href)
			}
		}
	}
	if after := len(s.keys(t)); after != before {
		t.Errorf("comparisons that cannot be made have made %d keys", after-before)
	}

	a := s.get(t, "/compare?ids=1,2")
	if sharing := a.Header.Get("Cache-Control"); !strings.HasPrefix(sharing, "public, max-age=0, s-maxage=") {
		t.Errorf("Cache-Control is %q", sharing)
	}
	if robots := parse(t, a).Find("meta[name=robots]").AttrOr("content", ""); robots != "noindex,follow" {
		t.Errorf("robots are told %q", robots)
	}
	wantStatus(t, s.get(t, "/compare?ids=1,2", "If-None-Match", a.Header.Get("ETag")), http.StatusNotModified)
}

func TestCompareMarksTheBest(t *testing.T) {
	s := newSite(t)
	city := func(slug string, n int) (ids []int64) {
		for i := range n {
			ids = append(ids, s.number(t, `SELECT id FROM apartments WHERE city_id = (SELECT id FROM cities WHERE slug = $1) ORDER BY id LIMIT 1 OFFSET $2`, slug, i))
		}
		return ids
	}
	ids := city("moscow", 3)
	for i, price := range []int{9_000_000, 8_000_000, 90_000_000} {
		s.exec(t, `UPDATE apartments SET price = $2, area = $3 WHERE id = $1`, ids[i], price, []float64{40, 40, 90}[i])
	}
	// best computes which of the homes have the least of something; none if all have the same.
	best := func(expression string) (columns []int) {
		values := make([]int64, len(ids))
		for i, id := range ids {
			values[i] = s.number(t, `SELECT `+expression+` FROM apartments WHERE id = $1`, id)
		}
		for i, v := range values {
			if v == slices.Min(values) && v != slices.Max(values) {
				columns = append(columns, i)
			}
		}
		return columns
	}
	doc := s.page(t, fmt.Sprintf("/compare?ids=%d,%d,%d", ids[0], ids[1], ids[2]))
	marked := func(doc *goquery.Document, row string) (columns []int) {
		for i, cell := range doc.Find("tbody tr").FilterFunction(func(_ int, tr *goquery.Selection) bool {
			return tr.Find("th").Text() == row
		}).Find("td").EachIter() {
			if cell.Find(".best").Text() != "" {
				columns = append(columns, i)
			}
		}
		return columns
	}
	for row, want := range map[string][]int{"Price": {1}, "Price per m²": {1}, "Area": {2}, "Walk to it": best("metro_minutes"), "Built": best("-year_built"), "Rooms": nil, "Metro": nil} {
		if got := marked(doc, row); !slices.Equal(got, want) {
			t.Errorf("%s: the best are %v, want %v", row, got, want)
		}
	}
	if n := doc.Find("thead th").Length(); n != 3 {
		t.Errorf("%d homes", n)
	}
	// Roubles are not compared with rupees.
	rupees := ""
	must(t, s.sql.QueryRowContext(t.Context(), `SELECT slug FROM cities WHERE currency <> 'RUB' LIMIT 1`).Scan(&rupees))
	abroad := city(rupees, 1)[0]
	s.exec(t, `UPDATE apartments SET area = 500 WHERE id = $1`, abroad)
	doc = s.page(t, fmt.Sprintf("/compare?ids=%d,%d", ids[0], abroad))
	if price, area := marked(doc, "Price"), marked(doc, "Area"); len(price) != 0 || !slices.Equal(area, []int{1}) {
		t.Errorf("of two currencies the cheapest is %v; the largest %v", price, area)
	}
}

// A link that was shared outlives the homes in it.
func TestCompareWithoutSomeOfTheHomes(t *testing.T) {
	s := newSite(t)
	s.exec(t, `UPDATE apartments SET status = 'withdrawn' WHERE id IN (2, 3)`)
	for query, homes := range map[string]int{"1,2": 1, "1,2,4": 2, "1,99999999": 1, "2,3": 0, "99999998,99999999": 0} {
		for _, language := range []string{"", "/ru", "/hi"} {
			doc := s.page(t, language+"/compare?ids="+query)
			if n := doc.Find("thead th").Length(); n != homes || doc.Find(".notice").Length() != 1 {
				t.Errorf("%s: %d homes, want %d and a notice", query, n, homes)
			}
		}
	}
}
