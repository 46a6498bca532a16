// The form of an apartment, in one place: from what is stored to what is typed, and back with every mistake named.

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
	"podbor/templates"
)

const (
	mostTitle       = 120
	mostDescription = 5000
	mostArea        = 9999
	mostPrice       = 1_000_000_000_000
)

// mistakes are what is wrong with a form, by the names of its fields.
type mistakes map[string]string

// valuesOf is the form of a stored apartment as a browser would send it.
func valuesOf(d models.Detail) url.Values {
	street, house := d.Address, ""
	if i := strings.LastIndex(d.Address, ", "); i >= 0 {
		street, house = d.Address[:i], d.Address[i+2:]
	}
	return url.Values{
		"title":       {d.Title},
		"description": {d.Description},
		"district":    {strconv.Itoa(int(d.DistrictID))},
		"street":      {street},
		"house":       {house},
		"rooms":       {strconv.Itoa(int(d.Rooms))},
		"area":        {strconv.FormatFloat(d.Area, 'f', -1, 64)},
		"floor":       {strconv.Itoa(int(d.Floor))},
		"price":       {strconv.FormatInt(d.Price, 10)},
		"amenities":   slices.Clone(d.Amenities),
	}
}

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

// formFields shows values with what is wrong about them. With stored, each field that differs shows that too.
func formFields(cities []models.City, v url.Values, wrong mistakes, stored url.Values) []templates.Field {
	fields := []templates.Field{
		{Name: "title", Label: "Title"},
		{Name: "description", Label: "Description", Input: templates.InputLines, Hint: "Up to " + locale.English.Number(mostDescription) + " characters."},
		{Name: "district", Label: "District", Input: templates.InputSelect, Choices: districtChoices(cities, v.Get("district"))},
		{Name: "street", Label: "Street"},
		{Name: "house", Label: "House"},
		{Name: "rooms", Label: "Rooms", Input: templates.InputSelect, Choices: roomChoices(v.Get("rooms"))},
		{Name: "area", Label: "Area, m²", Mode: "decimal"},
		{Name: "floor", Label: "Floor", Mode: "numeric"},
		{Name: "price", Label: "Price", Mode: "numeric", Hint: "In the currency of the city. A new price goes into the price history."},
		{Name: "amenities", Label: "Amenities", Input: templates.InputChecks, Choices: amenityChoices(v["amenities"])},
	}
	for i := range fields {
		f := &fields[i]
		f.Value, f.Error = v.Get(f.Name), wrong[f.Name]
		if stored == nil || slices.Equal(stored[f.Name], v[f.Name]) || strings.ReplaceAll(f.Value, "\r\n", "\n") == stored.Get(f.Name) && f.Name != "amenities" {
			continue
		}
		f.Stored = &templates.Stored{Text: storedText(f.Name, cities, stored), Take: "Take this " + strings.ToLower(strings.TrimSuffix(f.Label, ", m²"))}
	}
	return fields
}

// storedText is a stored value in words.
func storedText(name string, cities []models.City, stored url.Values) string {
	var groups []templates.ChoiceGroup
	switch name {
	case "district":
		groups = districtChoices(cities, stored.Get(name))
	case "rooms":
		groups = roomChoices(stored.Get(name))
	case "amenities":
		groups = amenityChoices(stored[name])
	default:
		return stored.Get(name)
	}
	var chosen []string
	for _, g := range groups {
		for _, o := range g.Choices {
			if o.Selected {
				chosen = append(chosen, o.Text)
			}
		}
	}
	if len(chosen) == 0 {
		return "None"
	}
	return strings.Join(chosen, ", ")
}

func districtChoices(cities []models.City, selected string) []templates.ChoiceGroup {
	groups := []templates.ChoiceGroup{{Choices: []templates.Choice{{Text: "Choose one"}}}}
	for _, city := range cities {
		group := templates.ChoiceGroup{Name: city.Name.EN}
		for _, d := range city.Districts {
			id := strconv.Itoa(int(d.ID))
			group.Choices = append(group.Choices, templates.Choice{Value: id, Text: d.Name.EN, Selected: id == selected})
		}
		groups = append(groups, group)
	}
	return groups
}

func roomChoices(selected string) []templates.ChoiceGroup {
	var choices []templates.Choice
	for n := range models.MaxRooms + 1 {
		value := strconv.Itoa(n)
		choices = append(choices, templates.Choice{Value: value, Text: locale.English.T.Common.Rooms[n], Selected: value == selected})
	}
	return []templates.ChoiceGroup{{Choices: choices}}
}

func amenityChoices(selected []string) []templates.ChoiceGroup {
	var choices []templates.Choice
	for _, slug := range models.AllAmenities {
		choices = append(choices, templates.Choice{Value: slug, Text: locale.English.T.Common.Amenities[slug], Selected: slices.Contains(selected, slug)})
	}
	return []templates.ChoiceGroup{{Choices: choices}}
}
