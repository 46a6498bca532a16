// Relaxations against the totals that they promise.

package models_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"podbor/models"
)

func TestWhatARelaxationPromises(t *testing.T) {
	store, homes := seededStore(t, 2000)
	cities, err := store.Cities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		city := cities[rapid.IntRange(0, len(cities)-1).Draw(t, "city")]
		f := drawFilter(t, city)
		f.Page = 3
		now := len(naiveList(homes, city, f))
		list, err := store.Relax(context.Background(), city, f)
		if err != nil {
			t.Fatal(err)
		}
		offered := map[string]bool{}
		most := -1
		for _, r := range list {
			less := f.Without(r.Field, r.Value)
			if n := len(naiveList(homes, city, less)); n != r.Homes || n <= now {
				t.Errorf("%q without %s %s: promised %d, there are %d (and %d with it)", f.Encode(), r.Field, r.Value, r.Homes, n, now)
			}
			if most >= 0 && r.Homes > most {
				t.Errorf("%q: %d homes are offered after %d", f.Encode(), r.Homes, most)
			}
			most = r.Homes
			offered[less.Encode()] = true
		}
		// And nothing that would help is left out.
		for _, field := range []string{"district", "rooms", "price_min", "price_max", "ppm2_max", "area_min", "area_max",
			"floor_min", "floor_max", "metro_max", "year_min", "year_max"} {
			less := f.Without(field, "")
			if n := len(naiveList(homes, city, less)); n > now && !offered[less.Encode()] {
				t.Errorf("%q without %s has %d homes, and nobody says so", f.Encode(), field, n)
			}
		}
		for _, slug := range f.Amenities {
			less := f.Without("amenities", slug)
			if n := len(naiveList(homes, city, less)); n > now && !offered[less.Encode()] {
				t.Errorf("%q without %s has %d homes, and nobody says so", f.Encode(), slug, n)
			}
		}
	})
}

func TestWithoutOneValue(t *testing.T) {
	f := models.Filter{Districts: []string{"arbat", "sokol"}, Rooms: []int{1, 2}, Amenities: []string{"balcony", "lift"}, Page: 4}
	for _, test := range []struct{ field, value, want string }{
		{"district", "arbat", "district=sokol&rooms=1&rooms=2&amenities=balcony&amenities=lift"},
		{"rooms", "2", "district=arbat&district=sokol&rooms=1&amenities=balcony&amenities=lift"},
		{"rooms", "", "district=arbat&district=sokol&amenities=balcony&amenities=lift"},
		{"amenities", "lift", "district=arbat&district=sokol&rooms=1&rooms=2&amenities=balcony"},
	} {
		if got := f.Without(test.field, test.value).Encode(); got != test.want {
			t.Errorf("without %s %s: %q, want %q", test.field, test.value, got, test.want)
		}
	}
	if len(f.Districts) != 2 || len(f.Amenities) != 2 {
		t.Error("the filter itself has changed")
	}
}
