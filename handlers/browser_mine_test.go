// Saving, hiding, undoing and comparing in a real browser: by mouse, by keys alone, on a phone, and without script.

package handlers_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// visible says whether an element takes part in the page.
func visible(selector string) string {
	return fmt.Sprintf("(document.querySelector(%q)?.checkVisibility() ?? false)", selector)
}

// shortlisted is the number in the header, which comes from the visitor's stylesheet.
const shortlisted = `getComputedStyle(document.querySelector(".shortlist"), "::after").content`

func (b *tab) wantCount(t testing.TB, n int) {
	t.Helper()
	b.wait(t, fmt.Sprintf(`%s === '"%d"'`, shortlisted, n))
}

// cardsOf returns the ids of the first cards of a page.
func (b *tab) cardsOf(t testing.TB, path string) []string {
	t.Helper()
	b.open(t, path)
	return ask[[]string](t, b, `[...document.querySelectorAll(".cards > article")].map(a => a.dataset.apartmentId)`)
}

func card(id, rest string) string {
	return fmt.Sprintf(`.cards article[data-apartment-id="%s"] %s`, id, rest)
}

func TestVisitorsKeepHomesInABrowser(t *testing.T) {
	s := newSite(t)
	browser := chromium(t)

	t.Run("with script", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		ids := b.cardsOf(t, "/moscow")
		ask[bool](t, b, `window.samePage = true`)
		b.click(t, card(ids[0], "[name=save]"))
		b.wait(t, visible(card(ids[0], "[name=drop]"))+" && !"+visible(card(ids[0], "[name=save]")))
		b.wantCount(t, 1)
		b.wait(t, `document.activeElement.name === "drop" && document.getElementById("said").textContent !== ""`)
		b.click(t, card(ids[1], "[name=hide]"))
		b.wait(t, visible(card(ids[1], ".undo button"))+" && !"+visible(card(ids[1], "h3")))
		b.wait(t, `document.activeElement.closest(".undo") !== null`)
		b.wait(t, visible(".hidden-count"))

		// What the page gets anew looks the same, and its buttons work.
		rooms := ask[string](t, b, option+`.dataset.value`)
		b.click(t, `[data-facet="rooms"][data-value="`+rooms+`"]`)
		b.wait(t, `location.search.includes("rooms=")`)
		ask[bool](t, b, `history.back(), true`)
		b.wait(t, `location.search === "" && `+visible(card(ids[1], ".undo button"))+" && "+visible(card(ids[0], "[name=drop]")))
		b.click(t, card(ids[1], ".undo button"))
		b.wait(t, visible(card(ids[1], "h3"))+" && !"+visible(card(ids[1], ".undo")))
		b.click(t, card(ids[2], "[name=save]"))
		b.click(t, card(ids[3], "[name=save]")) // without waiting for the first
		b.wantCount(t, 3)
		if !ask[bool](t, b, `window.samePage === true`) {
			t.Error("a button loaded the page anew")
		}

		// The way back from another page, whether the browser has kept this one or not.
		b.follow(t, card(ids[4], "h3 a"))
		b.click(t, ".panel [name=save]")
		b.wantCount(t, 4)
		ask[bool](t, b, `history.back(), true`)
		b.wait(t, `location.pathname === "/moscow" && `+visible(card(ids[4], "[name=drop]")))
		b.wantCount(t, 4)
		b.open(t, "/moscow")
		shift := ask[float64](t, b, `new Promise(done => { let sum = 0;
			new PerformanceObserver(list => { for (const e of list.getEntries()) sum += e.value }).observe({ type: "layout-shift", buffered: true });
			setTimeout(() => done(sum), 300) })`)
		if shift > 0.01 {
			t.Errorf("the visitor's stylesheet moves the page: layout shift %.3f", shift)
		}
		wantNoFaults(t, b, "/moscow")
	})

	t.Run("without script, on a phone", func(t *testing.T) {
		b := s.tab(t, browser, phone)
		b.disableScript(t)
		ids := b.cardsOf(t, "/ru/moscow")
		b.follow(t, card(ids[2], "[name=save]"))
		if hash := ask[string](t, b, `location.pathname + location.hash`); hash != "/ru/moscow#home-"+ids[2] {
			t.Errorf("the button leads to %s", hash)
		}
		b.wait(t, visible(card(ids[2], "[name=drop]")))
		b.follow(t, card(ids[1], "[name=hide]"))
		b.wait(t, visible(card(ids[1], ".undo button"))+" && !"+visible(card(ids[1], "h3")))
		b.follow(t, card(ids[1], ".undo button"))
		b.wait(t, visible(card(ids[1], "h3")))
		b.follow(t, card(ids[0], "h3 a"))
		b.follow(t, ".panel [name=save]")
		b.wantCount(t, 2)
		b.follow(t, "a.shortlist")
		for _, id := range []string{ids[2], ids[0]} {
			b.click(t, fmt.Sprintf(`input[name=ids][value="%s"]`, id))
		}
		b.follow(t, "#compare button")
		wantLocation(t, b, "/ru/compare", url.Values{"ids": {ids[0] + "," + ids[2]}})
		if n := ask[int](t, b, `document.querySelectorAll(".compare thead th").length`); n != 2 {
			t.Errorf("%d homes are compared", n)
		}
	})

	t.Run("keyboard alone", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		id := b.cardsOf(t, "/kazan")[0]
		ask[bool](t, b, `document.querySelector(".cards article a").focus(), true`)
		reach := func(name string) {
			t.Helper()
			for range 6 {
				if b.press(t, kb.Tab); ask[string](t, b, `document.activeElement.name ?? ""`) == name {
					if bad := ask[string](t, b, unseenFocus); bad != "" {
						t.Errorf("no visible focus on %s", bad)
					}
					return
				}
			}
			t.Fatalf("the Tab key does not reach %s", name)
		}
		reach("save")
		b.press(t, kb.Enter)
		b.wait(t, visible(card(id, "[name=drop]"))+` && document.activeElement.name === "drop"`)
		reach("hide")
		b.press(t, " ")
		b.wait(t, `document.activeElement.closest(".undo") !== null`)
		b.press(t, kb.Enter)
		b.wait(t, visible(card(id, "h3"))+` && document.activeElement.closest("article")?.dataset.apartmentId === "`+id+`"`)
		wantNoFaults(t, b, "/kazan")
	})

	// A page on which everything is hidden says so; nothing of its homes is left.
	t.Run("all hidden", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		b.open(t, "/kazan?rooms=2")
		ask[bool](t, b, `(async () => {
			const press = (name, id) => fetch("/mine", { method: "POST", body: new URLSearchParams({ [name]: id }) });
			for (const home of document.querySelectorAll(".cards article")) await press("hide", home.dataset.apartmentId);
			await press("drop", "1"); // after which nothing can be undone in its place
			return true;
		})()`)
		path := ask[string](t, b, `location.pathname + location.search`)
		b.open(t, path)
		if !ask[bool](t, b, visible(".all-hidden")) || ask[bool](t, b, `[...document.querySelectorAll(".cards article")].some(a => a.checkVisibility())`) {
			t.Errorf("%s does not say that all is hidden", path)
		}
		b.open(t, "/moscow")
		if ask[bool](t, b, visible(".all-hidden")) {
			t.Error("a page with homes says that all are hidden")
		}
	})

	t.Run("examined", func(t *testing.T) {
		b := s.tab(t, browser, laptop)
		b.examine(t, "/favourites")
		ids := b.cardsOf(t, "/moscow")
		for i, id := range ids[:6] {
			b.click(t, card(id, []string{"[name=save]", "[name=hide]"}[i/4]))
			b.wait(t, "!"+visible(card(id, []string{"[name=save]", "[name=hide]"}[i/4])))
		}
		b.open(t, "/apartments/"+ids[7])
		for _, path := range []string{"/favourites", "/hi/favourites", "/moscow", "/compare?ids=" + strings.Join(ids[:4], ","), "/ru/compare?ids=" + strings.Join(ids[:2], ",") + ",99999999"} {
			b.examine(t, path)
		}
		if n := ask[int](t, b, `document.querySelectorAll("thead th").length`); n != 2 {
			t.Errorf("%d homes were compared", n)
		}
	})
}
