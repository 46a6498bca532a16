// The listing of a city.

package handlers

import (
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"podbor/models"
	"podbor/templates"
)

func (s *site) listing(c echo.Context) error {
	ctx := c.Request().Context()
	cities, city, err := s.cityBySlug(ctx, c.Param("city"))
	if err != nil {
		return err
	}

	fr := s.frame(c)

	// One wish has one URL, which is also its cache key: any other spelling is sent there.
	filter, err := models.ParseFilter(c.QueryParams(), city)
	if err != nil {
		return err
	}
	if c.QueryString() != filter.Encode() {
		return c.Redirect(http.StatusFound, fr.URL(listingPath(city, filter)))
	}

	// The counts come first, because they tell whether the page exists: one that does not must not make a key.
	facets, err := s.store.Facets(ctx, city, filter)
	if err != nil {
		return err
	}
	if last := lastPage(facets.Total); filter.Page > last {
		filter.Page = last
		return c.Redirect(http.StatusFound, fr.URL(listingPath(city, filter)))
	}
	cards, err := s.store.List(ctx, city, filter)
	if err != nil {
		return err
	}
	var relax []models.Relaxation
	if facets.Total < few && len(inUse(filter)) > 0 {
		relax, _ = s.store.Relax(ctx, city, filter) // advice: the page is complete without it
	}
	return s.renderKept(c, fr.base+fr.URL(listingPath(city, filter)), shareListing, func() templ.Component {
		now := time.Now()
		view := listingView(fr, cities, city, filter, facets, cards, now)
		view.Relaxed = relaxed(fr, city, filter, relax)
		view.Fresh, view.Notice = fresh(fr, models.Lookups(ctx), now)
		return templates.ListingPage(view)
	})
}

// few is below how many homes a visitor is told which filter to let go.
const few = 6

// lastPage is the number of the last page of a list, 1 when it is empty.
func lastPage(total int) int {
	return max(1, min(models.MaxPages, (total+models.PageSize-1)/models.PageSize))
}

func listingPath(city models.City, f models.Filter) string {
	path := "/" + city.Slug
	if query := f.Encode(); query != "" {
		path += "?" + query
	}
	return path
}
