package handlers_test

import (
	"strings"
	"testing"

	"podbor/models"
)

// A page is kept only while its data is the same: an edit shows at once, and no language or filter gets another's page.
func TestKeptPagesFollowTheirData(t *testing.T) {
	s := newSite(t)
	paths := []string{"/moscow", "/ru/moscow", "/moscow?rooms=2", "/kazan"}
	for range 3 {
		seen := map[string]string{}
		for _, path := range paths {
			body := s.get(t, path).body
			if other, ok := seen[body]; ok {
				t.Errorf("%s and %s are the same page", path, other)
			}
			seen[body] = path
		}
	}
	if a, b := s.get(t, "/moscow"), s.get(t, "/moscow"); a.Header.Get("ETag") != b.Header.Get("ETag") {
		t.Error("nothing has changed, and the page has another tag")
	}

	newest := ` FROM apartments WHERE city_id = (SELECT id FROM cities WHERE slug = 'moscow') AND status = 'published'
		ORDER BY listed_at DESC, id DESC LIMIT 1`
	id, version := s.number(t, `SELECT id`+newest), s.number(t, `SELECT version`+newest)
	_, err := s.cached.UpdateApartment(t.Context(), "test", id, int32(version), func(d *models.Draft) { d.Title = "A home that was renamed" })
	must(t, err)
	for _, path := range []string{"/moscow", "/ru/moscow"} {
		if !strings.Contains(s.get(t, path).body, "A home that was renamed") {
			t.Errorf("%s does not show the edit", path)
		}
	}
}
