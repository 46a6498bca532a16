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
		Action:    fr.URL("/" + city.Slug),
		Rooms:     make([]templates.Option, len(facets.Rooms)),
		Price:     fr.T.Filters.Price.With("currency", locale.Symbol(city.Currency)),
		Prices:    histogram(fr, city, f, facets.Prices),
		PriceMin:  bound(f.PriceMin),
		PriceMax:  bound(f.PriceMax),
		AreaMin:   bound(int64(f.AreaMin)),
		AreaMax:   bound(int64(f.AreaMax)),
		Districts: make([]templates.Option, len(city.Districts)),
		Sorts:     make([]templates.SortOption, len(models.Sorts)),
	}
	for rooms, n := range facets.Rooms {
		view.Rooms[rooms] = option(fr, strconv.Itoa(rooms), roomsShort(fr, rooms), n, slices.Contains(f.Rooms, rooms))
	}
	for i, d := range city.Districts {
		view.Districts[i] = option(fr, d.Slug, fr.name(d.Name), facets.Districts[d.ID], slices.Contains(f.Districts, d.Slug))
	}
	for i, sort := range models.Sorts {
		view.Sorts[i] = templates.SortOption{Value: string(sort), Text: sortName(fr, sort), Selected: sort == f.Sort}
	}
	if n := len(chips(fr, city, f)); n > 0 {
		view.Active = fr.T.Filters.InUse.With("n", strconv.Itoa(n))
	}
	return view
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

// chips lists the filters in use, in the order of the form. Each leads to the listing without it, on its first page.
func chips(fr frame, city models.City, f models.Filter) []templates.Chip {
	t := &fr.T.Filters
	f.Page = 1
	var list []templates.Chip
	add := func(without models.Filter, text string) {
		list = append(list, templates.Chip{URL: fr.URL(listingPath(city, without)), Text: text})
	}
	for _, rooms := range f.Rooms {
		without := f
		without.Rooms = remove(f.Rooms, rooms)
		add(without, fr.T.Common.Rooms[rooms])
	}
	if without := f; f.PriceMin > 0 {
		without.PriceMin = 0
		add(without, t.From.With("value", fr.Money(f.PriceMin, city.Currency)))
	}
	if without := f; f.PriceMax > 0 {
		without.PriceMax = 0
		add(without, t.UpTo.With("value", fr.Money(f.PriceMax, city.Currency)))
	}
	if without := f; f.AreaMin > 0 {
		without.AreaMin = 0
		add(without, t.From.With("value", area(fr, float64(f.AreaMin))))
	}
	if without := f; f.AreaMax > 0 {
		without.AreaMax = 0
		add(without, t.UpTo.With("value", area(fr, float64(f.AreaMax))))
	}
	for _, d := range city.Districts {
		if slices.Contains(f.Districts, d.Slug) {
			without := f
			without.Districts = remove(f.Districts, d.Slug)
			add(without, fr.name(d.Name))
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
func histogram(fr frame, city models.City, f models.Filter, buckets [models.PriceBuckets]int) templates.Histogram {
	most := slices.Index(buckets[:], slices.Max(buckets[:]))
	view := templates.Histogram{
		Summary: fr.T.Filters.NoPrices,
		From:    fr.ShortMoney(0, city.Currency),
		To:      fr.ShortMoney(int64(models.PriceBuckets-1)*city.PriceStep, city.Currency) + "+",
	}
	if buckets[most] == 0 {
		return view
	}
	view.Summary = fullest(fr, city, most, buckets[most])
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

// fullest says in words which price bucket holds the most homes.
func fullest(fr frame, city models.City, bucket, homes int) string {
	n := fr.Count(homes, fr.T.Common.Homes)
	from := fr.ShortMoney(int64(bucket)*city.PriceStep, city.Currency)
	if bucket == models.PriceBuckets-1 {
		return fr.T.Filters.PricesOver.With("homes", n, "from", from)
	}
	to := fr.ShortMoney(int64(bucket+1)*city.PriceStep, city.Currency)
	return fr.T.Filters.PricesRange.With("homes", n, "from", from, "to", to)
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
