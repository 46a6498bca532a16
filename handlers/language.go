// The language of a request: its URL decides. Only the home page asks the visitor's cookie and browser where to go.

package handlers

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"podbor/internal/locale"
	"podbor/models"
)

const (
	localeKey      = "locale" // in the context of a request that is not in English
	languageCookie = "lang"   // the tag of the language that the visitor picked
)

// localize takes the language's prefix off the path, so that routes and handlers know English paths only.
func localize(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		path := r.URL.EscapedPath()
		if rest, ok := strings.CutPrefix(path+"/", "/en/"); ok { // English has no prefix, but people try it
			return c.Redirect(http.StatusMovedPermanently, withQuery("/"+strings.Trim(rest, "/"), r.URL))
		}
		l, rest := locale.OfPath(path)
		switch {
		case l == locale.English:
			return next(c)
		case rest == "":
			return c.Redirect(http.StatusMovedPermanently, withQuery(l.URL("/"), r.URL))
		}
		c.Set(localeKey, l)
		// In place, because the router looks at the URL of the request that it was given.
		r.URL.Path, r.URL.RawPath = strings.TrimPrefix(r.URL.Path, l.Prefix), strings.TrimPrefix(r.URL.RawPath, l.Prefix)
		return next(c)
	}
}

// inNoLanguage is for what has no language, and so no URL with a language's prefix.
func inNoLanguage(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if localeOf(c) != locale.English {
			return models.ErrNotFound
		}
		return next(c)
	}
}

// isHome tells the home pages, whose slash stays: "/ru/" is "/" in Russian.
func isHome(c echo.Context) bool {
	_, rest := locale.OfPath(c.Request().URL.Path)
	return rest == "/"
}

func withQuery(path string, of *url.URL) string {
	if of.RawQuery != "" {
		path += "?" + of.RawQuery
	}
	return path
}

// localeOf returns the language that a request is to be answered in.
func localeOf(c echo.Context) *locale.Locale {
	if l, ok := c.Get(localeKey).(*locale.Locale); ok {
		return l
	}
	return locale.English
}

// preferred returns the language that the visitor picked on an earlier visit or, failing that, that the browser asks for.
func preferred(r *http.Request) *locale.Locale {
	if cookie, err := r.Cookie(languageCookie); err == nil {
		if l := locale.ByTag(cookie.Value); l != nil {
			return l
		}
	}
	return locale.Accepted(r.Header.Get("Accept-Language"))
}

// chooseLanguage remembers a language and shows in it the page that the visitor came from.
func (s *site) chooseLanguage(c echo.Context) error {
	l := locale.ByTag(c.QueryParam("to"))
	if l == nil {
		return echo.ErrBadRequest
	}
	c.SetCookie(&http.Cookie{
		Name: languageCookie, Value: l.Tag, Path: "/", MaxAge: 365 * 24 * 60 * 60,
		HttpOnly: true, Secure: secureScheme(c), SameSite: http.SameSiteLaxMode,
	})
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return c.Redirect(http.StatusSeeOther, l.URL(localPath(c.QueryParam("back"))))
}

// localPath returns a path of this site as it is in English, and "/" for what a browser might take for another site.
func localPath(path string) string {
	_, path = locale.OfPath(path)
	u, err := url.ParseRequestURI(path) // refuses control characters
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, `\`) {
		return "/"
	}
	return u.RequestURI()
}
