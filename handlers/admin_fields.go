// The form of an apartment, shown: what is stored or typed, what is wrong with it, and in a conflict the other version.

package handlers

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/templates"
)

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
