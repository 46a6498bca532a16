// The home page.

package handlers

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/templates"
)

func (s *site) home(c echo.Context) error {
	if localeOf(c) == locale.English {
		// The one page without a language in its URL: it goes by what the visitor picked, or the browser asks for.
		header := c.Response().Header()
		header.Set(echo.HeaderVary, "Accept-Language, Cookie")
		header.Set(echo.HeaderCacheControl, "private, no-cache")
		if l := preferred(c.Request()); l != locale.English {
			return c.Redirect(http.StatusFound, withQuery(l.URL("/"), c.Request().URL))
		}
	}
	ctx := c.Request().Context()
	cities, err := s.store.Cities(ctx)
	if err != nil {
		return err
	}
	home, err := s.store.Home(ctx)
	if err != nil {
		return err
	}
	if !s.store.Flags(ctx).JustListed {
		home.Latest = nil
	}
	fr, now := s.frame(c), time.Now()
	view := homeView(fr, cities, home, now)
	_, view.Notice = fresh(fr, models.Lookups(ctx), now)
	return s.renderShared(c, shareHome, templates.HomePage(view))
}

// cityBySlug returns all cities, and the one with the given slug or ErrNotFound. The slug is looked up in the one entry
// that holds every city, so that an invented one makes no cache key.
func (s *site) cityBySlug(ctx context.Context, slug string) ([]models.City, models.City, error) {
	return s.cityWhere(ctx, func(city models.City) bool { return city.Slug == slug })
}

func (s *site) cityByID(ctx context.Context, id int16) ([]models.City, models.City, error) {
	return s.cityWhere(ctx, func(city models.City) bool { return city.ID == id })
}

func (s *site) cityWhere(ctx context.Context, match func(models.City) bool) ([]models.City, models.City, error) {
	cities, err := s.store.Cities(ctx)
	if err != nil {
		return nil, models.City{}, err
	}
	i := slices.IndexFunc(cities, match)
	if i < 0 {
		return nil, models.City{}, models.ErrNotFound
	}
	return cities, cities[i], nil
}
