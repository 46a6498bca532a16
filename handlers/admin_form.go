// The form of an apartment, read in one place: from what is typed to a draft, with every mistake named.

package handlers

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"podbor/internal/locale"
	"podbor/models"
)

const (
	mostTitle       = 120
	mostDescription = 5000
	mostArea        = 9999
	mostPrice       = 1_000_000_000_000
)

// mistakes are what is wrong with a form, by the names of its fields.
type mistakes map[string]string

// readDraft reads what was typed. The address must be that of a building that is known.
func (s *site) readDraft(ctx context.Context, v url.Values) (models.Draft, mistakes, error) {
	wrong := mistakes{}
	draft := models.Draft{
		Title:       wrong.line(v, "title", mostTitle),
		Description: wrong.text(v, "description", mostDescription),
		Rooms:       int16(wrong.number(v, "rooms", 0, models.MaxRooms)),
		Floor:       int16(wrong.number(v, "floor", 1, 200)),
		Price:       wrong.number(v, "price", 1, mostPrice),
		Area:        wrong.decimal(v, "area", 1, mostArea),
		Status:      models.Published,
	}
	for _, slug := range models.AllAmenities { // in their order, known ones only
		if slices.Contains(v["amenities"], slug) {
			draft.Amenities = append(draft.Amenities, slug)
		}
	}

	district := int16(wrong.number(v, "district", 1, 1<<15-1))
	street, house := wrong.line(v, "street", 100), wrong.line(v, "house", 20)
	if wrong["district"]+wrong["street"]+wrong["house"] != "" {
		return draft, wrong, nil
	}
	building, err := s.stored.FindBuilding(ctx, district, street, house)
	if errors.Is(err, models.ErrNotFound) {
		known, err := s.stored.Addresses(ctx, district, street)
		wrong["street"] = "No building is known at this address in this district."
		if len(known) > 0 {
			wrong["street"] += " Known are: " + strings.Join(known, "; ") + "."
		}
		return draft, wrong, err
	}
	if err != nil {
		return draft, wrong, err
	}
	draft.BuildingID = building.ID
	if wrong["floor"] == "" && draft.Floor > building.Floors {
		wrong["floor"] = "The building has " + plural(int(building.Floors), "floor") + "."
	}
	return draft, wrong, nil
}

// deceives tells texts that cannot be stored or shown as they are: with characters that nobody sees, or that turn the
// direction of what follows.
func deceives(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
	})
}

// text reads a text that must not be empty.
func (m mistakes) text(v url.Values, name string, most int) string {
	text := strings.TrimSpace(strings.ReplaceAll(v.Get(name), "\r\n", "\n"))
	switch {
	case text == "":
		m[name] = "Please fill this in."
	case deceives(text):
		m[name] = "It contains characters that cannot be seen. Type it anew instead of pasting it."
	case utf8.RuneCountInString(text) > most:
		m[name] = "It has " + strconv.Itoa(utf8.RuneCountInString(text)) + " characters; at most " + strconv.Itoa(most) + " are possible."
	}
	return text
}

// line is text without line breaks.
func (m mistakes) line(v url.Values, name string, most int) string {
	text := m.text(v, name, most)
	if strings.Contains(text, "\n") && m[name] == "" {
		m[name] = "It must be one line."
	}
	return text
}

// digits drops what people put between the digits of a number.
var digits = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "\u2009", "")

func (m mistakes) number(v url.Values, name string, least, most int64) int64 {
	typed := strings.ReplaceAll(digits.Replace(v.Get(name)), ",", "")
	n, err := strconv.ParseInt(typed, 10, 64)
	switch {
	case typed == "":
		m[name] = "Please fill this in."
	case err != nil || n < least || n > most:
		m[name] = "It must be a whole number from " + locale.English.Number(least) + " to " + locale.English.Number(most) + "."
		return least
	}
	return n
}

// decimal reads a number with at most one decimal, after a point or a comma.
func (m mistakes) decimal(v url.Values, name string, least, most int64) float64 {
	typed := strings.Replace(digits.Replace(v.Get(name)), ",", ".", 1)
	x, err := strconv.ParseFloat(typed, 64)
	_, decimals, _ := strings.Cut(typed, ".")
	switch {
	case typed == "":
		m[name] = "Please fill this in."
	case err != nil || x < float64(least) || x > float64(most) || len(decimals) > 1 || strings.ContainsAny(typed, "eExX_nN+"):
		m[name] = "It must be a number from " + locale.English.Number(least) + " to " + locale.English.Number(most) + " with at most one decimal."
	}
	return x
}
