// What a visitor keeps, as a stylesheet: it turns the buttons of saved homes over, takes hidden homes away, and counts
// both. static/css/8-mine.css has what everyone starts from.

package handlers

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
)

const cssType = "text/css; charset=utf-8"

// mineStyle sends the visitor's stylesheet. The page of a home asks for it with the home's id: that is how it is noted as
// seen, since the page itself may have come from a cache.
func (s *site) mineStyle(c echo.Context) error {
	m := readMine(c)
	if id, ok := parseID(c.QueryParam("seen")); ok && c.Request().Method == http.MethodGet && m.look(id) {
		m.write(c)
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "private, no-cache")
	style := m.style()
	if unchanged(c, "", tagOf(style)) {
		return c.NoContent(http.StatusNotModified)
	}
	return s.bodies.send(c, http.StatusOK, cssType, style)
}

func (m mine) style() []byte {
	var b bytes.Buffer
	if len(m.saved) > 0 {
		saved := having("value", m.saved)
		fmt.Fprintf(&b, ".shortlist::after{content:%q;display:inline-block}\n", strconv.Itoa(len(m.saved)))
		fmt.Fprintf(&b, ".acts [name=save]%s{display:none}\n.acts [name=drop]%[1]s{display:inline-flex}\n", saved)
	}
	if len(m.hidden) > 0 {
		fmt.Fprintf(&b, ".hidden-count{display:inline}\n.hidden-count::after{content:\" %d\"}\n", len(m.hidden))
		buttons, homes := having("value", m.hidden), having("data-apartment-id", m.hidden)
		fmt.Fprintf(&b, ".acts [name=hide]%s{display:none}\n.acts [name=show]%[1]s{display:inline-flex}\n", buttons)
		// The rest of a card whose home is hidden: the way to undo it, and other homes in the same building.
		fmt.Fprintf(&b, ".cards:not(.all)>%s>:not(.undo,.others){display:none}\n.cards:not(.all)>%[1]s>.undo{display:flex}\n.others %[1]s{display:none}\n", homes)
	}
	if gone := without(m.hidden, m.undo); len(gone) > 0 {
		fmt.Fprintf(&b, ".cards:not(.all)>%s:not(:has(.others)){display:none}\n", having("data-apartment-id", gone))
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
