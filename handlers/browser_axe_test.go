// Every page in a real browser: axe-core finds nothing, the console is silent, nothing scrolls sideways.

package handlers_test

import (
	_ "embed"
	"fmt"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe is Deque's accessibility checker, axe-core 4.14.1 from npm, as published (MPL-2.0).
//
//go:embed testdata/axe.min.js
var axe string

// The themes differ in nothing but colours, so the dark one is held to the rules about them.
const (
	allRules    = `rules: { "target-size": { enabled: true } }`
	colourRules = `runOnly: ["color-contrast", "link-in-text-block"]`
)

// violations runs axe, and names rule and elements.
func (b *tab) violations(t testing.TB, rules string) []string {
	t.Helper()
	return ask[[]string](t, b, fmt.Sprintf(`axe.run({ resultTypes: ["violations"], %s }).then(r => r.violations.map(v => v.id + " (" + v.help + "): " +
		v.nodes.slice(0, 3).map(n => n.target.join(" ") + (n.any[0] ? " – " + n.any[0].message : "")).join("; ")))`, rules))
}

func TestEveryPageInABrowser(t *testing.T) {
	s := newSite(t)
	browser := chromium(t)
	home := s.path(t, "/apartments/", `SELECT min(id) FROM apartments`)
	gone := s.path(t, "/apartments/", `SELECT min(id) FROM apartments WHERE status = 'withdrawn'`)
	public := []string{
		"/", "/moscow", "/ru/moscow", "/hi/moscow", "/moscow?page=2", "/moscow?rooms=2&price_max=15000000", "/moscow?price_max=1000",
		"/moscow/districts", "/ru/saint-petersburg/districts", gone, home, "/ru" + home, "/hi" + home, home + "/enquiry", "/nowhere", "/ru/apartments/99999999", "/admin/login",
		"/lab/ops", "/lab/ops?span=minute&still=1",
		"/lab", "/lab?tour=3", "/lab/compare", "/lab/glossary", "/lab/source", "/lab/source/cache/flight.go",
	}
	b := s.tab(t, browser, laptop)
	b.open(t, "/")
	ask[bool](t, b, axe+`;document.querySelector("main").innerHTML = "<input style='color: red'>"; true`)
	if len(b.violations(t, allRules)) == 0 || len(b.takeFaults("/")) == 0 {
		t.Fatal("a field without a label and a style that the policy forbids go unnoticed")
	}

	password, err := s.store.AddAdmin(t.Context(), "ada")
	must(t, err)
	desk := []string{"/admin", "/admin/apartments", "/admin/apartments/new", "/admin" + home, "/admin/enquiries", "/admin/log"}

	t.Run("visitors", func(t *testing.T) {
		t.Parallel()
		b := s.tab(t, browser, laptop)
		for _, path := range public {
			b.examine(t, path)
		}
	})
	t.Run("editors", func(t *testing.T) {
		t.Parallel()
		b := s.tab(t, browser, laptop)
		b.open(t, "/admin/login")
		must(t, chromedp.Do(b.ctx,
			chromedp.SendKeys(chromedp.CSS("[name=name]"), "ada"), chromedp.SendKeys(chromedp.CSS("[name=password]"), password)))
		b.follow(t, "main form button")
		for _, path := range desk {
			b.examine(t, path)
			wantLocation(t, b, path, url.Values{})
		}
	})
}

// examine opens a page and looks at it from all sides.
func (b *tab) examine(t *testing.T, path string) {
	b.open(t, path)
	ask[bool](t, b, axe+";true")
	for _, width := range []int64{laptop, phone} {
		for theme, rules := range map[string]string{"light": allRules, "dark": colourRules} {
			b.look(t, width, theme)
			for _, found := range b.violations(t, rules) {
				t.Errorf("%s, %s, %d px: %s", path, theme, width, found)
			}
		}
	}
	for _, width := range []int64{phone, 360} {
		b.look(t, width, "light")
		if wide := ask[int](t, b, `document.documentElement.scrollWidth`); wide > int(width) {
			t.Errorf("%s is %d px wide on a phone of %d: %s", path, wide, width, ask[string](t, b, tooWide))
		}
	}
	wantNoFaults(t, b, path)
}

// tooWide names the elements that stick out on the right.
const tooWide = `[...document.body.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth)
	.slice(-3).map(e => e.outerHTML.slice(0, 120)).join(" ")`
