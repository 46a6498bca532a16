// The search on the home page: it leads to the listing of the chosen city.

package handlers

import (
	"net/http"
	"strings"
	"unicode"

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
	query.Set("price_max", withoutGaps(query.Get("price_max")))
	path := "/" + city.Slug + "?" + query.Encode()
	if filter, err := models.ParseFilter(query, city); err == nil {
		path = listingPath(city, filter)
	} // else the listing says what is wrong, and how to go on
	return c.Redirect(http.StatusFound, s.frame(c).URL(path))
}

// withoutGaps takes out of a number what people put between its digits: "10 000 000", "1,00,00,000".
func withoutGaps(number string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune(",.'’", r) {
			return -1
		}
		return r
	}, number)
}
