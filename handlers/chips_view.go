// The view of the filters in use: their names, the chips that take one away, and which one to let go.

package handlers

import (
	"slices"
	"strconv"
	"strings"

	"podbor/models"
	"podbor/templates"
)

// A wish is one filter in use. Without a value it is all that was chosen of its field.
type wish struct{ field, value string }

// inUse lists the filters in use, in the order of the form.
func inUse(f models.Filter) []wish {
	var list []wish
	each := func(field string, values []string) {
		for _, v := range values {
			list = append(list, wish{field, v})
		}
	}
	one := func(field string, n int64) {
		if n > 0 {
			list = append(list, wish{field, ""})
		}
	}
	for _, rooms := range f.Rooms {
		list = append(list, wish{"rooms", strconv.Itoa(rooms)})
	}
	one("price_min", f.PriceMin)
	one("price_max", f.PriceMax)
	one("ppm2_max", f.PerM2Max)
	one("area_min", int64(f.AreaMin))
	one("area_max", int64(f.AreaMax))
	one("metro_max", int64(f.MetroMax))
	each("district", f.Districts)
	one("floor_min", int64(f.FloorMin))
	one("floor_max", int64(f.FloorMax))
	one("year_min", int64(f.YearMin))
	one("year_max", int64(f.YearMax))
	each("amenities", f.Amenities)
	return list
}

// chips lead to the listing without one filter each, on its first page.
func chips(fr frame, city models.City, f models.Filter) []templates.Chip {
	var list []templates.Chip
	for _, w := range inUse(f) {
		list = append(list, templates.Chip{
			URL:  fr.URL(listingPath(city, f.Without(w.field, w.value))),
			Text: wishName(fr, city, f, w),
		})
	}
	return list
}

// relaxed says what there would be without one filter. Three pieces of advice are enough.
func relaxed(fr frame, city models.City, f models.Filter, list []models.Relaxation) []templates.Link {
	var links []templates.Link
	for _, r := range list[:min(len(list), 3)] {
		links = append(links, templates.Link{
			URL: fr.URL(listingPath(city, f.Without(r.Field, r.Value))),
			Text: fr.T.Listing.Relaxed.With(
				"filter", wishName(fr, city, f, wish{r.Field, r.Value}), "homes", fr.Count(r.Homes, fr.T.Common.Homes)),
		})
	}
	return links
}

// wishName puts a filter into words: "Up to ₽9,000,000".
func wishName(fr frame, city models.City, f models.Filter, w wish) string {
	t := &fr.T.Filters
	switch w.field {
	case "district", "rooms":
		return strings.Join(chosen(fr, city, f, w), ", ")
	case "price_min":
		return t.From.With("value", fr.Money(f.PriceMin, city.Currency))
	case "price_max":
		return t.UpTo.With("value", fr.Money(f.PriceMax, city.Currency))
	case "ppm2_max":
		return t.UpTo.With("value", fr.PerM2(f.PerM2Max, city.Currency))
	case "area_min":
		return t.From.With("value", area(fr, float64(f.AreaMin)))
	case "area_max":
		return t.UpTo.With("value", area(fr, float64(f.AreaMax)))
	case "metro_max":
		return t.Within.With("n", strconv.Itoa(f.MetroMax))
	case "floor_min":
		return t.FloorFrom.With("n", strconv.Itoa(f.FloorMin))
	case "floor_max":
		return t.FloorUpTo.With("n", strconv.Itoa(f.FloorMax))
	case "year_min":
		return t.YearFrom.With("n", strconv.Itoa(f.YearMin))
	case "year_max":
		return t.YearUpTo.With("n", strconv.Itoa(f.YearMax))
	}
	return fr.T.Common.Amenities[w.value]
}

// chosen names the districts or the numbers of rooms that a wish is about.
func chosen(fr frame, city models.City, f models.Filter, w wish) []string {
	var names []string
	if w.field == "rooms" {
		for _, rooms := range f.Rooms {
			if w.value == "" || w.value == strconv.Itoa(rooms) {
				names = append(names, fr.T.Common.Rooms[rooms])
			}
		}
		return names
	}
	for _, d := range city.Districts {
		if slices.Contains(f.Districts, d.Slug) && (w.value == "" || w.value == d.Slug) {
			names = append(names, fr.name(d.Name))
		}
	}
	return names
}
