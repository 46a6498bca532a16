// What is generated: complete cities, homes that could exist.

package seed

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"podbor/models"
)

func TestCitiesAreComplete(t *testing.T) {
	slug := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	named := func(what string, n names) {
		t.Helper()
		if !regexp.MustCompile(`^[ -~]+$`).MatchString(n.en) || !regexp.MustCompile(`^[\p{Cyrillic} -]+$`).MatchString(n.ru) ||
			!regexp.MustCompile(`^[\p{Devanagari} -]+$`).MatchString(n.hi) {
			t.Errorf("%s is called %q, %q, %q", what, n.en, n.ru, n.hi)
		}
	}
	reserved := []string{"apartments", "admin", "lab", "favourites", "compare", "mine", "search", "art", "language", "static", "metrics", "healthz", "readyz", "ru", "hi"}
	for _, c := range cities() {
		named(c.slug, c.name)
		if !slug.MatchString(c.slug) || slices.Contains(reserved, c.slug) {
			t.Errorf("%q cannot be a city's path", c.slug)
		}
		if n := len(c.districts); n < 10 || n > 16 {
			t.Errorf("%s has %d districts", c.slug, n)
		}
		seen := map[string]bool{}
		for _, d := range c.districts {
			what := c.slug + "/" + d.slug
			named(what, d.name)
			place := fmt.Sprint(d.x, d.y)
			if !slug.MatchString(d.slug) || seen[d.slug] || seen[place] || d.x < 0 || d.x > 100 || d.y < 0 || d.y > 100 {
				t.Errorf("%s at %d, %d: slug or place is taken or wrong", what, d.x, d.y)
			}
			seen[d.slug], seen[place] = true, true
			streets := slices.Compact(slices.Sorted(slices.Values(d.streets)))
			if len(d.metro) == 0 || len(streets) < 4 || len(streets) != len(d.streets) || d.from >= d.to || d.level < 0.5 || d.level > 3 {
				t.Errorf("%s is incomplete: %+v", what, d)
			}
			for _, s := range slices.Concat(d.metro, d.streets) {
				if !regexp.MustCompile(`^[A-Z0-9][A-Za-z0-9 .-]+$`).MatchString(s) {
					t.Errorf("%s: %q", what, s)
				}
			}
		}
	}
}

func TestApartmentsArePlausible(t *testing.T) {
	const rows = 30_000
	reference := time.Date(2026, 12, 2, 9, 0, 0, 0, time.UTC)
	perCity, perRooms := map[int]int{}, map[int]int{}
	perM2 := map[string][]float64{} // by city and district
	texts := map[string]bool{}
	var changed, withdrawn, lastWeek int
	for b := range buildings(rows, reference) {
		if b.floors < 3 || b.floors > 36 || b.year < 1845 || b.year > reference.Year() || b.metroMinutes < 2 || b.metroMinutes > 25 {
			t.Errorf("building %+v", b)
		}
		for _, a := range b.flats {
			perCity[b.cityID]++
			perRooms[a.rooms]++
			area := float64(a.tenths) / 10
			perM2[b.city.slug+"/"+b.district.slug] = append(perM2[b.city.slug+"/"+b.district.slug], float64(a.price())/area)
			if a.floor < 1 || a.floor > b.floors || area < 20+12*float64(a.rooms)-12 || area > 34+47*float64(a.rooms) {
				t.Errorf("%d rooms of %.1f m² on floor %d of %d", a.rooms, area, a.floor, b.floors)
			}
			if ratio := float64(a.price()) / area / (b.city.perM2 * b.district.level); ratio < 0.45 || ratio > 2.2 {
				t.Errorf("%s, %.1f m²: %.2f times what is usual there", b.district.slug, area, ratio)
			}
			if lift := a.amenities&(1<<slices.Index(models.AllAmenities, "lift")) != 0; lift != (b.floors > 5) {
				t.Errorf("a house of %d floors, lift: %v", b.floors, lift)
			}
			for i, p := range a.history {
				if p.At.After(reference) || p.At.Before(reference.AddDate(0, 0, -121)) || p.Price < 10_000 || p.Price%10_000 != 0 ||
					i > 0 && (!p.At.After(a.history[i-1].At) || p.Price == a.history[i-1].Price) {
					t.Errorf("price history %v", a.history)
				}
			}
			title, description := b.describe(&a)
			if len(title) < 12 || len(title) > 90 || len(description) < 70 || len(description) > 240 {
				t.Errorf("%q (%d), %q (%d)", title, len(title), description, len(description))
			}
			texts[title+description] = true
			if len(a.history) > 1 {
				changed++
			}
			if a.withdrawn {
				withdrawn++
			}
			if reference.Sub(a.history[0].At) < 7*24*time.Hour {
				lastWeek++
			}
		}
	}

	share := func(what string, n int, low, high float64) {
		t.Helper()
		if s := float64(n) / rows; s < low || s > high {
			t.Errorf("%.3f of all %s, want %.3f to %.3f", s, what, low, high)
		}
	}
	for id := range cities() {
		share(fmt.Sprint("are in city ", id+1), perCity[id+1], 0.2, 0.2)
	}
	for rooms, usual := range []float64{0.12, 0.31, 0.31, 0.17, 0.06, 0.03} {
		share(fmt.Sprint("have rooms: ", rooms), perRooms[rooms], usual-0.01, usual+0.01)
	}
	share("had another price before", changed, 0.22, 0.27)
	share("are withdrawn", withdrawn, 0.015, 0.025)
	share("are not a week old", lastWeek, 0.1, 0.25)
	share("have texts of their own", len(texts), 0.95, 1)

	median := func(place string) float64 {
		values := perM2[place]
		if len(values) == 0 {
			t.Fatalf("nothing in %s", place)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	if centre, edge := median("moscow/arbat"), median("moscow/yuzhnoye-butovo"); centre < 2*edge {
		t.Errorf("a square metre in Arbat costs %.0f, in Butovo %.0f", centre, edge)
	}
	for _, c := range cities() { // the facet's buckets must tell prices apart
		var first, last int
		for b := range buildings(5000, reference) {
			for _, a := range b.flats {
				if b.city.slug == c.slug && a.price() < c.priceStep {
					first++
				}
				if b.city.slug == c.slug && a.price() >= (models.PriceBuckets-1)*c.priceStep {
					last++
				}
			}
		}
		if first > 150 || last < 10 || last > 150 {
			t.Errorf("of 1000 homes in %s, %d are in the first bucket of the price facet and %d in the last", c.slug, first, last)
		}
	}
}
