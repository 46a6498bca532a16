// The store against a naive computation over all rows (naive_test.go).

package models_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"pgregory.net/rapid"

	"podbor/internal/servers/serverstest"
	"podbor/models"
	"podbor/seed"
)

func TestListsAndCountsAgreeWithANaiveComputation(t *testing.T) {
	store, homes := seededStore(t, 4000)
	cities, err := store.Cities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(cities) < 5 {
		t.Fatalf("%d cities, want at least 5", len(cities))
	}

	rapid.Check(t, func(t *rapid.T) {
		city := rapid.SampledFrom(cities).Draw(t, "city")
		city.PriceStep *= rapid.Int64Range(1, 4).Draw(t, "step")
		f := drawFilter(t, city)
		ctx := context.Background()

		got, err := store.Facets(ctx, city, f)
		if err != nil {
			t.Fatal(err)
		}
		if want := naiveFacets(homes, city, f); !reflect.DeepEqual(got, want) {
			t.Fatalf("Facets(%s, %q)\n got %+v\nwant %+v", city.Slug, f.Encode(), got, want)
		}

		var want []int64
		for _, h := range naiveList(homes, city, f) {
			want = append(want, h.ID)
		}
		var ids []int64
		for f.Page = 1; ; f.Page++ {
			cards, err := store.List(ctx, city, f)
			if err != nil {
				t.Fatal(err)
			}
			if len(cards) == 0 {
				break
			}
			for _, c := range cards {
				ids = append(ids, c.ID)
			}
		}
		if !slices.Equal(ids, want) {
			t.Fatalf("List(%s, %q) over all pages\n got %v\nwant %v", city.Slug, f.Encode(), ids, want)
		}
		if got.Total != len(ids) {
			t.Fatalf("Facets(%s, %q) counts %d homes, the pages hold %d", city.Slug, f.Encode(), got.Total, len(ids))
		}
	})
}

// Each number beside a list is what a visitor gets who clicks it.
func TestEachCountIsTheTotalAfterClickingIt(t *testing.T) {
	store, _ := seededStore(t, 2000)
	cities, err := store.Cities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	city := cities[0]
	for _, f := range []models.Filter{
		{},
		{Districts: []string{city.Districts[3].Slug}, Rooms: []int{1, 2}},
		{Rooms: []int{2}, PriceMin: 4 * city.PriceStep, PriceMax: 9*city.PriceStep - 1, AreaMin: 40},
		{MetroMax: 10, YearMin: 1960, FloorMin: 2, Amenities: []string{"balcony", "lift"}},
	} {
		shown, err := store.Facets(t.Context(), city, f)
		if err != nil {
			t.Fatal(err)
		}
		click := func(what string, count int, f models.Filter) {
			t.Helper()
			after, err := store.Facets(t.Context(), city, f)
			if err != nil {
				t.Fatal(err)
			}
			if after.Total != count {
				t.Errorf("%q says %s has %d, clicking it gives %d", f.Encode(), what, count, after.Total)
			}
		}
		for _, d := range city.Districts {
			g := f
			g.Districts = []string{d.Slug}
			click(d.Slug, shown.Districts[d.ID], g)
		}
		for n, count := range shown.Rooms {
			g := f
			g.Rooms = []int{n}
			click(fmt.Sprint(n, " rooms"), count, g)
		}
		for i, count := range shown.Walks {
			g := f
			g.MetroMax = models.MetroWalks[i]
			click(fmt.Sprint(g.MetroMax, " minutes"), count, g)
		}
		for i, count := range shown.Amenities { // one more of them, not instead of them
			if slug := models.AllAmenities[i]; !slices.Contains(f.Amenities, slug) {
				g := f
				g.Amenities = append(slices.Clone(f.Amenities), slug)
				click(slug, count, g)
			}
		}
		for i, count := range shown.Prices {
			g := f
			g.PriceMin, g.PriceMax = int64(i)*city.PriceStep, int64(i+1)*city.PriceStep-1
			if i == models.PriceBuckets-1 {
				g.PriceMax = 0
			}
			click(fmt.Sprint("price bucket ", i), count, g)
		}
	}
}

func TestApartment(t *testing.T) {
	store, homes := seededStore(t, 500)
	for _, h := range homes {
		d, err := store.Apartment(t.Context(), h.ID)
		if err != nil {
			t.Fatal(err)
		}
		if d.ID != h.ID || d.Price != h.Price || d.PricePerM2 != h.PerM2 || d.Area != h.Area || int(d.Rooms) != h.Rooms ||
			d.Title == "" || d.Description == "" || d.Address == "" || d.Metro == "" || d.Status != models.Published || d.Version < 1 ||
			d.ListedAt.IsZero() || d.UpdatedAt.Before(d.ListedAt) || d.Floor > d.Floors {
			t.Errorf("apartment %d is %+v", h.ID, d)
		}
		last := len(d.History) - 1
		if last < 0 || d.History[last].Price != d.Price || !d.History[0].At.Equal(d.ListedAt) {
			t.Fatalf("apartment %d costs %d, listed at %v; its history is %v", h.ID, d.Price, d.ListedAt, d.History)
		}
		if last > 0 && d.OldPrice != d.History[last-1].Price || last == 0 && d.OldPrice != 0 {
			t.Errorf("apartment %d has old price %d, its history is %v", h.ID, d.OldPrice, d.History)
		}
	}
	for _, id := range []int64{0, -1, 501, math.MaxInt64} {
		if _, err := store.Apartment(t.Context(), id); !errors.Is(err, models.ErrNotFound) {
			t.Errorf("Apartment(%d): %v, want ErrNotFound", id, err)
		}
	}
}

func TestHome(t *testing.T) {
	store, homes := seededStore(t, 500)
	home, err := store.Home(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[int16]int{}
	for _, h := range homes {
		want[h.CityID]++
	}
	if !maps.Equal(home.Homes, want) {
		t.Errorf("homes by city are %v, want %v", home.Homes, want)
	}
	if len(home.Latest) < 12 || !slices.IsSortedFunc(home.Latest, func(a, b models.Card) int { return b.ListedAt.Compare(a.ListedAt) }) {
		t.Errorf("latest are %v", home.Latest)
	}
}

func TestAStoreWithoutHomes(t *testing.T) {
	store, _ := seededStore(t, 0)
	cities, err := store.Cities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	facets, err := store.Facets(t.Context(), cities[0], models.Filter{})
	if err != nil || facets.Total != 0 || len(facets.Districts) != len(cities[0].Districts) {
		t.Errorf("Facets = %+v, %v", facets, err)
	}
	home, err := store.Home(t.Context())
	if err != nil || len(home.Homes) != len(cities) || len(home.Latest) != 0 {
		t.Errorf("Home = %+v, %v", home, err)
	}
}

// seededStore returns a store of rows apartments, and those of them that are published.
func seededStore(t *testing.T, rows int) (*models.Store, []home) {
	t.Helper()
	url := serverstest.Database(t)
	db := open(t, url)
	if err := seed.Run(t.Context(), url, rows, nil); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	found, err := conn.Query(t.Context(), `
		SELECT id, city_id, district_id, rooms, price, round(price / area)::bigint AS per_m2, area::float8 AS area,
		       floor, metro_minutes AS metro, year_built AS year, amenities, (extract(epoch FROM listed_at) * 1000000)::bigint AS listed
		FROM apartments WHERE status <> 'withdrawn'`)
	if err != nil {
		t.Fatal(err)
	}
	homes, err := pgx.CollectRows(found, pgx.RowToStructByName[home])
	if err != nil {
		t.Fatal(err)
	}
	return models.NewStore(db, prometheus.NewPedanticRegistry()), homes
}

func drawFilter(t *rapid.T, city models.City) models.Filter {
	var f models.Filter
	for _, d := range city.Districts {
		if rapid.IntRange(0, 3).Draw(t, "take district") == 0 {
			f.Districts = append(f.Districts, d.Slug)
		}
	}
	if rapid.Bool().Draw(t, "any district") {
		f.Districts = nil
	}
	for n := range models.MaxRooms + 1 {
		if rapid.IntRange(0, 3).Draw(t, "take rooms") == 0 {
			f.Rooms = append(f.Rooms, n)
		}
	}
	slices.Sort(f.Districts)
	price := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(1, 30*city.PriceStep))
	f.PriceMin, f.PriceMax = price.Draw(t, "min"), price.Draw(t, "max")
	area := rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 150))
	f.AreaMin, f.AreaMax = area.Draw(t, "min"), area.Draw(t, "max")
	seldom := func(low, high int, name string) int { // a filter more or less leaves homes to count
		if rapid.IntRange(0, 2).Draw(t, "any "+name) > 0 {
			return 0
		}
		return rapid.IntRange(low, high).Draw(t, name)
	}
	f.PerM2Max = int64(seldom(1, 600, "per m²")) * 1000
	f.FloorMin, f.FloorMax = seldom(1, 12, "lowest floor"), seldom(3, 30, "highest floor")
	f.MetroMax = seldom(2, 22, "walk")
	f.YearMin, f.YearMax = seldom(1900, 2020, "oldest"), seldom(1950, 2026, "newest")
	for _, slug := range models.AllAmenities {
		if seldom(0, 1, slug) == 1 {
			f.Amenities = append(f.Amenities, slug)
		}
	}
	f.Sort = rapid.SampledFrom(models.Sorts).Draw(t, "sort")
	return f
}
