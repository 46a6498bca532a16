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

	"github.com/labstack/echo/v4"
)

const (
	mineCookie = "mine"
	mineFor    = 365 * 24 * 60 * 60 // seconds

	mostSaved  = 50
	mostHidden = 50
	mostSeen   = 12
)

// mine is what one visitor keeps, by the ids of homes, the latest first.
type mine struct {
	saved, hidden, seen []int64
	undo                int64 // the home that was hidden just now and can be brought back where it was; 0 for none
}

// readMine reads the cookie. It is not signed: whatever somebody writes into it opens nothing, and is read as ids or not
// at all.
func readMine(c echo.Context) mine {
	parts := strings.Split(readCookie(c, mineCookie), "~")
	if len(parts) != 4 {
		return mine{}
	}
	m := mine{saved: readIDs(parts[0], mostSaved), hidden: readIDs(parts[1], mostHidden), seen: readIDs(parts[2], mostSeen)}
	if undo := readIDs(parts[3], 1); len(undo) == 1 && slices.Contains(m.hidden, undo[0]) {
		m.undo = undo[0]
	}
	return m
}

// write sends the cookie; its form is "1z.a~b~a.c~b".
func (m mine) write(c echo.Context) {
	var undo []int64
	if m.undo != 0 {
		undo = []int64{m.undo}
	}
	c.SetCookie(&http.Cookie{
		Name: cookieName(mineCookie, secureScheme(c)), Path: "/", MaxAge: mineFor,
		Value:  strings.Join([]string{writeIDs(m.saved), writeIDs(m.hidden), writeIDs(m.seen), writeIDs(undo)}, "~"),
		Secure: secureScheme(c), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
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
func (m *mine) do(action string, id int64) bool {
	m.undo = 0
	switch action {
	case "save":
		if len(m.saved) == mostSaved && !slices.Contains(m.saved, id) {
			return false
		}
		m.saved, m.hidden = first(m.saved, id, mostSaved), without(m.hidden, id)
	case "drop":
		m.saved = without(m.saved, id)
	case "hide":
		m.saved, m.hidden, m.undo = without(m.saved, id), first(m.hidden, id, mostHidden), id
	case "show":
		m.hidden = without(m.hidden, id)
	}
	return true
}

// first puts id at the beginning, once, and keeps at most so many.
func first(ids []int64, id int64, most int) []int64 {
	ids = slices.Insert(without(ids, id), 0, id)
	return ids[:min(len(ids), most)]
}

func without(ids []int64, id int64) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(other int64) bool { return other == id })
}
