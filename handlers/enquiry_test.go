// Asking about a home: once, within limits, and without losing what was typed.

package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
)

const askForm = ".enquiry form"

var question = url.Values{"name": {"Anna"}, "contact": {"anna@example.com"}, "message": {"Is the cellar dry?\r\nHow high is it?"}}

// Two tabs, a double click, back and again: one row, and the first answer to all.
func TestEnquiryIsStoredOnce(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	id := s.number(t, `SELECT min(id) FROM apartments WHERE status = 'published'`)
	path := parse(t, b.get(t, fmt.Sprint("/apartments/", id))).Find(".ask a").AttrOr("href", "")
	form := b.get(t, path)
	wantStatus(t, form, http.StatusOK)
	wantHeader(t, form, "Cache-Control", "no-store")
	var clicks sync.WaitGroup
	for range 10 {
		clicks.Go(func() { wantRedirect(t, b.submit(t, form, askForm, question), path+"?sent=1") })
	}
	clicks.Wait()
	if n := s.number(t, `SELECT count(*) FROM enquiries WHERE apartment_id = $1 AND contact = 'anna@example.com'`, id); n != 1 {
		t.Errorf("%d rows are stored, want 1", n)
	}
	if text := parse(t, b.get(t, path+"?sent=1")).Find("[role=status]").Text(); !strings.Contains(text, "has been sent") {
		t.Errorf("the thanks are %q", text)
	}

	other := url.Values{"name": {"Anna"}, "contact": {"+7 (900) 123-45-67"}, "message": {"Another question"}}
	again := b.submit(t, form, askForm, other)
	wantStatus(t, again, http.StatusOK)
	wantStatus(t, b.submit(t, again, askForm, nil), http.StatusSeeOther)
	if n := s.number(t, `SELECT count(*) FROM enquiries WHERE message = 'Another question'`); n != 1 {
		t.Errorf("the second question is stored %d times", n)
	}
	list := parse(t, s.editor(t, "ada").get(t, "/admin/enquiries"))
	if list.Find(".edit").Length() != 2 || !strings.Contains(list.Find(".edit").Last().Text(), "Is the cellar dry?\nHow high is it?") {
		t.Errorf("editors read %s", list.Find(".edits").Text())
	}
}

func TestEnquiryMistakes(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	for _, path := range []string{"/apartments/1/enquiry", "/ru/apartments/1/enquiry", "/hi/apartments/1/enquiry"} {
		form := b.get(t, path)
		for _, test := range []struct{ field, typed string }{
			{"name", ""}, {"name", " \t"}, {"name", strings.Repeat("я", 81)}, {"name", "a\nb"}, {"name", "a\u202eb"}, {"message", ""}, {"message", strings.Repeat("я", 2001)},
			{"message", "\x00"}, {"contact", "anna"}, {"contact", "anna@"}, {"contact", "Anna <anna@example.com>"}, {"contact", "1234"}, {"contact", "javascript:alert(1)"},
			{"contact", "+7 900 1234567 8901 23"},
		} {
			changes := url.Values{"name": question["name"], "contact": question["contact"], "message": question["message"]}
			changes.Set(test.field, test.typed)
			a := b.submit(t, form, askForm, changes)
			wantStatus(t, a, http.StatusUnprocessableEntity)
			doc := parse(t, a)
			field := doc.Find("#" + test.field)
			id, _, _ := strings.Cut(field.AttrOr("aria-describedby", ""), " ")
			if field.AttrOr("aria-invalid", "") != "true" || doc.Find("#"+id+".error").Text() == "" || doc.Find(".mistakes a").Length() != 1 {
				t.Errorf("%s=%.20q: the field does not say what is wrong", test.field, test.typed)
			}
			kept := fieldsOf(doc.Find(askForm))
			for name := range question {
				if want := strings.ReplaceAll(changes.Get(name), "\r\n", "\n"); name != test.field && strings.ReplaceAll(kept.Get(name), "\r\n", "\n") != want {
					t.Errorf("%s=%.20q: %s was lost", test.field, test.typed, name)
				}
			}
		}
	}
	if n := s.number(t, `SELECT count(*) FROM enquiries`); n != 0 {
		t.Errorf("%d rows are stored", n)
	}
	wantStatus(t, b.get(t, "/apartments/999999/enquiry"), http.StatusNotFound)
	wantStatus(t, b.get(t, fmt.Sprintf("/apartments/%d/enquiry", s.number(t, `SELECT min(id) FROM apartments WHERE status = 'withdrawn'`))), http.StatusGone)
}

func TestEnquiriesAreLimited(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	ask := func() answer { return b.submit(t, b.get(t, "/ru/apartments/1/enquiry"), askForm, question) }
	for range 5 {
		wantRedirect(t, ask(), "/ru/apartments/1/enquiry?sent=1")
	}
	refused := ask()
	wantStatus(t, refused, http.StatusTooManyRequests)
	doc := parse(t, refused)
	if notice := doc.Find(".notice").Text(); !strings.Contains(notice, "через 10 минут") || refused.Header.Get("Retry-After") == "" {
		t.Errorf("the refusal says %q", notice)
	}
	if kept := fieldsOf(doc.Find(askForm)); kept.Get("name") != "Anna" || !strings.Contains(kept.Get("message"), "cellar") {
		t.Error("the refusal has lost what was typed")
	}
	b.header.Set("X-Forwarded-For", "203.0.113.7") // somebody else, behind the same balancer
	wantStatus(t, ask(), http.StatusSeeOther)
	if n := s.number(t, `SELECT count(*) FROM enquiries`); n != 6 {
		t.Errorf("%d rows are stored, want 6", n)
	}
}

func TestEnquiryWithoutSessionRedisOrToken(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	form := b.get(t, "/apartments/1/enquiry")
	forged := b.submit(t, form, askForm, url.Values{"csrf": {"made up"}})
	wantStatus(t, forged, http.StatusForbidden)
	must(t, s.sessions.Close())
	away := b.submit(t, form, askForm, question)
	wantStatus(t, away, http.StatusServiceUnavailable)
	doc := parse(t, away)
	if !strings.Contains(doc.Find(".notice").Text(), "Yours was not sent") || fieldsOf(doc.Find(askForm)).Get("name") != "Anna" {
		t.Error("the refusal does not say that nothing was sent, or has lost what was typed")
	}
	if n := s.number(t, `SELECT count(*) FROM enquiries`); n != 0 {
		t.Errorf("%d rows are stored", n)
	}
}
