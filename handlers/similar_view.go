// The view of what a home is compared with: the market of its district, and the homes most like it.

package handlers

import (
	"cmp"
	"math"
	"slices"
	"time"

	"podbor/models"
	"podbor/templates"
)

const (
	fewestAlike = 8 // a median of fewer tells nothing
	mostAlike   = 4 // shown
)

// alike makes cards of the homes that are most like c.
func alike(fr frame, city *models.City, c *models.Card, similar models.Similar, now time.Time) []templates.Card {
	distance := func(other models.Card) float64 {
		apart := func(a, b float64) float64 { return math.Abs(a-b) / max(a, b, 1) }
		return apart(float64(c.Price), float64(other.Price)) + apart(c.Area, other.Area)
	}
	others := slices.DeleteFunc(slices.Clone(similar.Cards), func(other models.Card) bool { return other.ID == c.ID })
	slices.SortStableFunc(others, func(a, b models.Card) int { return cmp.Compare(distance(a), distance(b)) })
	var cards []templates.Card
	for i := range others[:min(len(others), mostAlike)] {
		cards = append(cards, cardView(fr, &others[i], city, now))
	}
	return cards
}

// marketView compares the price per m² of a home with that of homes in its district with as many rooms.
func marketView(fr frame, city *models.City, c *models.Card, similar models.Similar) templates.Market {
	district, p := districtOf(c, city), similar.PricePerM2
	if similar.Homes < fewestAlike || district == nil || p.P50 == 0 {
		return templates.Market{}
	}
	t := &fr.T.Apartment
	off := math.Round(float64(c.PricePerM2-p.P50) / float64(p.P50) * 100)
	phrase := t.AtMedian
	switch {
	case off < 0:
		phrase = t.BelowMedian
	case off > 0:
		phrase = t.AboveMedian
	}
	// The field of the drawing holds the middle 80 % of the homes and this one, with some room at both ends.
	low, high := min(p.P10, c.PricePerM2), max(p.P90, c.PricePerM2)
	margin := max(high-low, 1) / 10
	low, high = low-margin, high+margin
	x := func(price int64) int { return int((price - low) * templates.MarketWidth / max(high-low, 1)) }
	return templates.Market{
		Sentence: phrase.With(
			"percent", fr.Percent(int64(math.Abs(off))), "median", fr.PerM2(p.P50, city.Currency),
			"district", fr.name(district.Name), "homes", fr.Count(similar.Homes, fr.T.Common.Homes)),
		P10: x(p.P10), P50: x(p.P50), P90: x(p.P90), Here: x(c.PricePerM2),
		Facts: append(market(fr, p, city.Currency), templates.Fact{Name: t.ThisHome, Value: fr.PerM2(c.PricePerM2, city.Currency)}),
	}
}
