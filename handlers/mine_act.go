// The buttons to save and hide a home. They are on pages that are the same for everyone, so their form has no token: that
// it was sent from this site is told by what the browser says of its origin.

package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/locale"
)

var sameOrigin = http.NewCrossOriginProtection()

// act does what a button says, and leads back to the page it is on. The script wants the new stylesheet instead.
func (s *site) act(c echo.Context) error {
	if err := sameOrigin.Check(c.Request()); err != nil {
		return errors.Join(errForged, err)
	}
	form, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	action, id, ok := button(form)
	if !ok {
		return echo.ErrBadRequest
	}
	m, now := readMine(c), time.Now()
	scripted := c.Request().Header.Get(echo.HeaderAccept) == "text/css"
	list := s.frame(c).URL("/favourites")
	switch {
	case m.do(action, id, now):
		m.write(c)
	case scripted:
		return c.String(http.StatusConflict, list+"?full=1")
	default:
		return c.Redirect(http.StatusSeeOther, list+"?full=1")
	}
	if scripted {
		return s.bodies.send(c, http.StatusOK, cssType, m.style(now))
	}
	return c.Redirect(http.StatusSeeOther, camefrom(c, list)+"#home-"+strconv.FormatInt(id, 10))
}

// button returns which button was pressed, and the home it stands for.
func button(form url.Values) (action string, id int64, ok bool) {
	for _, action := range []string{"save", "drop", "hide", "show"} {
		if id, ok := parseID(form.Get(action)); ok {
			return action, id, true
		}
	}
	return "", 0, false
}

// camefrom returns the page of this site that the visitor was on, or otherwise if that is not known.
func camefrom(c echo.Context, otherwise string) string {
	from, err := url.Parse(c.Request().Referer())
	if err != nil || from.Host != c.Request().Host {
		return otherwise
	}
	l, _ := locale.OfPath(from.EscapedPath())
	return l.URL(localPath(from.RequestURI()))
}
