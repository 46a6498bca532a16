// An editor's browser: cookies, forms, a login.

package handlers_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// browser keeps cookies and follows no redirect.
type browser struct {
	site   *testSite
	client *http.Client
	header http.Header // sent with every request
}

func (s *testSite) browser(t testing.TB) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	client := *s.client
	client.Jar = jar
	return &browser{s, &client, http.Header{}}
}

// editor is a browser that is logged in.
func (s *testSite) editor(t testing.TB, name string) *browser {
	t.Helper()
	password, err := s.store.AddAdmin(t.Context(), name)
	must(t, err)
	b := s.browser(t)
	wantRedirect(t, b.login(t, name, password), "/admin")
	return b
}

func (b *browser) login(t testing.TB, name, password string) answer {
	t.Helper()
	return b.submit(t, b.get(t, "/admin/login"), "form[action='/admin/login']", url.Values{"name": {name}, "password": {password}})
}

func (b *browser) get(t testing.TB, path string) answer {
	t.Helper()
	return b.do(t, http.MethodGet, path, nil)
}

func (b *browser) do(t testing.TB, method, path string, form url.Values) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, b.site.url+path, strings.NewReader(form.Encode()))
	must(t, err)
	for name, values := range b.header {
		request.Header[name] = values
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := b.client.Do(request)
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		wantWellFormed(t, string(body))
	}
	return answer{response, string(body)}
}

// submit sends a form of a page as it stands, but for the changes; "" in changes is an empty field.
func (b *browser) submit(t testing.TB, page answer, form string, changes url.Values) answer {
	t.Helper()
	selection := parse(t, page).Find(form).First()
	action, found := selection.Attr("action")
	if !found {
		t.Fatalf("%s has no form %s:\n%.300s", page.Request.URL.Path, form, page.body)
	}
	values := fieldsOf(selection)
	for name, value := range changes {
		values[name] = value
	}
	return b.do(t, http.MethodPost, action, values)
}

// fieldsOf is what a browser would send of a form, without its buttons.
func fieldsOf(form *goquery.Selection) url.Values {
	values := url.Values{}
	form.Find("input, textarea, select").Each(func(_ int, f *goquery.Selection) {
		name := f.AttrOr("name", "")
		switch goquery.NodeName(f) {
		case "input":
			if _, checked := f.Attr("checked"); checked || f.AttrOr("type", "") != "checkbox" {
				values.Add(name, f.AttrOr("value", ""))
			}
		case "textarea":
			values.Add(name, f.Text())
		case "select":
			values.Add(name, f.Find("option[selected]").AttrOr("value", f.Find("option").First().AttrOr("value", "")))
		}
	})
	return values
}

func wantRedirect(t testing.TB, a answer, to string) {
	t.Helper()
	wantStatus(t, a, http.StatusSeeOther)
	wantHeader(t, a, "Location", to)
}
