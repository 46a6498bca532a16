// Who gets in, and who does not.

package handlers_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var editorsPages = []string{"/admin", "/admin/apartments", "/admin/apartments/new", "/admin/apartments/1", "/admin/log"}

func TestStrangersAreSentToTheLogin(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	for _, path := range append(editorsPages, "/admin/apartments?q=x&page=2") {
		a := b.get(t, path)
		wantRedirect(t, a, "/admin/login?"+url.Values{"next": {path}}.Encode())
		wantHeader(t, a, "Cache-Control", "no-store")
	}
	editor := s.editor(t, "ada")
	for _, path := range editorsPages {
		a := editor.get(t, path)
		wantStatus(t, a, http.StatusOK)
		wantHeader(t, a, "Cache-Control", "no-store")
		wantHeader(t, a, "X-Robots-Tag", "noindex")
		if strings.Contains(a.Header.Get("Cache-Status"), "podbor-apartment") {
			t.Errorf("%s comes out of the cache", path)
		}
		if doc := parse(t, a); doc.Find("h1").Length() != 1 || doc.Find("script, [style]").Length() != 0 {
			t.Errorf("%s: want one heading, and no script or style", path)
		}
	}
	for _, path := range []string{"/admin/apartments/999999", "/admin/apartments/x", "/admin/nothing"} {
		a := editor.get(t, path)
		wantStatus(t, a, http.StatusNotFound)
		wantWellFormed(t, a.body)
	}
}

func TestLoginRotatesAndLogoutEnds(t *testing.T) {
	s := newSite(t)
	password, err := s.store.AddAdmin(t.Context(), "ada")
	must(t, err)
	b := s.browser(t)
	b.header.Set("Cookie", "session=planted")
	wantStatus(t, b.login(t, "ada", "wrong"), http.StatusUnprocessableEntity)
	b.header.Del("Cookie")

	sessionOf := func(a answer) *http.Cookie {
		t.Helper()
		i := slices.IndexFunc(a.Cookies(), func(c *http.Cookie) bool { return c.Name == "session" })
		if i < 0 {
			t.Fatal("no session cookie")
		}
		return a.Cookies()[i]
	}
	page := b.get(t, "/admin/login?next=/admin/log")
	first := b.submit(t, page, "form[action='/admin/login']", url.Values{"name": {"ada"}, "password": {password}})
	wantRedirect(t, first, "/admin/log")
	wantRedirect(t, b.get(t, "/admin/login"), "/admin")
	stolen := sessionOf(first).Value

	again := b.submit(t, page, "form[action='/admin/login']", url.Values{"name": {"ada"}, "password": {password}})
	if sessionOf(again).Value == stolen {
		t.Error("the session's id stayed the same through a login")
	}
	thief := s.browser(t)
	thief.header.Set("Cookie", "session="+stolen)
	wantStatus(t, thief.get(t, "/admin"), http.StatusSeeOther)

	thief.header.Set("Cookie", "session="+sessionOf(again).Value)
	wantStatus(t, thief.get(t, "/admin"), http.StatusOK)
	wantRedirect(t, b.submit(t, b.get(t, "/admin"), "form.logout", nil), "/admin/login")
	wantStatus(t, thief.get(t, "/admin"), http.StatusSeeOther)
}

func TestANewPasswordEndsSessions(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	wantStatus(t, b.get(t, "/admin"), http.StatusOK)
	_, err := s.store.ResetAdmin(t.Context(), "ada")
	must(t, err)
	wantStatus(t, b.get(t, "/admin"), http.StatusSeeOther)
}

// Guessing stops, for one address at many names and at once, and says for how long.
func TestGuessingIsLimited(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	page := b.get(t, "/admin/login")
	var tried, refused atomic.Int64
	var crowd sync.WaitGroup
	for range 20 {
		crowd.Go(func() {
			switch a := b.submit(t, page, "form[action='/admin/login']", url.Values{"name": {"ada"}, "password": {"guess"}}); a.StatusCode {
			case http.StatusUnprocessableEntity:
				tried.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
				if a.Header.Get("Retry-After") == "" || !strings.Contains(a.body, "Try again in 15 minutes") || !strings.Contains(a.body, `value="ada"`) {
					t.Errorf("the refusal does not say until when, or has lost the name: %.200s", parse(t, a).Find("main").Text())
				}
			default:
				t.Errorf("status %d", a.StatusCode)
			}
		})
	}
	crowd.Wait()
	if tried.Load() != 10 || refused.Load() != 10 {
		t.Errorf("%d guesses were looked at and %d refused, want 10 and 10", tried.Load(), refused.Load())
	}
}

// Another site can make a browser send a form, but not with our token.
func TestForgedFormsAreRefused(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	for _, says := range []string{"", "cross-site", "same-site"} { // a browser of old says nothing
		b.header.Del("Sec-Fetch-Site")
		if says != "" {
			b.header.Set("Sec-Fetch-Site", says)
		}
		for _, token := range []url.Values{nil, {"csrf": {"made up"}}} {
			values := url.Values{"status": {"withdrawn"}, "version": {"1"}}
			maps.Copy(values, token)
			wantStatus(t, b.do(t, http.MethodPost, "/admin/apartments/1/status", values), http.StatusForbidden)
		}
	}
	if n := s.number(t, `SELECT version FROM apartments WHERE id = 1`); n != 1 {
		t.Error("a forged form was obeyed")
	}
	b.header.Set("Sec-Fetch-Site", "same-origin")
	wantStatus(t, b.submit(t, b.get(t, "/admin/apartments/1"), "form.status", url.Values{"status": {"withdrawn"}}), http.StatusSeeOther)
}

// Where the login leads is a page of the editors, whatever the link says.
func TestNextPageIsOurs(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	for _, next := range []string{"https://evil.example/admin", "//evil.example/admin", `/\evil.example`, "/admin/../moscow", "javascript:alert(1)", "/administrator", "/admin/login", "\x00"} {
		page := parse(t, b.get(t, "/admin/login?next="+url.QueryEscape(next)))
		if got := page.Find("[name=next]").AttrOr("value", ""); got != "/admin" {
			t.Errorf("next=%q leads to %q", next, got)
		}
	}
}

// Behind TLS, cookies are bound to this host and to TLS; scripts see none of them.
func TestCookieFlags(t *testing.T) {
	s := newSite(t)
	password, err := s.store.AddAdmin(t.Context(), "ada")
	must(t, err)
	for _, test := range []struct {
		proto  string
		secure bool
		prefix string
	}{{"http", false, ""}, {"https", true, "__Host-"}} {
		b := s.browser(t)
		b.client.Jar = nil // it would keep secure cookies to itself, because the test speaks HTTP
		b.header.Set("X-Forwarded-Proto", test.proto)
		page := b.get(t, "/admin/login")
		token := page.Cookies()[0]
		b.header.Set("Cookie", token.Name+"="+token.Value)
		a := b.submit(t, page, "form[action='/admin/login']", url.Values{"name": {"ada"}, "password": {password}})
		wantRedirect(t, a, "/admin")
		for _, c := range append(page.Cookies(), a.Cookies()...) {
			if !strings.HasPrefix(c.Name, test.prefix) || c.Secure != test.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
				t.Errorf("%s: %s", test.proto, c)
			}
		}
		if len(a.Cookies()) != 2 {
			t.Errorf("%s: cookies %v, want a token and a session", test.proto, a.Cookies())
		}
	}
}

// While the Redis of the sessions is away, nobody gets in and everybody is told why; visitors notice nothing.
func TestEditorsWaitForTheSessionRedis(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	start, login, form := b.get(t, "/admin"), s.browser(t).get(t, "/admin/login"), b.get(t, "/admin/apartments/1")
	must(t, s.sessions.Close())
	for _, a := range []answer{
		b.get(t, "/admin"), b.get(t, "/admin/login"), b.submit(t, start, "form.logout", nil),
		b.submit(t, form, "form.desk-form", url.Values{"title": {"Lost?"}}),
		b.submit(t, login, "form[action='/admin/login']", url.Values{"name": {"ada"}, "password": {"x"}, "csrf": {fieldsOf(parse(t, form).Find("form.desk-form")).Get("csrf")}}),
	} {
		wantStatus(t, a, http.StatusServiceUnavailable)
		if heading := parse(t, a).Find("h1").Text(); heading != "We cannot check who you are just now" {
			t.Errorf("the page says %q", heading)
		}
	}
	if n := s.number(t, `SELECT count(*) FROM edit_log`); n != 0 {
		t.Error("something was saved")
	}
	for _, path := range []string{"/", "/moscow", "/apartments/1"} {
		s.page(t, path)
	}
}
