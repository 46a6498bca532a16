// The page of one apartment.

package handlers

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/models"
	"podbor/templates"
)

func (s *site) apartment(c echo.Context) error {
	ctx := c.Request().Context()
	id, ok := parseID(c.Param("id"))
	if !ok {
		return models.ErrNotFound // without a lookup: such an id cannot exist
	}
	detail, err := s.store.Apartment(ctx, id)
	if err != nil {
		return err
	}
	cities, city, err := s.cityByID(ctx, detail.CityID)
	if err != nil {
		return err
	}
	if detail.Status == models.Withdrawn {
		return &goneError{cities, city, detail.Card, s.store.Similar(ctx, city, detail.Card)}
	}
	similar := s.store.Similar(ctx, city, detail.Card)
	fr := s.frame(c)
	view := apartmentView(fr, cities, city, detail, time.Now())
	if !s.store.Flags(ctx).PriceChart {
		view.Chart = templates.Chart{}
	}
	// Applied after the cache: a view is no edit of the apartment.
	if n := s.store.Views(ctx, id); n > 0 {
		view.Views = fr.Count(int(n), fr.T.Apartment.Views)
	}
	if c.Request().Method == http.MethodGet {
		s.views.Seen(id)
	}
	view.Market = marketView(fr, &city, &detail.Card, similar)
	view.Similar = alike(fr, &city, &detail.Card, similar, time.Now())
	_, view.Notice = fresh(fr, models.Lookups(ctx), time.Now())
	return s.renderShared(c, shareApartment, templates.ApartmentPage(view))
}

// apartmentPath is the path in English, as all that are called paths.
func apartmentPath(id int64) string { return "/apartments/" + strconv.FormatInt(id, 10) }

// parseID accepts a positive number in its shortest spelling only, so that each apartment has one URL.
func parseID(s string) (int64, bool) {
	id, err := strconv.ParseInt(s, 10, 64)
	return id, err == nil && id > 0 && strconv.FormatInt(id, 10) == s
}
