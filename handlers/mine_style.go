// What a visitor keeps, as a stylesheet: it turns the buttons of saved homes over, takes hidden homes away, and counts
// both. static/css/8-mine.css has what everyone starts from.

package handlers

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

const cssType = "text/css; charset=utf-8"

// mineStyle sends the visitor's stylesheet. The page of a home asks for it with the home's id: that is how it is noted as
// seen, since the page itself may have come from a cache.
func (s *site) mineStyle(c echo.Context) error {
	m, r := readMine(c), c.Request()
	// Another site's page may ask for it too. Its visitor's cookie does not come along, and must not be replaced.
	from := r.Header.Get(echo.HeaderSecFetchSite)
	ours := from == "" || from == "same-origin" || from == "none"
	if id, ok := parseID(c.QueryParam("seen")); ok && ours && r.Method == http.MethodGet && m.look(id) {
		m.write(c)
	}
	header := c.Response().Header()
	header.Set(echo.HeaderCacheControl, "private, no-cache")
	header.Set(echo.HeaderVary, echo.HeaderCookie)
	style := m.style(time.Now())
	if unchanged(c, "", tagOf(style)) {
		return c.NoContent(http.StatusNotModified)
	}
	return s.bodies.send(c, http.StatusOK, cssType, style)
}

func (m mine) style(now time.Time) []byte {
	var b bytes.Buffer
	if len(m.saved) > 0 {
		saved := having("value", m.saved)
		fmt.Fprintf(&b, ".shortlist::after{content:\"%d\";display:inline-block}\n", len(m.saved))
		fmt.Fprintf(&b, ".acts [name=save]%s{display:none}\n.acts [name=drop]%[1]s{display:inline-flex}\n", saved)
	}
	if len(m.hidden) == 0 {
		return b.Bytes()
	}
	fmt.Fprintf(&b, ".hidden-count{display:inline}\n.hidden-count a::after{content:\" %d\"}\n", len(m.hidden))
	buttons, homes := having("value", m.hidden), having("data-apartment-id", m.hidden)
	fmt.Fprintf(&b, ".acts [name=hide]%s{display:none}\n.acts [name=show]%[1]s{display:inline-flex}\n", buttons)
	// The rest of a card whose home is hidden: the way to undo it, and other homes in the same building.
	fmt.Fprintf(&b, ".cards:not(.all)>%s>:not(.undo,.others){display:none}\n.cards:not(.all)>%[1]s>.undo{display:flex}\n.others>%[1]s{display:none}\n", homes)
	if gone := m.gone(now); len(gone) > 0 {
		cards, others := having("data-apartment-id", gone), fmt.Sprintf(".others>article:not(%s)", homes)
		fmt.Fprintf(&b, ".cards:not(.all)>%s:not(:has(%s)){display:none}\n", cards, others)
		// Whoever has hidden a whole page is told so.
		fmt.Fprintf(&b, ".cards:not(.all, :has(>article:not(%s), %s))+.all-hidden{display:block}\n", cards, others)
	}
	return b.Bytes()
}

// having selects the elements of which an attribute is one of the ids.
func having(attribute string, ids []int64) string {
	selectors := make([]string, len(ids))
	for i, id := range ids {
		selectors[i] = fmt.Sprintf(`[%s="%d"]`, attribute, id)
	}
	return ":is(" + strings.Join(selectors, ",") + ")"
}
