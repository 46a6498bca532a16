// Editing: what is typed is kept, what is wrong is named, two editors lose nothing, and visitors see it at once.

package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

const editForm = "form.desk-form"

func TestAnEditShowsAtOnceOnEveryProcess(t *testing.T) {
	s := newSite(t)
	other := startSite(t, s.database, s.redisURL)
	id := s.number(t, `SELECT min(id) FROM apartments WHERE status = 'published'`)
	path := fmt.Sprint("/apartments/", id)
	eventually(t, "both processes keep copies of their own", func() bool {
		return strings.Contains(s.get(t, path).Header.Get("Cache-Status"), "detail=l1") && strings.Contains(other.get(t, path).Header.Get("Cache-Status"), "detail=l1")
	})
	b := s.editor(t, "ada")
	for i, title := range []string{"Bright flat with a tower", "Светлая квартира с башней"} {
		a := b.submit(t, b.get(t, "/admin"+path), editForm, url.Values{"title": {title}, "price": {fmt.Sprint("7 654 32", i)}})
		wantRedirect(t, a, "/admin"+path+"?done=saved")
		if got := s.page(t, path).Find("h1").Text(); got != title {
			t.Errorf("the process that saved shows %q", got)
		}
		eventually(t, "the other process shows it, well before its copy ends", func() bool {
			return other.page(t, path).Find("h1").Text() == title
		})
	}
	wantStatus(t, b.submit(t, b.get(t, "/admin"+path), "form.status", url.Values{"status": {"withdrawn"}}), http.StatusSeeOther)
	wantStatus(t, s.get(t, path), http.StatusGone)
	eventually(t, "the other process has withdrawn it, too", func() bool { return other.get(t, path).StatusCode == http.StatusGone })
	wantStatus(t, b.submit(t, b.get(t, "/admin"+path), "form.status", url.Values{"status": {"published"}}), http.StatusSeeOther)
	wantStatus(t, s.get(t, path), http.StatusOK)

	log := parse(t, b.get(t, fmt.Sprint("/admin/log?apartment=", id)))
	if n := log.Find(".edit").Length(); n != 4 {
		t.Errorf("%d edits in the log, want 4", n)
	}
	first := log.Find(".edit").Last()
	if text := first.Text(); !strings.Contains(text, "ada") || first.Find("dd ins").First().Text() != "7,654,320" || first.Find("dt").Last().Text() != "Title" {
		t.Errorf("the first edit is logged as %s", text)
	}
}

func TestNewApartmentIsMadeOnce(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	form := b.get(t, "/admin/apartments/new")
	typed := url.Values{
		"title": {"Flat over the bakery"}, "description": {"Smells of bread.\r\nEvery morning."}, "rooms": {"2"}, "area": {"54,5"}, "floor": {"1"},
		"price": {"9,000,000"}, "amenities": {"pets", "balcony"},
	}
	var district, street, house string
	must(t, s.sql.QueryRowContext(t.Context(), `SELECT district_id, street, house FROM buildings ORDER BY id LIMIT 1`).Scan(&district, &street, &house))
	typed.Set("district", district)
	typed.Set("street", strings.ToUpper(street))
	typed.Set("house", house)
	places := make([]string, 10)
	var clicks sync.WaitGroup
	for i := range places {
		clicks.Go(func() {
			places[i] = b.submit(t, form, editForm, typed).Header.Get("Location")
		})
	}
	clicks.Wait()
	for _, place := range places {
		if place == "" || place != places[0] {
			t.Fatalf("ten clicks lead to %q, want one apartment", places)
		}
	}
	if n := s.number(t, `SELECT count(*) FROM apartments WHERE title = 'Flat over the bakery'`); n != 1 {
		t.Errorf("%d apartments were made, want 1", n)
	}
	page := b.get(t, places[0])
	wantStatus(t, page, http.StatusOK)
	values := fieldsOf(parse(t, page).Find(editForm))
	for name, want := range map[string]string{"area": "54.5", "price": "9000000", "street": street, "description": "Smells of bread.\nEvery morning."} {
		if got := strings.TrimPrefix(values.Get(name), "\n"); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := strings.Join(values["amenities"], " "); got != "balcony pets" {
		t.Errorf("amenities %q", got)
	}
	wantStatus(t, s.get(t, strings.TrimSuffix(strings.TrimPrefix(places[0], "/admin"), "?done=created")), http.StatusOK)

	typed.Set("title", "Flat over the butcher")
	again := b.submit(t, form, editForm, typed)
	wantStatus(t, again, http.StatusOK)
	wantStatus(t, b.submit(t, again, editForm, nil), http.StatusSeeOther)
}

func TestMistakesAreNamedAndNothingIsLost(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	page := b.get(t, "/admin/apartments/1")
	for _, test := range []struct{ field, typed string }{
		{"title", ""}, {"title", "  "}, {"title", "two\nlines"}, {"title", strings.Repeat("x", 121)}, {"title", "a\u202eb"}, {"title", "a\x00b"}, {"title", "\xff"},
		{"description", ""}, {"description", strings.Repeat("щ", 5001)},
		{"price", "0"}, {"price", "-5"}, {"price", "1.5"}, {"price", "cheap"}, {"price", "1000000000001"}, {"price", "99999999999999999999"}, {"price", ""},
		{"area", "0"}, {"area", "54.55"}, {"area", "1e3"}, {"area", "NaN"}, {"area", "Inf"}, {"area", "0x10"}, {"area", "10000"}, {"area", "1,2,3"},
		{"floor", "0"}, {"floor", "201"}, {"floor", "x"}, {"rooms", "6"}, {"rooms", "-1"}, {"district", ""}, {"district", "32000"}, {"street", "Nowhere Street"},
		{"house", ""}, {"street", `"><svg onload=alert(1)>`},
	} {
		a := b.submit(t, page, editForm, url.Values{test.field: {test.typed}})
		wantStatus(t, a, http.StatusUnprocessableEntity)
		doc := parse(t, a)
		field := doc.Find("#" + test.field)
		marked := field
		if test.field == "district" || test.field == "house" && test.typed != "" {
			marked = doc.Find("[aria-invalid]").First()
		}
		if test.field == "district" && test.typed != "" {
			marked = doc.Find("#street") // the address is not in that district
		}
		described := marked.AttrOr("aria-describedby", "")
		id, _, _ := strings.Cut(described, " ")
		if marked.AttrOr("aria-invalid", "") != "true" || doc.Find("#"+id+".error").Text() == "" || doc.Find(".mistakes a").Length() == 0 {
			t.Errorf("%s=%.20q: the field does not say what is wrong", test.field, test.typed)
		}
		if doc.Find("[onload]").Length() > 0 {
			t.Errorf("%s=%q became markup", test.field, test.typed)
		}
		sent, kept := fieldsOf(parse(t, page).Find(editForm)), fieldsOf(doc.Find(editForm))
		for name, values := range sent {
			if want := strings.Join(values, " "); name != test.field && name != "csrf" && strings.Join(kept[name], " ") != want {
				t.Errorf("%s=%.20q: %s was lost", test.field, test.typed, name)
			}
		}
	}
	if n := s.number(t, `SELECT count(*) FROM edit_log`); n != 0 {
		t.Errorf("%d edits were made", n)
	}
	floors := s.number(t, `SELECT floors FROM buildings WHERE id = (SELECT building_id FROM apartments WHERE id = 1)`)
	wantStatus(t, b.submit(t, page, editForm, url.Values{"floor": {fmt.Sprint(floors + 1)}}), http.StatusUnprocessableEntity)
	wantRedirect(t, b.submit(t, page, editForm, nil), "/admin/apartments/1?done=unchanged")
}

// Two editors open the same form. The second to save sees both versions, takes over what is wanted, and saves.
func TestTwoEditors(t *testing.T) {
	s := newSite(t)
	ada, grace := s.editor(t, "ada"), s.editor(t, "grace")
	const path = "/admin/apartments/1"
	adas, graces := ada.get(t, path), grace.get(t, path)
	wantStatus(t, ada.submit(t, adas, editForm, url.Values{"title": {"Ada's title"}, "price": {"111"}}), http.StatusSeeOther)

	conflict := grace.submit(t, graces, editForm, url.Values{"title": {"Grace's title"}, "description": {"Grace's words."}})
	wantStatus(t, conflict, http.StatusConflict)
	doc := parse(t, conflict)
	values := fieldsOf(doc.Find(editForm))
	if values.Get("title") != "Grace's title" || strings.TrimPrefix(values.Get("description"), "\n") != "Grace's words." {
		t.Error("what the second editor typed is lost")
	}
	if got := doc.Find(".field:has(#title) .stored-text").Text(); got != "Ada's title" {
		t.Errorf("beside the title stands %q", got)
	}
	if got := doc.Find(".field:has(#price) .stored-text").Text(); got != "111" {
		t.Errorf("beside the price stands %q", got)
	}
	if n := doc.Find(".stored").Length(); n != 3 {
		t.Errorf("%d fields are shown as different, want title, description and price", n)
	}

	taken := grace.submit(t, conflict, editForm, url.Values{"take": {"price"}})
	wantStatus(t, taken, http.StatusOK)
	wantStatus(t, grace.submit(t, taken, editForm, nil), http.StatusSeeOther)
	var title string
	must(t, s.sql.QueryRowContext(t.Context(), `SELECT title FROM apartments WHERE id = 1`).Scan(&title))
	if price := s.number(t, `SELECT price FROM apartments WHERE id = 1`); title != "Grace's title" || price != 111 {
		t.Errorf("stored are %q and %d, want Grace's title and Ada's price", title, price)
	}
	wantStatus(t, ada.submit(t, adas, "form.status", url.Values{"status": {"withdrawn"}}), http.StatusConflict)
}

// A session that ends while somebody types costs a login, not the text.
func TestSessionThatEndsMeanwhile(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	page := b.get(t, "/admin/apartments/1")
	must(t, s.redis.FlushDB(t.Context()).Err())
	a := b.submit(t, page, editForm, url.Values{"title": {`A "long" <title>`}})
	wantStatus(t, a, http.StatusForbidden)

	password, err := s.store.ResetAdmin(t.Context(), "ada")
	must(t, err)
	wantStatus(t, b.login(t, "ada", password), http.StatusSeeOther)
	wantRedirect(t, b.submit(t, a, "main form", nil), "/admin/apartments/1?done=saved")
	if n := s.number(t, `SELECT count(*) FROM apartments WHERE id = 1 AND title = 'A "long" <title>'`); n != 1 {
		t.Error("the title was not saved")
	}
}

func TestDeskFinds(t *testing.T) {
	s := newSite(t)
	b := s.editor(t, "ada")
	s.exec(t, `UPDATE apartments SET title = 'Flat with 100% _light_ \ ''x''' WHERE id = 7`)
	withdrawn := s.number(t, `SELECT count(*) FROM apartments WHERE status = 'withdrawn' AND city_id = 1`)
	for query, want := range map[string]int64{
		"q=7": -1, "q=100%25+_LIGHT_": 1, "q=%5C": 1, "q=%27x%27": 1, "q=no+such+thing": 0, "q=%00%ff": 25, "page=9999": 0, "page=x": 25, "page=-1": 25,
		"city=moscow&status=withdrawn": min(withdrawn, 25), "city=atlantis": 25, "q=" + strings.Repeat("%D1%89", 2000): 0, "": 25,
	} {
		a := b.get(t, "/admin/apartments?"+query)
		wantStatus(t, a, http.StatusOK)
		rows := parse(t, a).Find("tbody tr")
		if want >= 0 && int64(rows.Length()) != want {
			t.Errorf("%.40s: %d rows, want %d", query, rows.Length(), want)
		}
		if want < 0 && !strings.Contains(a.body, `href="/admin/apartments/7"`) {
			t.Errorf("%s does not find the number", query)
		}
	}
	seen := map[string]bool{}
	for path := "/admin/apartments?city=kazan"; path != ""; {
		doc := parse(t, b.get(t, path))
		doc.Find("tbody a").Each(func(_ int, link *goquery.Selection) { seen[link.AttrOr("href", "")] = true })
		path = doc.Find("a[rel=next]").AttrOr("href", "")
	}
	if want := s.number(t, `SELECT count(*) FROM apartments a JOIN cities c ON c.id = a.city_id WHERE c.slug = 'kazan'`); int64(len(seen)) != want {
		t.Errorf("paging finds %d of %d", len(seen), want)
	}
}
