// Errors: the one place that turns an error into a status and a page.

package handlers

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"podbor/internal/visitor"
	"podbor/models"
	"podbor/templates"
)

// A goneError means that the apartment is known but no longer on offer.
type goneError struct {
	cities  []models.City
	city    models.City
	home    models.Card
	similar models.Similar // homes to look at instead
}

func (e *goneError) Error() string { return "apartment withdrawn" }

// handleError answers a request whose handler failed. It does not log: observe does, once per request.
func (s *site) handleError(err error, c echo.Context) {
	if c.Response().Committed {
		return // too late for another answer
	}
	status := statusOf(err)
	header := c.Response().Header()
	header.Set(echo.HeaderCacheControl, "no-store")
	if status == http.StatusServiceUnavailable {
		// A spread of seconds, so that those who were refused together do not return together.
		header.Set(echo.HeaderRetryAfter, strconv.Itoa(2+rand.IntN(4)))
	}
	view := problemView(s.frame(c), status, err, c.Request().URL, header.Get(echo.HeaderXRequestID))
	if err := s.render(c, status, templates.ProblemPage(view)); err != nil {
		s.log.LogAttrs(c.Request().Context(), slogError, "send error page", errAttr(err))
	}
}

// statusOf maps an error to the status it is answered with. What nobody foresaw is a 500.
func statusOf(err error) int {
	var input *models.InputError
	var gone *goneError
	var http4xx *echo.HTTPError
	switch {
	case errors.As(err, &input):
		return http.StatusBadRequest
	case errors.Is(err, models.ErrNotFound):
		return http.StatusNotFound
	case errors.As(err, &gone):
		return http.StatusGone
	case errors.Is(err, models.ErrOverloaded), errors.Is(err, models.ErrLoadTimeout), errors.Is(err, models.ErrUnavailable),
		errors.Is(err, visitor.ErrAway), errors.Is(err, visitor.ErrBusy),
		errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	case errors.As(err, &http4xx):
		return http4xx.Code
	}
	return http.StatusInternalServerError
}
