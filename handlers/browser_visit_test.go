// What visitors do, in a real browser: search, page, change the language, with and without script, with keys alone.

package handlers_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const (
	total = `+document.querySelector("[data-total]").dataset.total`
	// option is the first choice of rooms that leaves homes, and not all of them.
	option = `[...document.querySelectorAll('[data-facet="rooms"]')].find(o => o.dataset.count > 0 && o.dataset.count < ` + total + `)`
)

func TestVisitorsInABrowser(t *testing.T) {
	s := newSite(t)
	browser := chromium(t)

	t.Run("search with script", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		b.open(t, "/moscow")
		all := ask[int](t, b, total)
		rooms, count := ask[string](t, b, option+`.dataset.value`), ask[string](t, b, option+`.dataset.count`)
		ask[bool](t, b, `window.samePage = true`)
		b.click(t, `[data-facet="rooms"][data-value="`+rooms+`"]`)
		b.wait(t, total+` == `+count)
		wantLocation(t, b, "/moscow", url.Values{"rooms": {rooms}})
		if !ask[bool](t, b, `window.samePage === true`) {
			t.Error("the filter loaded the page anew instead of changing it in place")
		}
		b.wait(t, `[...document.querySelectorAll("[role=status]")].some(e => /\d/.test(e.textContent))`)
		ask[bool](t, b, `history.back(), true`)
		b.wait(t, total+` == `+strconv.Itoa(all))
		wantLocation(t, b, "/moscow", url.Values{})
		wantNoFaults(t, b, "/moscow")
	})

	t.Run("search without script", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		b.disableScript(t)
		b.open(t, "/moscow")
		rooms, count := ask[string](t, b, option+`.dataset.value`), ask[int](t, b, option+`.dataset.count | 0`)
		b.click(t, `[data-facet="rooms"][data-value="`+rooms+`"]`)
		b.follow(t, `#filters button`)
		wantLocation(t, b, "/moscow", url.Values{"rooms": {rooms}})
		if got := ask[int](t, b, total); got != count {
			t.Errorf("%d homes with %s rooms, the filter promised %d", got, rooms, count)
		}
		b.follow(t, `article[data-apartment-id] a`)
		if path := ask[string](t, b, `location.pathname`); !strings.HasPrefix(path, "/apartments/") {
			t.Errorf("a card leads to %s", path)
		}
	})

	t.Run("page to the end", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		b.open(t, "/kazan?rooms=2")
		want := ask[int](t, b, total)
		seen := map[string]bool{}
		for {
			for _, id := range ask[[]string](t, b, `[...document.querySelectorAll("article[data-apartment-id]")].map(a => a.dataset.apartmentId)`) {
				if seen[id] {
					t.Errorf("apartment %s is shown twice", id)
				}
				seen[id] = true
			}
			if !ask[bool](t, b, `document.querySelector("a[rel=next]") !== null`) {
				break
			}
			b.follow(t, "a[rel=next]")
		}
		if len(seen) != want {
			t.Errorf("%d homes on all pages, the total says %d", len(seen), want)
		}
		wantNoFaults(t, b, "/kazan")
	})

	t.Run("change the language", func(t *testing.T) {
		b := s.tab(t, browser, phone)
		b.open(t, "/moscow?rooms=2")
		b.follow(t, `nav a[hreflang="ru"]`)
		wantLocation(t, b, "/ru/moscow", url.Values{"rooms": {"2"}})
		if lang := ask[string](t, b, `document.documentElement.lang`); lang != "ru" {
			t.Errorf("the page says that it is in %q", lang)
		}
		b.open(t, "/")
		if path := ask[string](t, b, `location.pathname`); !strings.HasPrefix(path, "/ru") {
			t.Errorf("after the choice of Russian the home page is %s", path)
		}
	})

	t.Run("copy the link of a home", func(t *testing.T) {
		b := s.tab(t, browser, phone)
		path := s.path(t, "/apartments/", `SELECT min(id) FROM apartments WHERE status = 'published'`)
		b.open(t, path)
		// To read the clipboard would need a permission that visitors are asked for, so the test listens in.
		ask[bool](t, b, `(write => navigator.clipboard.writeText = text => (window.copied = text, write(text)))(navigator.clipboard.writeText.bind(navigator.clipboard)), true`)
		b.click(t, ".share summary")
		b.click(t, ".share button")
		b.wait(t, `document.querySelector(".share [role=status]").textContent != ""`)
		if got := ask[string](t, b, `window.copied`); got != s.url+path {
			t.Errorf("copied %q, want %q", got, s.url+path)
		}
		wantNoFaults(t, b, path)
	})

	t.Run("the link of a home without script", func(t *testing.T) {
		b := s.tab(t, browser, phone)
		b.disableScript(t)
		path := s.path(t, "/ru/apartments/", `SELECT min(id) FROM apartments WHERE status = 'published'`)
		b.open(t, path)
		b.click(t, ".share summary")
		if !ask[bool](t, b, `document.querySelector(".share input").checkVisibility() && !document.querySelector(".share button").checkVisibility()`) {
			t.Error("without script there is no link to copy, or a button that does nothing")
		}
		if got := ask[string](t, b, `document.querySelector(".share input").value`); got != s.url+path {
			t.Errorf("the link is %q, want %q", got, s.url+path)
		}
	})

	t.Run("keyboard on the map", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		b.open(t, "/moscow/districts")
		ask[bool](t, b, `document.querySelector(".map a").focus(), true`)
		if got := ask[string](t, b, `document.activeElement.tagName`); got != "a" {
			t.Errorf("the keyboard reaches %s on the map, want a district", got)
		}
		b.press(t, kb.Enter)
		b.wait(t, `location.search.startsWith("?district=")`)
	})

	t.Run("search on the home page", func(t *testing.T) {
		b := s.tab(t, browser, phone)
		b.disableScript(t)
		b.open(t, "/")
		ask[bool](t, b, `document.querySelector("#city").value = "kazan", document.querySelector("#rooms").value = "2", document.querySelector("#price").value = "9 000 000", true`)
		b.follow(t, ".home-search button")
		wantLocation(t, b, "/kazan", url.Values{"rooms": {"2"}, "price_max": {"9000000"}})
	})

	t.Run("keyboard alone", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		b.open(t, "/moscow")
		b.press(t, kb.Tab)
		if !ask[bool](t, b, `document.activeElement.hash === "#main"`) {
			t.Errorf("the first stop is %s, want the way past the header", ask[string](t, b, `document.activeElement.outerHTML.slice(0, 120)`))
		}
		reached := map[string]bool{}
		for range 150 {
			if bad := ask[string](t, b, unseenFocus); bad != "" {
				t.Errorf("no visible focus on %s", bad)
			}
			b.press(t, kb.Tab)
			where := ask[string](t, b, `["article[data-apartment-id]", "#filters", "header"].find(s => document.activeElement.closest(s)) ?? ""`)
			reached[where] = true
			if strings.HasPrefix(where, "article") {
				break
			}
		}
		for _, part := range []string{"header", "#filters", "article[data-apartment-id]"} {
			if !reached[part] {
				t.Errorf("the Tab key does not reach %s", part)
			}
		}
		b.press(t, kb.Enter)
		b.wait(t, `location.pathname.startsWith("/apartments/")`)
	})
}

// unseenFocus is the focused element if neither it nor what stands for it shows so.
const unseenFocus = `(e => {
	const shown = x => { const s = getComputedStyle(x); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 || s.boxShadow !== "none" };
	return [e, e.nextElementSibling, e.parentElement].some(x => x && shown(x)) || [...e.querySelectorAll("*")].some(shown) ||
		["::before", "::after"].some(p => getComputedStyle(e, p).outlineStyle !== "none") ? "" : e.outerHTML.slice(0, 160);
})(document.activeElement)`

func wantLocation(t testing.TB, b *tab, path string, query url.Values) {
	t.Helper()
	got, err := url.Parse(ask[string](t, b, "location.href"))
	must(t, err)
	if got.Path != path || got.Query().Encode() != query.Encode() {
		t.Errorf("the browser is at %s, want %s?%s", got, path, query.Encode())
	}
}

func wantNoFaults(t testing.TB, b *tab, path string) {
	t.Helper()
	for _, fault := range b.takeFaults(path) {
		t.Errorf("%s: the browser complains: %s", path, fault)
	}
}
