// The editors' pages: who may see them, and the frame that they share. In English only.

package handlers

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"podbor/internal/visitor"
	"podbor/models"
	"podbor/templates"
)

// editor is the key of the logged-in models.Admin in a request's context.
const editor = "editor"

func (s *site) adminRoutes(e *echo.Echo) {
	open := e.Group("/admin", inNoLanguage, private, s.adminErrors, csrf())
	desk := open.Group("", s.editorsOnly)
	get := func(g *echo.Group, path string, h echo.HandlerFunc) {
		g.Match([]string{http.MethodGet, http.MethodHead}, path, h)
	}
	get(open, "/login", s.loginForm)
	open.POST("/login", s.login)
	open.POST("/logout", s.logout)

	get(desk, "", s.adminHome)
	get(desk, "/apartments", s.desk)
	get(desk, "/apartments/new", s.newApartment)
	desk.POST("/apartments", s.createApartment)
	get(desk, "/apartments/:id", s.editApartment)
	desk.POST("/apartments/:id", s.saveApartment)
	desk.POST("/apartments/:id/status", s.setStatus)
	get(desk, "/enquiries", s.enquiries)
	get(desk, "/log", s.editLog)
}

// private is for pages that belong to one person: no cache keeps them, and no search engine lists them.
func private(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
		c.Response().Header().Set("X-Robots-Tag", "noindex")
		return next(c)
	}
}

// editorsOnly lets those through who are logged in. It fails closed: while the Redis of the sessions is away, nobody is.
func (s *site) editorsOnly(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		admin, err := s.loggedIn(c)
		switch {
		case err == nil:
			c.Set(editor, admin)
			return next(c)
		case !errors.Is(err, visitor.ErrNoSession):
			return err
		case c.Request().Method == http.MethodPost:
			return s.resend(c)
		}
		return c.Redirect(http.StatusSeeOther, "/admin/login?"+url.Values{"next": {c.Request().URL.RequestURI()}}.Encode())
	}
}

// loggedIn returns whose session the request carries, or visitor.ErrNoSession. A new password ends older sessions.
func (s *site) loggedIn(c echo.Context) (models.Admin, error) {
	id := readCookie(c, sessionCookie)
	if id == "" {
		return models.Admin{}, visitor.ErrNoSession
	}
	session, err := s.visitors.Session(c.Request().Context(), id)
	if err != nil {
		return models.Admin{}, err
	}
	admin, err := s.stored.Admin(c.Request().Context(), session.Account)
	if errors.Is(err, models.ErrNotFound) || err == nil && admin.Version != session.Version {
		return models.Admin{}, visitor.ErrNoSession
	}
	return admin, err
}

// resend answers a form of somebody whose session has ended with the same form, ready to be sent again.
func (s *site) resend(c echo.Context) error {
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	view := templates.AdminResend{AdminFrame: s.adminFrame(c, "Your session has ended"), Action: c.Request().URL.RequestURI()}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			if name != csrfField {
				view.Values = append(view.Values, templates.Value{Name: name, Value: value})
			}
		}
	}
	return s.render(c, http.StatusForbidden, templates.AdminResendPage(view))
}

func (s *site) adminFrame(c echo.Context, title string) templates.AdminFrame {
	admin, _ := c.Get(editor).(models.Admin)
	frame := templates.AdminFrame{Title: title, Admin: admin.Name, CSRF: csrfToken(c)}
	for _, link := range []templates.Link{{URL: "/admin/apartments", Text: "Apartments"}, {URL: "/admin/enquiries", Text: "Enquiries"}, {URL: "/admin/log", Text: "Edits"}} {
		link.Current = strings.HasPrefix(c.Request().URL.Path, link.URL)
		frame.Nav = append(frame.Nav, link)
	}
	return frame
}

// adminErrors answers what went wrong in the editors' own frame.
func (s *site) adminErrors(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		if err == nil || c.Response().Committed || c.Request().Context().Err() != nil {
			return err
		}
		status := statusOf(err)
		view := templates.AdminProblem{
			Code: "Error " + strconv.Itoa(status), Back: templates.Link{URL: "/admin", Text: "Back to the start"},
			RequestID: c.Response().Header().Get(echo.HeaderXRequestID),
		}
		view.Heading, view.Message = adminProblem(status, err)
		view.AdminFrame = s.adminFrame(c, view.Heading)
		if status == http.StatusServiceUnavailable {
			c.Response().Header().Set(echo.HeaderRetryAfter, "5")
		}
		if failed := s.render(c, status, templates.AdminProblemPage(view)); failed != nil {
			return errors.Join(err, failed)
		}
		return err // for the log
	}
}

func adminProblem(status int, err error) (heading, message string) {
	switch {
	case errors.Is(err, visitor.ErrAway):
		return "We cannot check who you are just now", "The server that keeps the sessions does not answer, so nobody is let in, and nothing was saved. " +
			"The site itself goes on. Please try again in a few seconds; with the back button of your browser you get what you typed."
	case errors.Is(err, errForged):
		return "This form cannot be trusted", "It was not sent from this site, or it is more than a day old. Nothing was saved. Go back, load the page again and send it from there."
	case status == http.StatusNotFound:
		return "There is nothing here", "The address may be mistyped, or what it named has never existed."
	case status == http.StatusRequestEntityTooLarge:
		return "That is too long", "Nothing was saved. Go back and shorten the text."
	case status == http.StatusServiceUnavailable:
		return "Too much to do just now", "Nothing was saved. Please try again in a few seconds; with the back button of your browser you get what you typed."
	case status >= http.StatusInternalServerError:
		return "Something broke on our side", "It has been written down. With the back button of your browser you get what you typed."
	}
	return http.StatusText(status), "This request cannot be answered. Nothing was saved."
}
