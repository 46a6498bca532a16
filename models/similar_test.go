// Similar homes against a naive count, and what finding them costs.

package models_test

import (
	"math"
	"slices"
	"testing"

	"podbor/models"
)

func TestSimilarHomes(t *testing.T) {
	store, homes := seededStore(t, 5000)
	cities, err := store.Cities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	city := cities[0]
	for _, l := range []models.Likeness{
		{DistrictID: city.Districts[0].ID, Rooms: 2, Band: 3},
		{DistrictID: city.Districts[1].ID, Rooms: 1, Band: 0},
		{DistrictID: city.Districts[2].ID, Rooms: 3, Band: 1_000_000}, // dearer than any home
		{DistrictID: -1, Rooms: 1},                                    // no home at all
	} {
		var alike []home
		var perM2 []int64
		for _, h := range homes {
			if h.CityID == city.ID && h.DistrictID == l.DistrictID && h.Rooms == int(l.Rooms) {
				alike, perM2 = append(alike, h), append(perM2, h.PerM2)
			}
		}
		similar, err := store.Similar(t.Context(), city, l)
		if err != nil {
			t.Fatal(err)
		}
		if similar.Homes != len(alike) || len(similar.Cards) != min(len(alike), 24) {
			t.Fatalf("%+v: %d homes and %d cards, there are %d", l, similar.Homes, len(similar.Cards), len(alike))
		}
		if len(alike) == 0 {
			continue
		}
		slices.Sort(perM2)
		if middle := perM2[len(perM2)/2]; math.Abs(float64(similar.PricePerM2.P50-middle)) > float64(perM2[len(perM2)-1]-perM2[0])/10 {
			t.Errorf("%+v: the median is %d, the home in the middle costs %d", l, similar.PricePerM2.P50, middle)
		}
		away := func(price int64) int64 { // from the middle of the band
			d := price - (l.Band*city.PriceStep + city.PriceStep/2)
			return max(d, -d)
		}
		slices.SortFunc(alike, func(a, b home) int { return int(away(a.Price) - away(b.Price)) })
		for i, card := range similar.Cards {
			if card.DistrictID != l.DistrictID || card.Rooms != l.Rooms || away(card.Price) != away(alike[i].Price) {
				t.Errorf("%+v: in place %d is apartment %d with %d rooms for %d, want one for about %d", l, i, card.ID, card.Rooms, card.Price, alike[i].Price)
			}
		}
	}
}

// The home page's median is that of all homes.
func TestMedianOfACity(t *testing.T) {
	store, homes := seededStore(t, 2000)
	found, err := store.Home(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	perM2 := map[int16][]int64{}
	for _, h := range homes {
		perM2[h.CityID] = append(perM2[h.CityID], h.PerM2)
	}
	for city, prices := range perM2 {
		slices.Sort(prices)
		low, high := prices[(len(prices)-1)/2], prices[len(prices)/2]
		if got := found.PerM2[city]; got < low || got > high {
			t.Errorf("city %d: the median is %d, want between %d and %d", city, got, low, high)
		}
		if found.Homes[city] != len(prices) {
			t.Errorf("city %d: %d homes, want %d", city, found.Homes[city], len(prices))
		}
	}
}
