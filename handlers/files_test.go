// Headers, compression, drawings, files and probes.

package handlers_test

import (
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestSecurityHeadersAreEverywhere(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/moscow?page=0", "/atlantis", "/healthz", "/metrics", "/art/facade/12-9-3-1975.svg"} {
		a := s.get(t, path)
		wantHeader(t, a, "X-Content-Type-Options", "nosniff")
		if csp := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: Content-Security-Policy is %q", path, csp)
		}
	}
}

// The policy forbids inline script and style and other hosts, so no page may need them.
func TestPagesObeyTheirPolicy(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/moscow?rooms=2", "/moscow/districts", "/apartments/1", "/atlantis"} {
		doc := parse(t, s.get(t, path))
		if n := doc.Find("style, [style], script:not([src], [type='application/ld+json']), [onclick]").Length(); n > 0 {
			t.Errorf("%s has %d inline scripts or styles", path, n)
		}
		doc.Find("[src], link[href]:not([rel=canonical], [rel=alternate], [rel=prev], [rel=next], [rel=expect])").Each(func(_ int, e *goquery.Selection) {
			url := e.AttrOr("src", e.AttrOr("href", ""))
			if !strings.HasPrefix(url, "/") || strings.HasPrefix(url, "//") {
				t.Errorf("%s needs %s", path, url)
			} else if a := s.get(t, url); a.StatusCode != http.StatusOK {
				t.Errorf("%s needs %s, which is answered with %d", path, url, a.StatusCode)
			}
		})
	}
}

// Every link of a page leads somewhere.
func TestLinksAreAlive(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/moscow?rooms=2", "/moscow?rooms=2&page=2", "/moscow/districts", "/ru/apartments/1"} {
		s.page(t, path).Find("a[href]:not([hreflang], [href^='mailto:'])").Each(func(_ int, a *goquery.Selection) {
			if href := a.AttrOr("href", ""); !strings.HasPrefix(href, "#") {
				if got := s.get(t, href); got.StatusCode != http.StatusOK {
					t.Errorf("%s links to %s, which is answered with %d", path, href, got.StatusCode)
				}
			}
		})
	}
}

func TestCompression(t *testing.T) {
	s := newSite(t)
	plain := s.get(t, "/moscow")
	wantHeader(t, plain, "Content-Encoding", "")
	wantHeader(t, plain, "Vary", "Accept-Encoding")
	for _, accept := range []string{"gzip", "br, gzip;q=0.5", "GZIP", "deflate, gzip; q=1.0"} {
		a := s.get(t, "/moscow", "Accept-Encoding", accept)
		wantHeader(t, a, "Content-Encoding", "gzip")
		reader, err := gzip.NewReader(strings.NewReader(a.body))
		must(t, err)
		body, err := io.ReadAll(reader)
		must(t, err)
		if string(body) != plain.body {
			t.Errorf("%s: unzipped, the page differs", accept)
		}
		if len(plain.body) > 60_000 || len(a.body) > 12_000 {
			t.Errorf("the listing has %d bytes, %d compressed; want at most 60,000 and 12,000", len(plain.body), len(a.body))
		}
	}
	for _, accept := range []string{"", "br", "gzip;q=0", "gzip; q=0.0", "x-gzipped"} {
		wantHeader(t, s.get(t, "/moscow", "Accept-Encoding", accept), "Content-Encoding", "")
	}
}

func TestStaticFiles(t *testing.T) {
	s := newSite(t)
	css := s.page(t, "/").Find("link[rel=stylesheet]").AttrOr("href", "")
	a := s.get(t, css)
	wantStatus(t, a, http.StatusOK)
	wantHeader(t, a, "Cache-Control", "public, max-age=31536000, immutable")
	wantHeader(t, a, "Content-Type", "text/css; charset=utf-8")
	wantHeader(t, s.get(t, css, "Accept-Encoding", "gzip"), "Content-Encoding", "gzip")
	wantStatus(t, s.get(t, css, "If-None-Match", a.Header.Get("ETag")), http.StatusNotModified)
	wantStatus(t, s.get(t, css, "If-None-Match", `"another"`), http.StatusOK)
	for _, path := range []string{"/static/site.css", "/static/site.00000000.css", "/static/", "/static/..%2fstatic.go", "/static/css"} {
		if a := s.get(t, path); a.StatusCode == http.StatusOK {
			t.Errorf("%s is answered", path)
		}
	}
	icon := s.get(t, "/favicon.ico")
	wantStatus(t, icon, http.StatusFound)
	wantHeader(t, s.get(t, icon.Header.Get("Location")), "Content-Type", "image/svg+xml")
}

func TestDrawings(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/art/facade/12-9-3-1975.svg", "/art/facade/0-0-0-0.svg", "/art/facade/2147483647-200-32767-9999.svg", "/art/skyline/moscow.svg", "/art/skyline/new-town.svg",
		"/art/interior/living-1-1-1.svg", "/art/interior/kitchen-500000-200-32767.svg", "/art/interior/bedroom-7-0-0.svg", "/art/interior/bathroom-7-9-2.svg", "/art/interior/view-7-30-2.svg",
		"/art/plan/en-1-0-120.svg", "/art/plan/ru-500000-5-6000.svg", "/art/plan/hi-7-2-545.svg"} {
		a := s.get(t, path+"?v=1")
		wantStatus(t, a, http.StatusOK)
		wantHeader(t, a, "Content-Type", "image/svg+xml")
		wantHeader(t, a, "Cache-Control", "public, max-age=31536000, immutable")
		for d := xml.NewDecoder(strings.NewReader(a.body)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		if again := s.get(t, path); again.body != a.body {
			t.Errorf("%s is drawn differently the second time", path)
		}
		if zipped := s.get(t, path, "Accept-Encoding", "gzip"); len(zipped.body) > 6_000 {
			t.Errorf("%s has %d bytes compressed", path, len(zipped.body))
		}
	}
	for _, name := range []string{"x.svg", "1-2.svg", "1-2-3.svg", "1-2-3-4", "01-2-3-4.svg", "-1-2-3-4.svg", "1-201-3-4.svg", "2147483648-2-3-4.svg", "1-2-3-4.svgx", "1-2-99999-4.svg", "1-2-3-10000.svg", "%31-2-3-4.svg%00", "99999999999999999999-1-1-1.svg"} {
		wantStatus(t, s.get(t, "/art/facade/"+name), http.StatusNotFound)
	}
	for _, name := range []string{"attic-1-1-1.svg", "living-1-1.svg", "living-01-1-1.svg", "living-1-201-1.svg", "living--1-1-1.svg", "-1-1-1.svg", "living-1-1-1.svgx", "living.svg"} {
		wantStatus(t, s.get(t, "/art/interior/"+name), http.StatusNotFound)
	}
	for _, name := range []string{"xx-1-2-545.svg", "-1-2-545.svg", "en-1-6-545.svg", "en-1-2-0.svg", "en-1-2-6001.svg", "en-1-02-545.svg", "en--1-2-545.svg", "en-1-2-545", "en.svg"} {
		wantStatus(t, s.get(t, "/art/plan/"+name), http.StatusNotFound)
	}
	for _, name := range []string{"Moscow.svg", "moscow", "a%2Fb.svg", "%3Csvg%3E.svg", strings.Repeat("a", 41) + ".svg"} {
		wantStatus(t, s.get(t, "/art/skyline/"+name), http.StatusNotFound)
	}
}

func TestProbes(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		a := s.get(t, path)
		wantStatus(t, a, http.StatusOK)
		wantHeader(t, a, "Cache-Control", "no-store")
	}
	// Without its tables the process still lives, but cannot serve.
	s.exec(t, `ALTER TABLE goose_db_version RENAME TO goose_db_version_gone`)
	wantStatus(t, s.get(t, "/healthz"), http.StatusOK)
	wantStatus(t, s.get(t, "/readyz"), http.StatusServiceUnavailable)
}
