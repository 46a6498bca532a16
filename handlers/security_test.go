// What holds of every answer, and of every text that somebody outside has written.

package handlers_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"podbor/models"
)

func TestSecurityHeadersOnEveryRoute(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	seen := 0
	for _, route := range s.echo.Routes() {
		if !strings.HasPrefix(route.Path, "/") || route.Method != http.MethodGet && route.Method != http.MethodPost {
			continue
		}
		path := strings.NewReplacer(":id", "1", ":city", "moscow", ":name", "none").Replace(route.Path)
		for _, visitor := range []*browser{b, s.browser(t)} {
			a := visitor.do(t, route.Method, path, nil)
			if a.StatusCode >= 500 {
				t.Errorf("%s %s: status %d", route.Method, path, a.StatusCode)
			}
			policy := a.Header.Get("Content-Security-Policy")
			if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
				t.Errorf("%s %s: Content-Security-Policy is %q", route.Method, path, policy)
			}
			wantHeader(t, a, "X-Content-Type-Options", "nosniff")
			wantHeader(t, a, "Referrer-Policy", "strict-origin-when-cross-origin")
			wantHeader(t, a, "Cross-Origin-Opener-Policy", "same-origin")
			if len(a.Cookies()) > 0 && a.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s %s: a cookie in an answer that may be kept: %q", route.Method, path, a.Header.Get("Cache-Control"))
			}
		}
		seen++
	}
	if seen < 20 {
		t.Errorf("only %d routes", seen)
	}
}

// hostile are texts that have become markup, script or a wrong direction somewhere before.
var hostile = []string{
	`</ScRiPt><script>alert(1)</script><svg onload=alert(1)>`,
	`"'><img src=x onerror=alert(2)>`,
	`<!--<script>`,
	"javascript:alert(3)",
	"{{7*7}} {name} ${1} &lt;b&gt; &amp;quot; \u2028 \u2029",
	"\u202egnp.exe \u200f שלום مرحبا",
	strings.Repeat("<b>wide", 1500),
}

// Editors and visitors can write anything; the database even takes what the forms refuse.
func TestHostileTextOnEveryPage(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	id := s.number(t, `SELECT min(id) FROM apartments WHERE status = 'published'`)
	public, admin := fmt.Sprint("/apartments/", id), fmt.Sprint("/admin/apartments/", id)
	// One home is like it, and one was.
	const neighbour = `SELECT a.id FROM apartments a JOIN apartments b USING (city_id, district_id, rooms) WHERE b.id = $1 AND a.id <> b.id ORDER BY a.id LIMIT 1`
	other := s.number(t, neighbour, id)
	lost := s.number(t, neighbour+` OFFSET 1`, id)
	s.exec(t, `UPDATE apartments SET price = (SELECT price FROM apartments WHERE id = $1), area = (SELECT area FROM apartments WHERE id = $1),
		status = CASE WHEN id = $3 THEN 'withdrawn' ELSE 'published' END WHERE id IN ($2, $3)`, id, other, lost)
	like, gone := fmt.Sprint("/apartments/", other), fmt.Sprint("/apartments/", lost)
	city := ""
	must(t, s.sql.QueryRowContext(t.Context(), `SELECT slug FROM cities WHERE id = (SELECT city_id FROM apartments WHERE id = $1)`, id).Scan(&city))
	for _, text := range hostile {
		version := s.number(t, `SELECT version FROM apartments WHERE id = $1`, id)
		_, err := s.cached.UpdateApartment(t.Context(), "test", id, int32(version), func(d *models.Draft) { d.Title, d.Description = text, text })
		must(t, err)
		s.exec(t, `INSERT INTO edit_log (editor, apartment_id, before, after) VALUES ($1, $2, jsonb_build_object($1::text, $1::text), jsonb_build_object($1::text, $1::text))`, text, id)
		s.exec(t, `INSERT INTO enquiries (form, apartment_id, name, contact, message) VALUES ($1, $2, $1, $1, $1)`, fmt.Sprint(version, text[:min(len(text), 1000)]), id)
		if !strings.Contains(s.page(t, public).Find("main").Text(), text) {
			t.Errorf("%.30q is not shown as it is", text)
		}
		for _, path := range []string{like, gone} {
			if !strings.Contains(parse(t, s.get(t, path)).Find(".similar").Text(), text) {
				t.Errorf("%.30q is not among the similar homes of %s", text, path)
			}
		}
		pages := []string{
			public, "/ru" + public, "/hi" + public, like, gone, public + "/enquiry", "/ru" + public + "/enquiry", "/", "/ru/", "/" + city, "/hi/" + city,
			admin, "/admin", "/admin/log", "/admin/enquiries", fmt.Sprint("/admin/apartments?q=", id),
			fmt.Sprint("/admin/apartments?q=", url.QueryEscape(text[:min(len(text), 500)])), "/" + url.PathEscape(text[:min(len(text), 500)]),
		}
		for _, path := range pages {
			a := b.get(t, path)
			if a.StatusCode >= 500 {
				t.Errorf("%s: status %d", path, a.StatusCode)
			}
			doc := parse(t, a)
			if doc.Find("[onerror], [onload], [href^='javascript'], main b > b, script:not([type='application/ld+json']):not([src])").Length() > 0 {
				t.Errorf("%.100s with %.30q: text became markup", path, text)
			}
		}
		if got := strings.TrimPrefix(fieldsOf(parse(t, b.get(t, admin)).Find("form.desk-form")).Get("title"), "\n"); got != text {
			t.Errorf("the form of %.30q holds %.30q", text, got)
		}
	}
}

// A form has room for a long description in any script, and no more.
func TestBodiesAreBounded(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	page := b.get(t, "/admin/apartments/1")
	wantStatus(t, b.submit(t, page, "form.desk-form", url.Values{"description": {strings.Repeat("ज", 5000)}}), http.StatusSeeOther)
	for _, path := range []string{"/admin/login", "/admin/apartments/1", "/apartments/1/enquiry"} {
		a := b.do(t, http.MethodPost, path, url.Values{"message": {strings.Repeat("x", 1<<20)}})
		wantStatus(t, a, http.StatusRequestEntityTooLarge)

		// Without a stated length, too.
		endless := io.LimitReader(zeros{}, 1<<20)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, endless)
		must(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		response, err := b.client.Do(request)
		if err != nil {
			continue // cut off while it was sending
		}
		response.Body.Close()
		if response.StatusCode < 400 || response.StatusCode >= 500 {
			t.Errorf("%s: an endless body is answered with %d", path, response.StatusCode)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}
