// The view of a listing's filters: the form, its counts, and the chips above the results.

package handlers

import (
	"slices"
	"strconv"

	"podbor/models"
	"podbor/templates"
)

func filtersView(city models.City, f models.Filter, facets models.Facets) templates.Filters {
	view := templates.Filters{
		Action:    "/" + city.Slug,
		Rooms:     make([]templates.Option, len(facets.Rooms)),
		Currency:  symbol(city.Currency),
		Prices:    histogram(city, f, facets.Prices),
		PriceMin:  bound(f.PriceMin),
		PriceMax:  bound(f.PriceMax),
		AreaMin:   bound(int64(f.AreaMin)),
		AreaMax:   bound(int64(f.AreaMax)),
		Districts: make([]templates.Option, len(city.Districts)),
		Submit:    "Show homes",
		Sorts:     make([]templates.SortOption, len(models.Sorts)),
	}
	for rooms, n := range facets.Rooms {
		view.Rooms[rooms] = option(strconv.Itoa(rooms), roomsShort(rooms), n, slices.Contains(f.Rooms, rooms))
	}
	for i, d := range city.Districts {
		view.Districts[i] = option(d.Slug, d.Name.EN, facets.Districts[d.ID], slices.Contains(f.Districts, d.Slug))
	}
	for i, sort := range models.Sorts {
		view.Sorts[i] = templates.SortOption{Value: string(sort), Text: sortName(sort), Selected: sort == f.Sort}
	}
	if n := len(chips(city, f)); n > 0 {
		view.Active = count(n, "in use", "in use")
	}
	return view
}

func option(value, text string, n int, selected bool) templates.Option {
	return templates.Option{
		Value: value, Text: text, Count: number(int64(n)), CountN: strconv.Itoa(n), None: n == 0, Selected: selected,
	}
}

// bound is the value of a number box: empty when nothing was asked.
func bound(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func roomsShort(rooms int) string {
	switch rooms {
	case 0:
		return "Studio"
	case models.MaxRooms:
		return strconv.Itoa(rooms) + "+"
	}
	return strconv.Itoa(rooms)
}

func sortName(s models.Sort) string {
	switch s {
	case models.PriceAscending:
		return "Cheapest first"
	case models.PriceDescending:
		return "Dearest first"
	case models.PerM2Ascending:
		return "Lowest price per m²"
	case models.AreaDescending:
		return "Largest first"
	}
	return "Newest first"
}

// chips lists the filters in use, in the order of the form. Each leads to the listing without it, on its first page.
func chips(city models.City, f models.Filter) []templates.Chip {
	f.Page = 1
	var list []templates.Chip
	add := func(without models.Filter, text string) {
		list = append(list, templates.Chip{URL: listingURL(city, without), Text: text})
	}
	for _, rooms := range f.Rooms {
		without := f
		without.Rooms = remove(f.Rooms, rooms)
		add(without, roomsName(rooms))
	}
	if without := f; f.PriceMin > 0 {
		without.PriceMin = 0
		add(without, "From "+money(f.PriceMin, city.Currency))
	}
	if without := f; f.PriceMax > 0 {
		without.PriceMax = 0
		add(without, "Up to "+money(f.PriceMax, city.Currency))
	}
	if without := f; f.AreaMin > 0 {
		without.AreaMin = 0
		add(without, "From "+strconv.Itoa(f.AreaMin)+" m²")
	}
	if without := f; f.AreaMax > 0 {
		without.AreaMax = 0
		add(without, "Up to "+strconv.Itoa(f.AreaMax)+" m²")
	}
	for _, d := range city.Districts {
		if slices.Contains(f.Districts, d.Slug) {
			without := f
			without.Districts = remove(f.Districts, d.Slug)
			add(without, d.Name.EN)
		}
	}
	return list
}

// remove returns a copy of list without v.
func remove[T comparable](list []T, v T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return x == v })
}

const (
	histogramWidth  = 240
	histogramHeight = 56
	barWidth        = histogramWidth / models.PriceBuckets
)

// histogram draws one bar per price bucket. Bars that the chosen prices touch are drawn in the path In, others in Out.
func histogram(city models.City, f models.Filter, buckets [models.PriceBuckets]int) templates.Histogram {
	most := slices.Index(buckets[:], slices.Max(buckets[:]))
	view := templates.Histogram{
		Summary: "No home has a price to show",
		From:    shortMoney(0, city.Currency),
		To:      shortMoney(int64(models.PriceBuckets-1)*city.PriceStep, city.Currency) + "+",
	}
	if buckets[most] == 0 {
		return view
	}
	view.Summary = "Prices: the largest group, " + count(buckets[most], "home", "homes") + ", " + bucketName(city, most)
	var in, out []byte
	for i, n := range buckets {
		if n == 0 {
			continue
		}
		low, high := int64(i)*city.PriceStep, int64(i+1)*city.PriceStep
		chosen := (f.PriceMax == 0 || low <= f.PriceMax) && (high > f.PriceMin || i == models.PriceBuckets-1)
		// The least of homes still gets a line of one unit.
		height := max(1, n*histogramHeight/buckets[most])
		if chosen {
			in = appendBar(in, i*barWidth, height)
		} else {
			out = appendBar(out, i*barWidth, height)
		}
	}
	view.In, view.Out = string(in), string(out)
	return view
}

func bucketName(city models.City, i int) string {
	low := shortMoney(int64(i)*city.PriceStep, city.Currency)
	if i == models.PriceBuckets-1 {
		return "costs " + low + " or more"
	}
	return "costs " + low + " to " + shortMoney(int64(i+1)*city.PriceStep, city.Currency)
}

// appendBar appends the path of a bar that stands on the ground line, with a gap to the next.
func appendBar(b []byte, x, height int) []byte {
	b = strconv.AppendInt(append(b, 'M'), int64(x), 10)
	b = strconv.AppendInt(append(b, ' '), histogramHeight, 10)
	b = strconv.AppendInt(append(b, "v-"...), int64(height), 10)
	b = strconv.AppendInt(append(b, 'h'), barWidth-1, 10)
	b = strconv.AppendInt(append(b, 'v'), int64(height), 10)
	return append(b, 'z')
}
