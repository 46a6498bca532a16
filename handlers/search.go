// The search on the home page: it leads to the listing of the chosen city.

package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"podbor/models"
)

func (s *site) search(c echo.Context) error {
	query := c.QueryParams()
	_, city, err := s.cityBySlug(c.Request().Context(), query.Get("city"))
	if err != nil {
		return err
	}
	query.Del("city")
	filter, err := models.ParseFilter(query, city)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusFound, s.frame(c).URL(listingPath(city, filter)))
}
