// The view of a listing's filters: the form, its counts, and the chips above the results.

package handlers

import (
	"slices"
	"strconv"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/templates"
)

func filtersView(fr frame, city models.City, f models.Filter, facets models.Facets) templates.Filters {
	view := templates.Filters{
		Action:     fr.URL("/" + city.Slug),
		Rooms:      make([]templates.Option, len(facets.Rooms)),
		Price:      fr.T.Filters.Price.With("currency", locale.Symbol(city.Currency)),
		Prices:     histogram(fr, city, f, facets.Prices),
		PriceRange: templates.Range{Min: bound(f.PriceMin), Max: bound(f.PriceMax)},
		PerM2Max:   bound(f.PerM2Max),
		AreaRange:  templates.Range{Min: bound(int64(f.AreaMin)), Max: bound(int64(f.AreaMax))},
		Walks:      walks(fr, f, facets),
		Districts:  make([]templates.Option, len(city.Districts)),
		FloorRange: templates.Range{Min: bound(int64(f.FloorMin)), Max: bound(int64(f.FloorMax))},
		YearRange:  templates.Range{Min: bound(int64(f.YearMin)), Max: bound(int64(f.YearMax))},
		Amenities:  make([]templates.Option, len(facets.Amenities)),
		FloorYear:  f.FloorMin+f.FloorMax+f.YearMin+f.YearMax > 0,
		Equipped:   len(f.Amenities) > 0,
		Show:       fr.T.Filters.Show.With("homes", fr.Count(facets.Total, fr.T.Common.Homes)),
		Sorts:      make([]templates.SortOption, len(models.Sorts)),
	}
	for rooms, n := range facets.Rooms {
		view.Rooms[rooms] = option(fr, strconv.Itoa(rooms), roomsShort(fr, rooms), n, slices.Contains(f.Rooms, rooms))
	}
	for i, d := range city.Districts {
		view.Districts[i] = option(fr, d.Slug, fr.name(d.Name), facets.Districts[d.ID], slices.Contains(f.Districts, d.Slug))
	}
	for i, n := range facets.Amenities {
		slug := models.AllAmenities[i]
		view.Amenities[i] = option(fr, slug, fr.T.Common.Amenities[slug], n, slices.Contains(f.Amenities, slug))
	}
	for i, sort := range models.Sorts {
		view.Sorts[i] = templates.SortOption{Value: string(sort), Text: sortName(fr, sort), Selected: sort == f.Sort}
	}
	if n := len(inUse(f)); n > 0 {
		view.Active = fr.T.Filters.InUse.With("n", strconv.Itoa(n))
	}
	return view
}

// walks offers the walks that are counted. One that was asked for in the URL and is not among them is offered too: the
// homes it shows are those of the page.
func walks(fr frame, f models.Filter, facets models.Facets) []templates.Option {
	list := []templates.Option{{Text: fr.T.Filters.AnyWalk, Selected: f.MetroMax == 0}}
	add := func(minutes, homes int) {
		text := fr.T.Filters.WalkUpTo.With("n", strconv.Itoa(minutes))
		list = append(list, option(fr, strconv.Itoa(minutes), text, homes, minutes == f.MetroMax))
	}
	for i, minutes := range models.MetroWalks {
		add(minutes, facets.Walks[i])
	}
	if f.MetroMax > 0 && !slices.Contains(models.MetroWalks[:], f.MetroMax) {
		add(f.MetroMax, facets.Total)
	}
	return list
}

func option(fr frame, value, text string, n int, selected bool) templates.Option {
	return templates.Option{
		Value: value, Text: text, Count: fr.Number(int64(n)), CountN: strconv.Itoa(n), None: n == 0, Selected: selected,
	}
}

// bound is the value of a number box: empty when nothing was asked.
func bound(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func roomsShort(fr frame, rooms int) string {
	switch rooms {
	case 0:
		return fr.T.Common.Studio
	case models.MaxRooms:
		return fr.T.Common.RoomsMore
	}
	return strconv.Itoa(rooms)
}

func sortName(fr frame, s models.Sort) string {
	t := &fr.T.Listing
	switch s {
	case models.PriceAscending:
		return t.Cheapest
	case models.PriceDescending:
		return t.Dearest
	case models.PerM2Ascending:
		return t.PerM2
	case models.AreaDescending:
		return t.Largest
	}
	return t.Newest
}
