// The frame of a page: what every page needs to know of the request it answers, and says about itself.

package handlers

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/templates"
)

// A frame is the language of a page and the address of the site.
type frame struct {
	*locale.Locale
	base string // "https://example.com"; "" when it is not known
}

func (s *site) frame(c echo.Context) frame {
	return frame{localeOf(c), s.base(c)}
}

// base is what a path must be put behind to become a URL that search engines and other sites understand. Without the
// setting, it is what the visitor's browser, or the balancer before us, says.
func (s *site) base(c echo.Context) string {
	host := c.Request().Host
	switch {
	case s.siteURL != "":
		return s.siteURL
	case host == "" || len(host) > 255 || strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") != "":
		return "" // URLs without a host work too
	case secureScheme(c):
		return "https://" + host
	}
	return "http://" + host
}

func secureScheme(c echo.Context) bool { return c.Scheme() == "https" }

// layout frames the page at a path, which is written as in English. current is the id of the city the page belongs to,
// 0 for none.
func (fr frame) layout(path string, cities []models.City, current int16) templates.Layout {
	layout := fr.bareLayout(path)
	layout.Canonical = fr.base + fr.URL(path)
	layout.Act = fr.URL("/mine")
	for i, l := range locale.All {
		layout.Languages[i].Page = fr.base + l.URL(path)
	}
	layout.Cities = make([]templates.Link, len(cities))
	for i, city := range cities {
		layout.Cities[i] = templates.Link{URL: fr.URL("/" + city.Slug), Text: fr.name(city.Name), Current: city.ID == current}
	}
	return layout
}

// bareLayout frames what is not a place to come back to: the answer to a mistake at a path.
func (fr frame) bareLayout(path string) templates.Layout {
	layout := templates.Layout{
		T: fr.T, Lang: fr.Tag, Home: fr.URL("/"), Shortlist: fr.URL("/favourites"), Mine: "/mine.css",
		Languages: make([]templates.Language, len(locale.All)),
	}
	back := "&back=" + url.QueryEscape(path)
	for i, l := range locale.All {
		layout.Languages[i] = templates.Language{
			Tag: l.Tag, Name: l.Name, Switch: "/language?to=" + l.Tag + back, Current: l == fr.Locale,
		}
	}
	return layout
}

// name returns a name in the language of the page, or in English where it has none.
func (fr frame) name(n models.Names) string {
	name := n.EN
	switch {
	case fr.Locale == locale.Russian && n.RU != "":
		name = n.RU
	case fr.Locale == locale.Hindi && n.HI != "":
		name = n.HI
	}
	return name
}
