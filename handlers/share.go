// Sharing: pages and files without personal state, which an edge cache may keep, and which a browser may ask about again.

package handlers

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/cespare/xxhash/v2"
	"github.com/labstack/echo/v4"
)

// How long an edge cache may answer with its copy, and with the old one while it fetches another. A browser asks each
// time (max-age=0), and gets a 304 if nothing has changed.
const (
	shareListing   = "public, max-age=0, s-maxage=5, stale-while-revalidate=30"
	shareApartment = "public, max-age=0, s-maxage=5, stale-while-revalidate=30"
	shareHome      = "public, max-age=0, s-maxage=30, stale-while-revalidate=300"
	shareFeed      = "public, max-age=300, s-maxage=60, stale-while-revalidate=600"
	shareSitemap   = "public, max-age=3600, stale-while-revalidate=86400"
)

// renderShared sends a page that is the same for everyone. A stricter Cache-Control that is already set stays.
func (s *site) renderShared(c echo.Context, sharing string, page templ.Component) error {
	b := s.bodies.buffer()
	defer s.bodies.release(b)
	if err := renderInto(c.Request().Context(), b, page); err != nil {
		return err
	}
	return s.sendShared(c, sharing, htmlType, b.Bytes())
}

// sendShared sends a body that is the same for everyone, unless the client has it.
func (s *site) sendShared(c echo.Context, sharing, contentType string, body []byte) error {
	if unchanged(c, sharing, tagOf(body)) {
		return c.NoContent(http.StatusNotModified)
	}
	return s.bodies.send(c, http.StatusOK, contentType, body)
}

// tagOf is weak, because one body has two forms: as it is, and compressed.
func tagOf(body []byte) string { return `W/"` + strconv.FormatUint(xxhash.Sum64(body), 36) + `"` }

// unchanged writes the headers of a shared body, and reports whether the client has it already.
func unchanged(c echo.Context, sharing, tag string) bool {
	header := c.Response().Header()
	header.Set("ETag", tag)
	if header.Get(echo.HeaderCacheControl) == "" {
		header.Set(echo.HeaderCacheControl, sharing)
	}
	if !matches(c.Request().Header.Get("If-None-Match"), tag) {
		return false
	}
	header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	return true
}

// matches reads an If-None-Match header, comparing weakly: W/"x" and "x" are the same.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimSpace(part)
		if part == "*" || part != "" && strings.TrimPrefix(part, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
