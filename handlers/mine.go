// What a visitor keeps: homes that were saved, hidden, and looked at last. It lives in a cookie, without an account.
//
// The pages are the same for everyone, so that caches may hold them; what a visitor keeps reaches them as a stylesheet of
// his own (mine_style.go). It works without script, and while the database and Redis are away.

package handlers

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

const (
	mineCookie = "mine"
	mineFor    = 365 * 24 * 60 * 60 // seconds

	mostSaved  = 50
	mostHidden = 50
	mostSeen   = 12

	undoFor = 2 * time.Minute
)

// mine is what one visitor keeps, by the ids of homes, the latest first.
type mine struct {
	saved, hidden, seen []int64
	hiddenAt            int64 // when the latest was hidden, in Unix seconds; 0 when something else was done since
}

func readMine(c echo.Context) mine { return parseMine(readCookie(c, mineCookie)) }

func (m mine) write(c echo.Context) {
	c.SetCookie(&http.Cookie{
		Name: cookieName(mineCookie, secureScheme(c)), Value: m.String(), Path: "/", MaxAge: mineFor,
		Secure: secureScheme(c), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// parseMine reads what String has written, such as "1z.a~b~a.c~t5zk8o". The cookie is not signed: whatever somebody writes
// into it opens nothing, and is read as ids or not at all.
func parseMine(value string) mine {
	parts := strings.SplitN(value, "~", 5)
	if len(parts) != 4 {
		return mine{}
	}
	m := mine{hidden: readIDs(parts[1], mostHidden), seen: readIDs(parts[2], mostSeen)}
	m.saved = slices.DeleteFunc(readIDs(parts[0], mostSaved), func(id int64) bool { return slices.Contains(m.hidden, id) })
	if at := readIDs(parts[3], 1); len(at) == 1 && len(m.hidden) > 0 {
		m.hiddenAt = at[0]
	}
	return m
}

func (m mine) String() string {
	var at []int64
	if m.hiddenAt != 0 {
		at = []int64{m.hiddenAt}
	}
	return strings.Join([]string{writeIDs(m.saved), writeIDs(m.hidden), writeIDs(m.seen), writeIDs(at)}, "~")
}

func readIDs(s string, most int) (ids []int64) {
	for part := range strings.SplitSeq(s, ".") {
		id, err := strconv.ParseInt(part, 36, 64)
		if err == nil && id > 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		if len(ids) == most {
			break
		}
	}
	return ids
}

func writeIDs(ids []int64) string {
	var b []byte
	for i, id := range ids {
		if i > 0 {
			b = append(b, '.')
		}
		b = strconv.AppendInt(b, id, 36)
	}
	return string(b)
}

// look notes that a home was looked at, and reports whether that changed anything.
func (m *mine) look(id int64) bool {
	if len(m.seen) > 0 && m.seen[0] == id {
		return false
	}
	m.seen = first(m.seen, id, mostSeen)
	return true
}

// do does what a button says, and reports false when the shortlist has no place left. Nothing is dropped from that behind
// the visitor's back; of the hidden homes the oldest gives way.
func (m *mine) do(action string, id int64, now time.Time) bool {
	m.hiddenAt = 0
	switch action {
	case "save":
		if len(m.saved) == mostSaved && !slices.Contains(m.saved, id) {
			return false
		}
		m.saved, m.hidden = first(m.saved, id, mostSaved), without(m.hidden, id)
	case "drop":
		// It stays at hand for those who did not mean it.
		m.saved, m.seen = without(m.saved, id), first(m.seen, id, mostSeen)
	case "hide":
		m.saved, m.hidden, m.hiddenAt = without(m.saved, id), first(m.hidden, id, mostHidden), now.Unix()
	case "show":
		m.hidden = without(m.hidden, id)
	}
	return true
}

// forget lets go of homes that do not exist (any more), and reports whether there were any.
func (m *mine) forget(ids []int64) bool {
	kept := len(m.saved) + len(m.hidden) + len(m.seen)
	for _, id := range ids {
		m.saved, m.hidden, m.seen = without(m.saved, id), without(m.hidden, id), without(m.seen, id)
	}
	m.hiddenAt = 0
	return len(m.saved)+len(m.hidden)+len(m.seen) < kept
}

// gone returns the hidden homes that leave nothing in their place: all but the one that was hidden just now.
func (m *mine) gone(now time.Time) []int64 {
	if age := now.Unix() - m.hiddenAt; len(m.hidden) > 0 && 0 <= age && age < int64(undoFor.Seconds()) {
		return m.hidden[1:]
	}
	return m.hidden
}

// first puts id at the beginning, once, and keeps at most so many.
func first(ids []int64, id int64, most int) []int64 {
	ids = slices.Insert(without(ids, id), 0, id)
	return ids[:min(len(ids), most)]
}

func without(ids []int64, id int64) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(other int64) bool { return other == id })
}
