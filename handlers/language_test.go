// The site in other languages: URLs, links, the choice and what remembers it.

package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// In every language, every link of every kind of page stays in that language, and says what other languages there are.
func TestPagesStayInTheirLanguage(t *testing.T) {
	s := newSite(t)
	withdrawn := s.path(t, "/apartments/", `SELECT min(id) FROM apartments WHERE status = 'withdrawn'`)
	for tag, prefix := range map[string]string{"en": "", "ru": "/ru", "hi": "/hi"} {
		for path, status := range map[string]int{
			"/": 200, "/moscow": 200, "/kazan?rooms=2&page=2": 200, "/mumbai/districts": 200, "/mumbai?rooms=2&price_max=1": 200, "/apartments/1": 200,
			withdrawn: 410, "/atlantis": 404, "/moscow?rooms=x": 400,
		} {
			a := s.get(t, prefix+path, "Accept-Language", tag)
			wantStatus(t, a, status)
			doc := parse(t, a)
			wantWellFormed(t, a.body)
			if got := doc.Find("html").AttrOr("lang", ""); got != tag {
				t.Errorf("%s%s: lang=%q", prefix, path, got)
			}
			doc.Find("script").Remove() // data is no text
			if text := doc.Text(); strings.ContainsAny(text, "{}") {
				t.Errorf("%s%s shows an empty place of a text", prefix, path)
			}
			doc.Find("a[href]:not([hreflang], [href^=mailto]), form[action]").Each(func(_ int, e *goquery.Selection) {
				to := e.AttrOr("href", e.AttrOr("action", ""))
				if !strings.HasPrefix(to, prefix+"/") && !strings.HasPrefix(to, "#") || prefix == "" && (strings.HasPrefix(to, "/ru/") || strings.HasPrefix(to, "/hi/")) {
					t.Errorf("%s%s leads to %s", prefix, path, to)
				}
			})
			if a.StatusCode != http.StatusOK {
				continue
			}
			wantHref := func(selector, want string) {
				t.Helper()
				if got := doc.Find(selector).AttrOr("href", ""); got != want {
					t.Errorf("%s%s: %s leads to %q, want %q", prefix, path, selector, got, want)
				}
			}
			wantHref("link[rel=canonical]", s.url+prefix+path)
			wantHref("link[hreflang=en]", s.url+path)
			wantHref("link[hreflang=ru]", s.url+"/ru"+path)
			wantHref("link[hreflang=hi]", s.url+"/hi"+path)
			wantHref("link[hreflang=x-default]", s.url+path)
		}
	}
}

// A redirect keeps the language.
func TestRedirectsStayInTheirLanguage(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]string{
		"/ru": "/ru/", "/ru?x=1": "/ru/?x=1", "/ru/moscow/": "/ru/moscow", "/ru//": "/ru/", "/hi/moscow?page=2&rooms=1": "/hi/moscow?rooms=1&page=2", "/ru/moscow?page=100&rooms=5": "",
		"/en": "/", "/en/": "/en", "/en/moscow?rooms=2": "/moscow?rooms=2", "/en//example.com": "/example.com", "/en/%5Cexample.com": "/%5Cexample.com",
	} {
		a := s.get(t, path)
		if location := a.Header.Get("Location"); a.StatusCode/100 != 3 || want != "" && location != want || want == "" && !strings.HasPrefix(location, "/ru/") {
			t.Errorf("%s: status %d, Location %q, want %q", path, a.StatusCode, location, want)
		}
	}
	for _, path := range []string{"/ru/ru/moscow", "/ru/en/moscow", "/%72u/moscow", "/RU/moscow", "/rumoscow", "/ru/%2e%2e/moscow"} {
		wantStatus(t, s.get(t, path), http.StatusNotFound)
	}
}

// Only the home page, and only in English, goes by what the visitor prefers.
func TestHomePageGoesByTheVisitor(t *testing.T) {
	s := newSite(t)
	for _, test := range []struct{ cookie, accept, location string }{
		{"", "", ""}, {"", "de", ""}, {"", "en-GB,ru;q=0.5", ""}, {"", "ru-RU,en;q=0.5", "/ru/"}, {"", "hi", "/hi/"},
		{"lang=en", "ru", ""}, {"lang=hi", "ru", "/hi/"}, {"lang=de", "ru", "/ru/"}, {"lang=", "", ""}, {"lang=//evil", "", ""},
	} {
		a := s.get(t, "/", "Cookie", test.cookie, "Accept-Language", test.accept)
		wantHeader(t, a, "Location", test.location)
		wantHeader(t, a, "Cache-Control", "private, no-cache")
		if vary := strings.Join(a.Header.Values("Vary"), ", "); !strings.HasPrefix(vary, "Accept-Language, Cookie") {
			t.Errorf("Vary is %q", vary)
		}
		if want := map[bool]int{true: http.StatusOK, false: http.StatusFound}[test.location == ""]; a.StatusCode != want {
			t.Errorf("%+v: status %d", test, a.StatusCode)
		}
		for _, path := range []string{"/moscow", "/ru/", "/hi/moscow"} {
			deep := s.get(t, path, "Cookie", test.cookie, "Accept-Language", test.accept)
			wantStatus(t, deep, http.StatusOK)
			wantHeader(t, deep, "Vary", "Accept-Encoding")
		}
	}
}

// The switch leads to the same page in another language, and is remembered.
func TestChoosingALanguage(t *testing.T) {
	s := newSite(t)
	a := s.get(t, s.page(t, "/moscow?rooms=1&rooms=2").Find(".languages a[hreflang=ru]").AttrOr("href", ""))
	wantStatus(t, a, http.StatusSeeOther)
	wantHeader(t, a, "Location", "/ru/moscow?rooms=1&rooms=2")
	wantHeader(t, a, "Cache-Control", "no-store")
	wantHeader(t, a, "Set-Cookie", "lang=ru; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax")
	wantHeader(t, s.get(t, "/", "Cookie", "lang=ru"), "Location", "/ru/")
	back := s.get(t, s.page(t, "/ru/").Find(".languages a[hreflang=en]").AttrOr("href", ""))
	wantHeader(t, back, "Location", "/")

	wantHeader(t, s.get(t, "/language?to=en&back=/", "X-Forwarded-Proto", "https"), "Set-Cookie",
		"lang=en; Path=/; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax")
	for _, to := range []string{"", "de", "ru/", "%00"} {
		a := s.get(t, "/language?back=/moscow&to="+to)
		wantStatus(t, a, http.StatusBadRequest)
		wantHeader(t, a, "Set-Cookie", "")
	}
}

// The switch leads to no other site.
func TestLanguageSwitchStaysHere(t *testing.T) {
	s := newSite(t)
	for back, want := range map[string]string{
		"": "/", "/moscow": "/moscow", "/ru/moscow": "/moscow", "/ru": "/", "//example.com": "/", `/\example.com`: "/", `\\example.com`: "/", "https://example.com/": "/",
		"javascript:alert(1)": "/", "example.com": "/", "/\t/example.com": "/", "/ru//example.com": "/", "/%2F/example.com": "/%2F/example.com", "/a\r\nSet-Cookie: x=1": "/",
		"/moscow?to=//example.com": "/moscow?to=//example.com", "/@example.com": "/@example.com", "///example.com": "/",
	} {
		for to, prefix := range map[string]string{"en": "", "ru": "/ru"} {
			wantHeader(t, s.get(t, "/language?to="+to+"&back="+url.QueryEscape(back)), "Location", prefix+want)
		}
	}
}

// The cache knows no languages: one entry serves all three.
func TestLanguagesShareTheCache(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/moscow?rooms=2", "/apartments/1"} {
		s.page(t, path)
		before := s.keys(t)
		for _, prefix := range []string{"/ru", "/hi"} {
			status := s.get(t, prefix+path).Header.Get("Cache-Status")
			if status == "" || strings.Contains(status, "fwd=") {
				t.Errorf("%s%s: Cache-Status %q, want hits only", prefix, path, status)
			}
		}
		if after := s.keys(t); len(after) != len(before) {
			t.Errorf("%s has made keys for languages: %q", path, after)
		}
	}
}

// What a page says of its own address is harmless whatever a client sends.
func TestAddressOfTheSite(t *testing.T) {
	s := newSite(t)
	get := func(host, proto string) string {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/moscow", nil)
		must(t, err)
		request.Host = host
		request.Header.Set("X-Forwarded-Proto", proto)
		response, err := s.client.Do(request)
		must(t, err)
		defer response.Body.Close()
		doc, err := goquery.NewDocumentFromReader(response.Body)
		must(t, err)
		return doc.Find("link[rel=canonical]").AttrOr("href", "")
	}
	for _, test := range []struct{ host, proto, want string }{
		{"example.com", "", "http://example.com/moscow"},
		{"example.com:8443", "https", "https://example.com:8443/moscow"},
		{"[::1]:8080", "javascript", "http://[::1]:8080/moscow"},
		{"evil'x.example", "", "/moscow"},
		{strings.Repeat("x", 300), "", "/moscow"},
	} {
		if got := get(test.host, test.proto); got != test.want {
			t.Errorf("Host %.40s, proto %q: canonical is %q, want %q", test.host, test.proto, got, test.want)
		}
	}
}
