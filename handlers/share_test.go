// Pages for everyone: what edge caches, crawlers and feed readers are told.

package handlers_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"
)

func TestWhoHasThePageGetsNoSecondCopy(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/ru/", "/moscow", "/moscow?rooms=2", "/moscow/feed.atom", "/moscow/districts", "/apartments/1", "/sitemap.xml", "/sitemaps/cities.xml", "/sitemaps/1.xml"} {
		first := s.get(t, path)
		wantStatus(t, first, http.StatusOK)
		tag := first.Header.Get("ETag")
		if !strings.HasPrefix(tag, `W/"`) {
			t.Errorf("%s has the ETag %q", path, tag)
		}
		if sharing := first.Header.Get("Cache-Control"); path != "/" && (!strings.HasPrefix(sharing, "public, max-age=") || !strings.Contains(sharing, "stale-while-revalidate=")) {
			t.Errorf("%s: Cache-Control is %q", path, sharing)
		}
		wantHeader(t, s.do(t, http.MethodHead, path), "ETag", tag)
		for _, header := range []string{tag, strings.TrimPrefix(tag, "W/"), `"other", ` + tag, "*"} {
			again := s.get(t, path, "If-None-Match", header)
			wantStatus(t, again, http.StatusNotModified)
			wantHeader(t, again, "ETag", tag)
			wantHeader(t, again, "Vary", first.Header.Get("Vary"))
			if again.body != "" {
				t.Errorf("%s: a 304 has a body", path)
			}
		}
		wantStatus(t, s.get(t, path, "If-None-Match", `"other"`), http.StatusOK)
	}
}

func TestFeedOfASearch(t *testing.T) {
	s := newSite(t)
	page := s.page(t, "/ru/moscow?rooms=2&sort=ppm2")
	link := page.Find(`link[type="application/atom+xml"]`).AttrOr("href", "")
	if link != "/ru/moscow/feed.atom?rooms=2" || page.Find(`.toolbar a[href="`+link+`"]`).Length() != 1 {
		t.Fatalf("the page leads to the feed %q", link)
	}
	a := s.get(t, link)
	wantStatus(t, a, http.StatusOK)
	var feed struct {
		Updated string `xml:"updated"`
		Entries []struct {
			ID      string `xml:"id"`
			Updated string `xml:"updated"`
		} `xml:"entry"`
	}
	must(t, xml.Unmarshal([]byte(a.body), &feed))
	newest := s.page(t, "/moscow?rooms=2").Find("article")
	if len(feed.Entries) != newest.Length() || feed.Entries[0].ID != s.url+"/apartments/"+newest.First().AttrOr("data-apartment-id", "") {
		t.Errorf("the feed has %d homes, the first is %s; the page has %d", len(feed.Entries), feed.Entries[0].ID, newest.Length())
	}
	for _, e := range feed.Entries {
		if e.Updated > feed.Updated {
			t.Errorf("%s was changed at %s, the feed says %s", e.ID, e.Updated, feed.Updated)
		}
	}
	wantHeader(t, s.get(t, "/moscow/feed.atom?page=3&rooms=2&utm_source=x"), "Location", "/moscow/feed.atom?rooms=2")
	wantStatus(t, s.get(t, "/moscow/feed.atom?rooms=x"), http.StatusBadRequest)
	wantStatus(t, s.get(t, "/atlantis/feed.atom"), http.StatusNotFound)
}

func TestSitemapNamesEachHomeOnOffer(t *testing.T) {
	s := newSite(t)
	if robots := s.get(t, "/robots.txt").body; !strings.Contains(robots, "Sitemap: "+s.url+"/sitemap.xml\n") {
		t.Errorf("robots.txt: %s", robots)
	}
	var index struct {
		Parts []string `xml:"sitemap>loc"`
	}
	must(t, xml.Unmarshal([]byte(s.get(t, "/sitemap.xml").body), &index))
	homes := int64(0)
	for _, part := range index.Parts {
		a := s.get(t, strings.TrimPrefix(part, s.url))
		wantStatus(t, a, http.StatusOK)
		homes += int64(strings.Count(a.body, "<loc>"+s.url+"/apartments/"))
	}
	if want := s.number(t, `SELECT count(*) FROM apartments WHERE status = 'published'`); homes != want {
		t.Errorf("the sitemap names %d homes, %d are on offer", homes, want)
	}
	before := len(s.keys(t))
	for _, path := range []string{"/sitemaps/0.xml", "/sitemaps/2.xml", "/sitemaps/01.xml", "/sitemaps/1", "/sitemaps/x.xml"} {
		wantStatus(t, s.get(t, path), http.StatusNotFound)
	}
	if after := len(s.keys(t)); after != before {
		t.Errorf("parts that do not exist made %d keys", after-before)
	}
}
