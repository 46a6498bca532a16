// Logging in and out.

package handlers

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/visitor"
	"podbor/models"
	"podbor/templates"
)

// Attempts to log in, right or wrong. One address runs into its own limit long before it can lock a name out for others.
var (
	loginsByAddress = visitor.Limit{Name: "login-address", Most: 10, Window: 15 * time.Minute}
	loginsByName    = visitor.Limit{Name: "login-name", Most: 50, Window: 15 * time.Minute}
)

func (s *site) loginForm(c echo.Context) error {
	switch _, err := s.loggedIn(c); {
	case err == nil:
		return c.Redirect(http.StatusSeeOther, nextPage(c.QueryParam("next")))
	case !errors.Is(err, visitor.ErrNoSession):
		return err
	}
	return s.renderLogin(c, http.StatusOK, c.QueryParam("next"), "", "")
}

func (s *site) login(c echo.Context) error {
	ctx := c.Request().Context()
	name, next := strings.TrimSpace(c.FormValue("name")), c.FormValue("next")

	// Counted before the password is looked at, so that those who guess at once do not all get a try.
	err := s.visitors.Allow(ctx, loginsByAddress, address(c))
	if err == nil {
		err = s.visitors.Allow(ctx, loginsByName, name)
	}
	var limit *visitor.LimitError
	if errors.As(err, &limit) {
		c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(limit.Wait.Seconds()))))
		minutes := int(math.Ceil(limit.Wait.Minutes()))
		return s.renderLogin(c, http.StatusTooManyRequests, next, name, "Too many attempts. Try again in "+plural(minutes, "minute")+".")
	}
	if err != nil {
		return err
	}
	admin, err := s.stored.CheckPassword(ctx, name, c.FormValue("password"))
	if errors.Is(err, models.ErrWrongPassword) {
		return s.renderLogin(c, http.StatusUnprocessableEntity, next, name, "Name and password do not belong together.")
	}
	if err != nil {
		return err
	}
	id, err := s.visitors.StartSession(ctx, visitor.Session{Account: admin.ID, Version: admin.Version}, readCookie(c, sessionCookie))
	if err != nil {
		return err
	}
	writeCookie(c, sessionCookie, id)
	return c.Redirect(http.StatusSeeOther, nextPage(next))
}

func (s *site) logout(c echo.Context) error {
	if err := s.visitors.EndSession(c.Request().Context(), readCookie(c, sessionCookie)); err != nil {
		return err
	}
	writeCookie(c, sessionCookie, "")
	return c.Redirect(http.StatusSeeOther, "/admin/login")
}

func (s *site) renderLogin(c echo.Context, status int, next, name, problem string) error {
	return s.render(c, status, templates.AdminLoginPage(templates.AdminLogin{
		AdminFrame: s.adminFrame(c, "Log in"),
		Problem:    problem,
		Next:       nextPage(next),
		Fields: []templates.Field{
			{Name: "name", Label: "Name", Value: name, Autocomplete: "username"},
			{Name: "password", Label: "Password", Input: templates.InputPassword, Autocomplete: "current-password"},
		},
	}))
}

// nextPage is where to go after the login: a page of the editors and nowhere else, whatever the link to the login says.
func nextPage(wanted string) string {
	u, err := url.Parse(wanted)
	if err != nil || u.Host != "" || u.Scheme != "" || u.Path != "/admin" && !strings.HasPrefix(u.Path, "/admin/") || strings.Contains(wanted, "..") || u.Path == "/admin/login" {
		return "/admin"
	}
	return u.RequestURI()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
