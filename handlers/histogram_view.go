// The view of how prices spread: a bar for each price bucket, and the same in words.

package handlers

import (
	"slices"
	"strconv"

	"podbor/models"
	"podbor/templates"
)

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
