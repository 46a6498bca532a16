// The districts of a city, and the search of the home page.

package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestDistrictsPage(t *testing.T) {
	s := newSite(t)
	total := intAttr(t, s.page(t, "/moscow").Find("[data-total]"), "data-total")
	for _, prefix := range []string{"", "/ru", "/hi"} {
		page := s.page(t, prefix+"/moscow/districts")
		if n := s.number(t, `SELECT count(*) FROM districts WHERE city_id = (SELECT id FROM cities WHERE slug = 'moscow')`); page.Find(".map a").Length() != int(n) || page.Find("tbody tr").Length() != int(n) {
			t.Errorf("%d districts on the map, %d in the table, want %d", page.Find(".map a").Length(), page.Find("tbody tr").Length(), n)
		}
		sum := 0
		page.Find("tbody tr").Each(func(i int, row *goquery.Selection) {
			link := row.Find("a")
			shape := page.Find(".map a").Eq(i)
			if name := strings.Join(strings.Fields(shape.Text()), " "); !strings.HasPrefix(name, link.Text()+" ") || shape.AttrOr("href", "") != link.AttrOr("href", "-") {
				t.Errorf("the map has %q where the table has %q", name, link.Text())
			}
			count := intAttr(t, s.page(t, link.AttrOr("href", "")).Find("[data-total]"), "data-total")
			if want := row.Find("td").First().Text(); want != strconv.Itoa(count) {
				t.Errorf("%s has %d homes, the table says %q", link.Text(), count, want)
			}
			sum += count
		})
		if sum != total {
			t.Errorf("%d homes in all districts, %d in the city", sum, total)
		}
	}
	wantStatus(t, s.get(t, "/atlantis/districts"), http.StatusNotFound)
	if !strings.Contains(s.get(t, "/sitemaps/cities.xml").body, "<loc>"+s.url+"/moscow/districts</loc>") {
		t.Error("the sitemap does not have the page")
	}
	for _, from := range []string{"/", "/moscow"} {
		if s.page(t, from).Find(`a[href="/moscow/districts"]`).Length() != 1 {
			t.Errorf("%s does not lead to the districts", from)
		}
	}
}

// Every district has its own piece of the map, inside the field.
func TestMapOfEveryCity(t *testing.T) {
	s := newSite(t)
	numbers := regexp.MustCompile(`-?\d+`)
	for _, city := range []string{"moscow", "saint-petersburg", "kazan", "yekaterinburg", "mumbai"} {
		shapes := map[string]bool{}
		s.page(t, "/ru/"+city+"/districts").Find(".map a").Each(func(_ int, a *goquery.Selection) {
			d := a.Find("path").AttrOr("d", "")
			found := numbers.FindAllString(d, -1)
			if shapes[d] || len(found) < 6 {
				t.Errorf("%s: %s has the shape %q", city, a.Text(), d)
			}
			shapes[d] = true
			low, high := 1000, 0
			for i, text := range found {
				n, err := strconv.Atoi(text)
				must(t, err)
				if n < 0 || n > 1000 {
					t.Errorf("%s: %s reaches %d", city, a.Text(), n)
				}
				if i%2 == 0 {
					low, high = min(low, n), max(high, n)
				}
			}
			if x := intAttr(t, a.Find("tspan").First(), "x"); x <= low || x >= high {
				t.Errorf("%s: the name of %s is at %d, its district reaches from %d to %d", city, a.Text(), x, low, high)
			}
		})
	}
}

// A district without homes has no price.
func TestDistrictWithoutHomes(t *testing.T) {
	s := newSite(t)
	s.exec(t, `UPDATE apartments SET status = 'withdrawn' WHERE district_id = (SELECT min(id) FROM districts WHERE city_id = (SELECT id FROM cities WHERE slug = 'moscow'))`)
	row := s.page(t, "/moscow/districts").Find("tbody tr").First()
	if got := row.Find("td").Text(); got != "0–––" {
		t.Errorf("the row of a district without homes says %q", got)
	}
}

func TestSearchOfTheHomePage(t *testing.T) {
	s := newSite(t)
	form := s.page(t, "/ru/").Find(".home-search")
	if form.AttrOr("action", "") != "/ru/search" || form.Find("option[value=kazan]").Length() != 1 {
		t.Error("the form does not search in Russian")
	}
	for query, want := range map[string]string{
		"city=kazan&rooms=&price_max=":                                "/kazan",
		"city=kazan&rooms=2&price_max=9000000":                        "/kazan?rooms=2&price_max=9000000",
		"city=mumbai&price_max=" + url.QueryEscape("1,00,00,000"):     "/mumbai?price_max=10000000",
		"city=moscow&price_max=" + url.QueryEscape("10 000\u00a0000"): "/moscow?price_max=10000000",
		"city=moscow&junk=1":                                          "/moscow",
		"city=moscow&price_max=cheap":                                 "/moscow?price_max=cheap", // where it is said what is wrong
	} {
		for _, prefix := range []string{"", "/ru"} {
			a := s.get(t, prefix+"/search?"+query)
			wantStatus(t, a, http.StatusFound)
			wantHeader(t, a, "Location", prefix+want)
		}
	}
	for _, query := range []string{"", "city=atlantis", "city=" + url.QueryEscape("//example.com"), "city=" + url.QueryEscape("moscow/../x")} {
		wantStatus(t, s.get(t, "/search?"+query), http.StatusNotFound)
	}
	median := s.number(t, `SELECT round(percentile_cont(.5) WITHIN GROUP (ORDER BY price_per_m2)) FROM apartments WHERE status = 'published' AND city_id = (SELECT id FROM cities WHERE slug = 'kazan')`)
	digits := regexp.MustCompile(`\D`).ReplaceAllString(strings.TrimSuffix(s.page(t, "/").Find(`.city:has(a[href="/kazan"]) .where`).Text(), "/m²"), "")
	if digits != fmt.Sprint(median) {
		t.Errorf("the median of Kazan is %s, want %d", digits, median)
	}
}

// What has no language has one URL.
func TestMachineRoutesHaveNoLanguage(t *testing.T) {
	s := newSite(t)
	css := s.page(t, "/").Find("link[rel=stylesheet]").First().AttrOr("href", "")
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/robots.txt", "/sitemap.xml", "/sitemaps/cities.xml", "/favicon.ico", "/mine.css",
		"/art/facade/12-9-3-1975.svg", "/art/skyline/moscow.svg", "/language?to=en", "/admin/login", css} {
		if a := s.get(t, path); a.StatusCode >= 400 {
			t.Errorf("%s: status %d", path, a.StatusCode)
		}
		wantStatus(t, s.get(t, "/ru"+path), http.StatusNotFound)
	}
}
