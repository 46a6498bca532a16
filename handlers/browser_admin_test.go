// What editors do, in a real browser: an edit that shows at once elsewhere, and two editors of one home.

package handlers_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// login opens a tab for a new editor.
func (s *testSite) login(t *testing.T, b *tab, name string) {
	t.Helper()
	password, err := s.store.AddAdmin(t.Context(), name)
	must(t, err)
	b.open(t, "/admin/login")
	must(t, chromedp.Do(b.ctx, chromedp.SendKeys(chromedp.CSS("[name=name]"), name), chromedp.SendKeys(chromedp.CSS("[name=password]"), password)))
	b.follow(t, "main form button")
}

// fill types a text in place of that of a field.
func (b *tab) fill(t *testing.T, field, text string) {
	t.Helper()
	ask[bool](t, b, `document.querySelector("#`+field+`").select(), true`)
	must(t, chromedp.Do(b.ctx, chromedp.SendKeys(chromedp.CSS("#"+field), text)))
}

func TestEditorsInABrowser(t *testing.T) {
	s := newSite(t)
	other := startSite(t, s.database, s.redisURL)
	browser := chromium(t)
	home := s.path(t, "/apartments/", `SELECT min(id) FROM apartments WHERE status = 'published'`)
	const save = ".desk-form .save button"

	visitor := other.tab(t, browser, phone)
	visitor.open(t, home)
	ada, grace := s.tab(t, browser, laptop), s.tab(t, browser, laptop)
	s.login(t, ada, "ada")
	s.login(t, grace, "grace")
	ada.open(t, "/admin"+home)
	grace.open(t, "/admin"+home)

	ada.fill(t, "title", "Flat with a view of the tower")
	ada.fill(t, "price", "7654321")
	ada.follow(t, save)
	eventually(t, "the other process shows the edit", func() bool {
		visitor.open(t, home)
		return ask[bool](t, visitor, `document.querySelector("h1").textContent === "Flat with a view of the tower" && document.querySelector(".panel .price b").textContent === "₽7,654,321"`)
	})

	// Grace has the older version before her. Nothing of either is lost.
	grace.fill(t, "title", "Flat over the bakery")
	grace.follow(t, save)
	grace.wait(t, `document.activeElement.getAttribute("role") === "alert"`) // autofocus comes with the first picture
	if theirs := ask[string](t, grace, `[...document.querySelectorAll(".stored-text")].map(e => e.textContent).join(" | ")`); !strings.Contains(theirs, "view of the tower") {
		t.Errorf("the other version is %q", theirs)
	}
	if mine := ask[string](t, grace, `document.querySelector("#title").value`); mine != "Flat over the bakery" {
		t.Errorf("what was typed is %q", mine)
	}
	grace.follow(t, `button[name=take][value=price]`)
	grace.follow(t, save)
	eventually(t, "the other process shows both edits", func() bool {
		visitor.open(t, home)
		return ask[bool](t, visitor, `document.querySelector("h1").textContent === "Flat over the bakery" && document.querySelector(".panel .price b").textContent === "₽7,654,321"`)
	})

	// Withdrawn, it is gone for visitors, who have a way on.
	grace.follow(t, "form.status button")
	eventually(t, "the other process has withdrawn it", func() bool {
		visitor.open(t, home)
		return ask[bool](t, visitor, `document.querySelector(".panel") === null && document.querySelector("main a.button") !== null`)
	})
	wantNoFaults(t, ada, "/admin"+home)
	wantNoFaults(t, visitor, home)
}
