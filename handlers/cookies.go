// Cookies, and the tokens of forms. Whatever a cookie opens is kept elsewhere (internal/visitor).

package handlers

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

const (
	sessionCookie = "session"
	csrfCookie    = "csrf"
	csrfField     = "csrf"
)

// errForged says that a form was not sent from this site.
var errForged = echo.NewHTTPError(http.StatusForbidden, "the form's token is missing or wrong")

// cookieName makes a browser hold the cookie to this very host, where the connection is secure: no subdomain can plant one.
func cookieName(name string, secure bool) string {
	if secure {
		return "__Host-" + name
	}
	return name
}

func readCookie(c echo.Context, name string) string {
	cookie, err := c.Cookie(cookieName(name, secureScheme(c)))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// writeCookie sets a cookie until the browser is closed; an empty value ends it.
func writeCookie(c echo.Context, name, value string) {
	cookie := &http.Cookie{
		Name: cookieName(name, secureScheme(c)), Value: value, Path: "/",
		Secure: secureScheme(c), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		cookie.MaxAge = -1
	}
	c.SetCookie(cookie)
}

// csrf refuses forms that another site has sent. Browsers say so themselves (Sec-Fetch-Site); for those that do not, a
// token in the form must be the same as in a cookie.
func csrf() echo.MiddlewareFunc {
	protect := func(secure bool) echo.MiddlewareFunc {
		return middleware.CSRFWithConfig(middleware.CSRFConfig{
			TokenLookup:    "form:" + csrfField,
			ContextKey:     csrfField,
			CookieName:     cookieName(csrfCookie, secure),
			CookiePath:     "/",
			CookieMaxAge:   int((24 * time.Hour).Seconds()),
			CookieSecure:   secure,
			CookieHTTPOnly: true,
			CookieSameSite: http.SameSiteLaxMode,
			ErrorHandler:   func(error, echo.Context) error { return errForged },
		})
	}
	plain, secure := protect(false), protect(true)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		overHTTP, overTLS := plain(next), secure(next)
		return func(c echo.Context) error {
			if secureScheme(c) {
				return overTLS(c)
			}
			return overHTTP(c)
		}
	}
}

// csrfToken is what the forms of the page must carry.
func csrfToken(c echo.Context) string {
	token, _ := c.Get(csrfField).(string)
	return token
}

// badForm is for a body that is no form, or too long.
func badForm(err error) error {
	if _, ok := err.(*echo.HTTPError); ok { //nolint:errorlint // as echo returns it
		return err
	}
	return echo.NewHTTPError(http.StatusBadRequest, "the form cannot be read").SetInternal(err)
}

// address is whom limits count: of IPv6 the network, because one visitor has all of it.
func address(c echo.Context) string {
	ip, err := netip.ParseAddr(c.RealIP())
	if err != nil || ip.Unmap().Is4() {
		return c.RealIP()
	}
	network, _ := ip.Prefix(64) // always valid for IPv6
	return network.String()
}
