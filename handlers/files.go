// Pictures, files and the probes: everything that is not a page.

package handlers

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/static"
	"podbor/templates"
)

// forever is for a URL that names its content: new content gets a new URL.
const forever = "public, max-age=31536000, immutable"

// facade draws a building. Its URL holds all that the drawing needs, so nothing is looked up.
func (s *site) facade(c echo.Context) error {
	var f templates.Facade
	name := c.Param("name")
	if _, err := fmt.Sscanf(name, "%d-%d-%d-%d.svg", &f.Building, &f.Floors, &f.District, &f.Year); err != nil || name != facadeName(f) ||
		!within(f.Building, math.MaxInt32) || !within(f.Floors, 200) || !within(f.District, math.MaxInt16) || !within(f.Year, 9999) {
		return models.ErrNotFound
	}
	return s.sendDrawing(c, f.Draw())
}

func facadeName(f templates.Facade) string {
	return fmt.Sprintf("%d-%d-%d-%d.svg", f.Building, f.Floors, f.District, f.Year)
}

// interior draws a room. A name is that of the kind, then numbers, as "living-512-4-3.svg".
func (s *site) interior(c echo.Context) error {
	name := c.Param("name")
	kind, numbers, _ := strings.Cut(name, "-")
	i := templates.Interior{Kind: kind}
	if _, err := fmt.Sscanf(numbers, "%d-%d-%d.svg", &i.Flat, &i.Floor, &i.District); err != nil || name != interiorName(i) ||
		!slices.Contains(templates.InteriorKinds[:], kind) ||
		!within(i.Flat, math.MaxInt) || !within(i.Floor, 200) || !within(i.District, math.MaxInt16) {
		return models.ErrNotFound
	}
	return s.sendDrawing(c, i.Draw())
}

func interiorName(i templates.Interior) string {
	return fmt.Sprintf("%s-%d-%d-%d.svg", i.Kind, i.Flat, i.Floor, i.District)
}

// plan draws a floor plan, whose rooms are named in a language: "en-512-2-545.svg".
func (s *site) plan(c echo.Context) error {
	name := c.Param("name")
	tag, numbers, _ := strings.Cut(name, "-")
	language := locale.ByTag(tag)
	var p templates.Plan
	if _, err := fmt.Sscanf(numbers, "%d-%d-%d.svg", &p.Flat, &p.Rooms, &p.Tenths); err != nil || language == nil ||
		name != planName(language, p) || !within(p.Flat, math.MaxInt) || !within(p.Rooms, models.MaxRooms) || !canPlan(p) {
		return models.ErrNotFound
	}
	return s.sendDrawing(c, p.Draw(planTexts(language, p)))
}

func planName(l *locale.Locale, p templates.Plan) string {
	return fmt.Sprintf("%s-%d-%d-%d.svg", l.Tag, p.Flat, p.Rooms, p.Tenths)
}

// canPlan reports whether a flat has a size at which its rooms can be told apart, and furniture looks like some.
func canPlan(p templates.Plan) bool { return 10*12 <= p.Tenths && p.Tenths <= 10*600 }

// skyline draws a city. Any name in the form of a slug has one, known or not.
func (s *site) skyline(c echo.Context) error {
	city, ok := strings.CutSuffix(c.Param("name"), ".svg")
	if !ok || len(city) > 40 || strings.Trim(city, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return models.ErrNotFound
	}
	return s.sendDrawing(c, templates.DrawSkyline(city))
}

func within(n, limit int) bool { return 0 <= n && n <= limit }

func (s *site) sendDrawing(c echo.Context, svg []byte) error {
	c.Response().Header().Set(echo.HeaderCacheControl, forever)
	return s.bodies.send(c, http.StatusOK, "image/svg+xml", svg)
}

func (s *site) static(c echo.Context) error {
	asset, ok := static.Lookup(c.Request().URL.Path)
	if !ok {
		return models.ErrNotFound
	}
	header := c.Response().Header()
	header.Set(echo.HeaderCacheControl, forever)
	header.Set("ETag", `"`+asset.Path+`"`) // the path contains the hash of the content
	if strings.Contains(c.Request().Header.Get("If-None-Match"), asset.Path) {
		return c.NoContent(http.StatusNotModified)
	}
	return s.bodies.sendZipped(c, http.StatusOK, asset.Type, asset.Body, asset.Gzip)
}

// favicon answers browsers that ask for the icon under its old name.
func (s *site) favicon(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderCacheControl, "public, max-age=86400")
	return c.Redirect(http.StatusFound, static.Path("favicon.svg"))
}

// healthz says that the process lives. It asks nobody: a database that is away is no reason to restart this process.
func (s *site) healthz(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return c.String(http.StatusOK, "ok\n")
}

// readyz says whether this process can serve, within a second.
func (s *site) readyz(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	ctx, cancel := context.WithTimeout(c.Request().Context(), time.Second)
	defer cancel()
	if err := s.ready(ctx); err != nil {
		s.log.LogAttrs(ctx, slogWarn, "not ready", errAttr(err))
		return c.String(http.StatusServiceUnavailable, "not ready\n")
	}
	return c.String(http.StatusOK, "ready\n")
}
