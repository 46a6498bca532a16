// What visitors keep: saved, hidden and seen homes, in a cookie, on pages that are the same for everyone.

package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// act presses a button on a home, on a page of the site.
func (b *browser) act(t testing.TB, path, action string, id int64) answer {
	t.Helper()
	b.header.Set("Referer", b.site.url+path)
	return b.do(t, http.MethodPost, "/mine", url.Values{action: {strconv.FormatInt(id, 10)}})
}

// mine is the browser's cookie.
func (b *browser) mine(t testing.TB) string {
	t.Helper()
	site, err := url.Parse(b.site.url)
	must(t, err)
	for _, cookie := range b.client.Jar.Cookies(site) {
		if cookie.Name == "mine" {
			return cookie.Value
		}
	}
	return ""
}

func (b *browser) style(t testing.TB) string {
	t.Helper()
	a := b.get(t, "/mine.css")
	wantStatus(t, a, http.StatusOK)
	wantHeader(t, a, "Content-Type", "text/css; charset=utf-8")
	wantHeader(t, a, "Cache-Control", "private, no-cache")
	return a.body
}

// Edge caches may hold these pages, so nothing of a visitor may be in them.
func TestPagesAreTheSameForEveryone(t *testing.T) {
	s := newSite(t)
	stranger, regular := s.browser(t), s.browser(t)
	for id := range int64(9) {
		regular.act(t, "/moscow", []string{"save", "hide"}[id%2], id+1)
	}
	regular.get(t, "/mine.css?seen=1")
	before := regular.mine(t)
	for _, path := range []string{"/", "/ru/", "/moscow", "/hi/moscow?rooms=2", "/apartments/1", "/ru/apartments/2", "/compare?ids=1,2", "/moscow/feed.atom"} {
		theirs, ours := stranger.get(t, path), regular.get(t, path)
		wantStatus(t, ours, http.StatusOK)
		if theirs.body != ours.body || theirs.Header.Get("ETag") != ours.Header.Get("ETag") {
			t.Errorf("%s is another page for one who keeps homes", path)
		}
		if len(ours.Cookies())+len(theirs.Cookies()) > 0 {
			t.Errorf("%s sets a cookie", path)
		}
	}
	if regular.mine(t) != before {
		t.Error("reading pages has changed the cookie")
	}
	keys := strings.Join(s.keys(t), " ")
	if strings.Contains(keys, "mine") || strings.Contains(keys, before) {
		t.Errorf("what a visitor keeps is in the keys of the cache: %s", keys)
	}
}

func TestButtonsKeepHomes(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	if style := b.style(t); style != "" {
		t.Errorf("who keeps nothing has the style %q", style)
	}
	for _, step := range []struct {
		page, action string
		id           int64
		back, mine   string // where it leads, and the cookie then, but for the time
		style        []string
	}{
		{"/moscow?rooms=2", "save", 7, "/moscow?rooms=2#home-7", "7~~~", []string{`.shortlist::after{content:"1"`, `[name=save]:is([value="7"]){display:none}`}},
		{"/ru/moscow", "save", 8, "/ru/moscow#home-8", "8.7~~~", []string{`content:"2"`, `[name=drop]:is([value="8"],[value="7"])`}},
		{"/apartments/8", "drop", 8, "/apartments/8#home-8", "7~~8~", []string{`content:"1"`}},
		{"/", "hide", 9, "/#home-9", "7~9~8~", []string{`.hidden-count a::after{content:" 1"}`, `:is([data-apartment-id="9"])>.undo{display:flex}`}},
		{"/hi/", "hide", 10, "/hi/#home-10", "7~a.9~8~", []string{`content:" 2"`, `>:is([data-apartment-id="9"]):not(`}},
		{"/favourites", "show", 10, "/favourites#home-10", "7~9~8~", []string{`content:" 1"`}},
		{"/moscow", "hide", 7, "/moscow#home-7", "~7.9~8~", nil},
		{"/moscow", "save", 7, "/moscow#home-7", "7~9~8~", nil},
	} {
		a := b.act(t, step.page, step.action, step.id)
		wantRedirect(t, a, step.back)
		wantHeader(t, a, "Cache-Control", "no-store")
		got := b.mine(t)
		if got = got[:strings.LastIndex(got, "~")+1]; got != step.mine {
			t.Errorf("%s %d makes %q, want %q", step.action, step.id, got, step.mine)
		}
		style := b.style(t)
		for _, want := range step.style {
			if !strings.Contains(style, want) {
				t.Errorf("after %s %d the style lacks %s:\n%s", step.action, step.id, want, style)
			}
		}
	}

	// The script gets the new stylesheet as the answer.
	b.header.Set("Accept", "text/css")
	a := b.act(t, "/moscow", "save", 12)
	wantStatus(t, a, http.StatusOK)
	b.header.Del("Accept")
	if style := b.style(t); a.body != style {
		t.Errorf("the script gets %q, the page %q", a.body, style)
	}
	cookie := a.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge < 360*24*60*60 || cookie.Secure || cookie.Name != "mine" {
		t.Errorf("the cookie is %v", cookie)
	}
	b.header.Set("X-Forwarded-Proto", "https")
	if cookie := b.act(t, "/moscow", "save", 12).Cookies()[0]; !cookie.Secure || cookie.Name != "__Host-mine" {
		t.Errorf("over TLS the cookie is %v", cookie)
	}
}

func TestStyleIsSentOnce(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	b.act(t, "/moscow", "save", 7)
	tag := b.get(t, "/mine.css").Header.Get("ETag")
	b.header.Set("If-None-Match", tag)
	wantStatus(t, b.get(t, "/mine.css"), http.StatusNotModified)
	wantHeader(t, b.do(t, http.MethodHead, "/mine.css", nil), "ETag", tag)

	// A home that is looked at is noted with either answer, and only by GET.
	wantStatus(t, b.get(t, "/mine.css?seen=5"), http.StatusNotModified)
	wantStatus(t, b.do(t, http.MethodHead, "/mine.css?seen=6", nil), http.StatusNotModified)
	if got := b.mine(t); got != "7~~5~" {
		t.Errorf("the cookie is %q", got)
	}
	if a := b.get(t, "/mine.css?seen=5"); len(a.Cookies()) > 0 {
		t.Error("the home that was seen last is noted again")
	}
	for _, id := range []string{"0", "-1", "x", "05", "9223372036854775808", ""} {
		if a := b.get(t, "/mine.css?seen="+id); len(a.Cookies()) > 0 {
			t.Errorf("a home %q was seen", id)
		}
	}
	b.act(t, "/moscow", "save", 8)
	wantStatus(t, b.get(t, "/mine.css"), http.StatusOK)
	if link := s.page(t, "/ru/apartments/7").Find("#my-style").AttrOr("href", ""); link != "/mine.css?seen=7" {
		t.Errorf("the page of home 7 has the style %q", link)
	}
}

// Other sites can neither press buttons nor read or replace what a visitor keeps, and no button leads to them.
func TestOtherSitesKeepNothing(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	b.act(t, "/moscow", "save", 7)
	before := b.mine(t)
	for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
		b.header = http.Header{name: {value}}
		wantStatus(t, b.act(t, "/moscow", "drop", 7), http.StatusForbidden)
	}
	b.header = http.Header{"Sec-Fetch-Site": {"cross-site"}}
	if a := b.get(t, "/mine.css?seen=5"); len(a.Cookies()) > 0 {
		t.Error("a page of another site has a home noted as seen")
	}
	if got := b.mine(t); got != before {
		t.Errorf("the cookie is %q, want %q", got, before)
	}

	for _, from := range []string{"", "https://evil.example/moscow", "//evil.example", "javascript:alert(1)", "%zz", s.url + "evil.example/", "http://user@" + s.url[len("http://"):] + ".evil.example/x"} {
		b.header = http.Header{"Sec-Fetch-Site": {"same-origin"}, "Referer": {from}}
		wantRedirect(t, b.do(t, http.MethodPost, "/ru/mine", url.Values{"save": {"7"}}), "/ru/favourites#home-7")
	}
	for from, want := range map[string]string{"//evil.example/x": "/#home-7", `/\evil.example`: "/%5Cevil.example#home-7", "/ru//evil.example": "/ru/#home-7", "/moscow?q=//x": "/moscow?q=//x#home-7"} {
		b.header = http.Header{"Referer": {s.url + from}}
		a := b.do(t, http.MethodPost, "/mine", url.Values{"save": {"7"}})
		wantStatus(t, a, http.StatusSeeOther)
		if got := a.Header.Get("Location"); got != want {
			t.Errorf("from %s it leads to %s, want %s", from, got, want)
		}
	}
	b.header = http.Header{}
	for _, form := range []url.Values{{}, {"save": {"0"}}, {"save": {"-1"}}, {"save": {"x"}}, {"save": {"07"}}, {"hide": {"9223372036854775808"}}, {"burn": {"7"}}, {"save": {`7"]{}`}}} {
		a := b.do(t, http.MethodPost, "/mine", form)
		wantStatus(t, a, http.StatusBadRequest)
		if len(a.Cookies()) > 0 {
			t.Errorf("%v sets a cookie", form)
		}
	}
}

func TestHostileCookie(t *testing.T) {
	s := newSite(t)
	for _, value := range []string{
		"x", "~~~~~~", "!~!~!~!", "</style><script>alert(1)</script>~~~", "1~1~1~1", "-5~0~zzzzzzzzzzzzzzzzzzzz~", strings.Repeat("1.", 5000),
		strings.Repeat("zzz.", 3000) + "~" + strings.Repeat("zzy.zzx.", 900) + "~~zzzzzzzzzzzzz", `"~{}*{display:none}~~`,
	} {
		for _, path := range []string{"/mine.css", "/mine.css?seen=3", "/favourites", "/ru/favourites?full=1", "/moscow"} {
			a := s.get(t, path, "Cookie", "mine="+value)
			wantStatus(t, a, http.StatusOK)
			if strings.Contains(a.body, "alert(1)") || path == "/mine.css" && strings.Contains(a.body, "*{") {
				t.Errorf("%s shows what the cookie %.40q says", path, value)
			}
		}
	}
}

func TestShortlistHasRoomForFifty(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	for id := range int64(50) {
		b.act(t, "/moscow", "save", id+1)
	}
	a := b.act(t, "/ru/moscow", "save", 51)
	wantStatus(t, a, http.StatusSeeOther)
	if text := parse(t, b.get(t, a.Header.Get("Location"))).Find(".notice").Text(); text == "" {
		t.Error("nobody says that the shortlist is full")
	}
	b.header.Set("Accept", "text/css")
	a = b.act(t, "/moscow", "save", 51)
	wantStatus(t, a, http.StatusConflict)
	b.header.Del("Accept")
	a = b.get(t, a.body)
	wantStatus(t, a, http.StatusOK)
	doc := parse(t, a)
	if text := doc.Find(".notice").Text(); !strings.Contains(text, "50") {
		t.Errorf("the notice is %q", text)
	}
	if n := doc.Find("#saved").Parent().Find("article").Length(); n != 50 {
		t.Errorf("the shortlist has %d homes, want 50", n)
	}
	// Proxies refuse headers of more than some KB.
	for name, values := range a.Header {
		if n := len(strings.Join(values, ", ")); n > 2000 {
			t.Errorf("%s has %d bytes", name, n)
		}
	}
}

func TestFavourites(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	a := b.get(t, "/favourites")
	wantStatus(t, a, http.StatusOK)
	wantHeader(t, a, "Cache-Control", "no-store")
	wantHeader(t, a, "X-Robots-Tag", "noindex")
	if doc := parse(t, a); doc.Find(".empty a.button").Length() != 1 || doc.Find("article").Length() != 0 {
		t.Error("the empty shortlist shows no way out")
	}
	const unknown = 99_999_999
	s.exec(t, `UPDATE apartments SET status = 'withdrawn' WHERE id = 2`)
	for _, id := range []int64{1, 2, unknown, 3} {
		b.act(t, "/moscow", "save", id)
	}
	b.act(t, "/moscow", "hide", 5)
	b.act(t, "/moscow", "hide", unknown+1)
	for _, id := range []int64{1, 5, 6, 7} {
		b.get(t, fmt.Sprint("/mine.css?seen=", id))
	}
	for _, path := range []string{"/favourites", "/ru/favourites", "/hi/favourites"} {
		a := b.get(t, path)
		wantStatus(t, a, http.StatusOK)
		doc := parse(t, a)
		ids := func(section string) (ids []string) {
			for _, article := range doc.Find(section).Parent().Find("article").EachIter() {
				ids = append(ids, article.AttrOr("data-apartment-id", ""))
			}
			return ids
		}
		if got := strings.Join(ids("#saved"), " "); got != "3 2 1" {
			t.Errorf("%s: saved are %s", path, got)
		}
		if got := strings.Join(ids("#seen"), " "); got != "7 6" { // neither what is saved nor what is hidden
			t.Errorf("%s: seen are %s", path, got)
		}
		if n := doc.Find(".hidden-homes li").Length(); n != 1 {
			t.Errorf("%s: %d homes are hidden, want 1", path, n)
		}
		if badge := doc.Find(`article[data-apartment-id="2"] .badge`).Text(); badge == "" {
			t.Errorf("%s does not say that a home is no longer on offer", path)
		}
		if n := doc.Find(`input[name=ids][form=compare]`).Length(); n != 3 {
			t.Errorf("%s: %d homes can be picked", path, n)
		}
	}
	if got := b.mine(t); !strings.HasPrefix(got, "3.2.1~5~") {
		t.Errorf("homes that do not exist stay in the cookie: %q", got)
	}
}

// Without the database the visitor's own page says so, and loses nothing; the buttons go on working.
func TestFavouritesWithoutTheDatabase(t *testing.T) {
	s := newSite(t)
	other := startSite(t, s.database, s.redisURL) // without copies of its own
	b := s.browser(t)
	b.act(t, "/moscow", "save", 1)
	wantStatus(t, b.get(t, "/apartments/1"), http.StatusOK)
	s.closeDatabase(t)
	wantStatus(t, b.act(t, "/moscow", "save", 2), http.StatusSeeOther)
	if style := b.style(t); !strings.Contains(style, `content:"2"`) {
		t.Errorf("the style is %q", style)
	}
	check := func(homes int) {
		t.Helper()
		a := b.get(t, "/favourites")
		wantStatus(t, a, http.StatusOK)
		doc := parse(t, a)
		if n := doc.Find("article").Length(); n != homes || doc.Find(".notice").Length() != 1 || doc.Find(".empty").Length() != 0 {
			t.Errorf("want %d homes and a notice, got %d homes: %s", homes, n, doc.Find("main").Text())
		}
		if got := b.mine(t); got != "2.1~~~" {
			t.Errorf("the cookie is %q", got)
		}
	}
	check(1) // of which there is a copy
	must(t, s.redis.FlushDB(t.Context()).Err())
	b.site = other
	check(0)
}
