// The sitemap, for search engines: an index, one file of the pages about cities, and the homes in parts.

package handlers

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/locale"
	"podbor/models"
)

const (
	xmlHeader = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	sitemapNS = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
)

func (s *site) robots(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderCacheControl, "public, max-age=3600")
	return c.String(http.StatusOK, "User-agent: *\nDisallow: /metrics\nDisallow: /language\nDisallow: /admin\n\nSitemap: "+s.base(c)+"/sitemap.xml\n")
}

func (s *site) sitemapIndex(c echo.Context) error {
	index, err := s.store.SitemapIndex(c.Request().Context())
	if err != nil {
		return err
	}
	base := s.base(c)
	b := []byte(xmlHeader + "<sitemapindex" + sitemapNS)
	add := func(name string) { b = append(b, "<sitemap><loc>"+base+"/sitemaps/"+name+".xml</loc></sitemap>"...) }
	add("cities")
	for part := range index.Parts {
		add(strconv.Itoa(part + 1))
	}
	return s.sendShared(c, shareSitemap, echo.MIMEApplicationXMLCharsetUTF8, append(b, "</sitemapindex>\n"...))
}

// sitemapPart sends /sitemaps/cities.xml, or /sitemaps/3.xml. Each page is named in every language: with 10,000 homes a
// part stays below the 50,000 URLs that the protocol allows.
func (s *site) sitemapPart(c echo.Context) error {
	ctx := c.Request().Context()
	name, ok := strings.CutSuffix(c.Param("name"), ".xml")
	if !ok {
		return models.ErrNotFound
	}
	b := []byte(xmlHeader + "<urlset" + sitemapNS)
	base := s.base(c)
	add := func(path, changed string) {
		for _, l := range locale.All {
			b = append(b, "<url><loc>"...)
			b = append(append(append(b, base...), l.Prefix...), path...)
			b = append(b, "</loc>"...)
			if changed != "" {
				b = append(append(append(b, "<lastmod>"...), changed...), "</lastmod>"...)
			}
			b = append(b, "</url>\n"...)
		}
	}
	if name == "cities" {
		cities, err := s.store.Cities(ctx)
		if err != nil {
			return err
		}
		add("/", "")
		for _, city := range cities {
			add("/"+city.Slug, "")
			add(districtsPath(city), "")
		}
	} else {
		part, err := s.sitemapOf(c, name)
		if err != nil {
			return err
		}
		for _, home := range part.Homes {
			add(apartmentPath(home.ID), time.Unix(home.Changed, 0).UTC().Format(time.RFC3339))
		}
	}
	return s.sendShared(c, shareSitemap, echo.MIMEApplicationXMLCharsetUTF8, append(b, "</urlset>\n"...))
}

// sitemapOf returns a part that the index counts: another is not looked up, so that it makes no key.
func (s *site) sitemapOf(c echo.Context, name string) (models.Sitemap, error) {
	ctx := c.Request().Context()
	index, err := s.store.SitemapIndex(ctx)
	if err != nil {
		return models.Sitemap{}, err
	}
	part, ok := parseID(name)
	if !ok || part > int64(index.Parts) {
		return models.Sitemap{}, models.ErrNotFound
	}
	return s.store.SitemapPart(ctx, int(part))
}
