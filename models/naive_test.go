// The same lists and counts, computed from all rows in the simplest way.

package models_test

import (
	"cmp"
	"math"
	"slices"

	"podbor/models"
)

// A home is an apartment as the naive computations below see it.
type home struct {
	ID         int64
	CityID     int16
	DistrictID int16
	Rooms      int
	Price      int64
	PerM2      int64
	Area       float64
	Floor      int
	Metro      int
	Year       int
	Amenities  int
	Listed     int64 // microseconds
}

func naiveList(homes []home, city models.City, f models.Filter) []home {
	var found []home
	for _, h := range homes {
		if h.CityID == city.ID && inDistrict(h, city, f) && inRooms(h, f) && inPrice(h, f) && inWalk(h, f) && inRest(h, f) {
			found = append(found, h)
		}
	}
	slices.SortFunc(found, func(a, b home) int {
		switch f.Sort {
		case models.PriceAscending:
			return cmp.Or(cmp.Compare(a.Price, b.Price), cmp.Compare(a.ID, b.ID))
		case models.PriceDescending:
			return cmp.Or(cmp.Compare(b.Price, a.Price), cmp.Compare(b.ID, a.ID))
		case models.PerM2Ascending:
			return cmp.Or(cmp.Compare(a.PerM2, b.PerM2), cmp.Compare(a.ID, b.ID))
		case models.AreaDescending:
			return cmp.Or(cmp.Compare(b.Area, a.Area), cmp.Compare(b.ID, a.ID))
		default:
			return cmp.Or(cmp.Compare(b.Listed, a.Listed), cmp.Compare(b.ID, a.ID))
		}
	})
	return found
}

func naiveFacets(homes []home, city models.City, f models.Filter) models.Facets {
	want := models.Facets{Districts: map[int16]int{}, Amenities: make([]int, len(models.AllAmenities)), ByDistrict: map[int16]models.Percentiles{}}
	for _, d := range city.Districts {
		want.Districts[d.ID] = 0
	}
	perM2 := map[int16][]int64{}
	var all []int64
	for _, h := range homes {
		if h.CityID != city.ID || !inRest(h, f) {
			continue
		}
		d, r, p, w := inDistrict(h, city, f), inRooms(h, f), inPrice(h, f), inWalk(h, f)
		if r && p && w {
			want.Districts[h.DistrictID]++
		}
		if d && p && w {
			want.Rooms[h.Rooms]++
		}
		if d && r && w {
			want.Prices[min(h.Price/city.PriceStep, models.PriceBuckets-1)]++
		}
		for i, minutes := range models.MetroWalks {
			if d && r && p && h.Metro <= minutes {
				want.Walks[i]++
			}
		}
		if d && r && p && w {
			for i := range models.AllAmenities {
				want.Amenities[i] += h.Amenities >> i & 1
			}
			want.Total++
			all = append(all, h.PerM2)
			perM2[h.DistrictID] = append(perM2[h.DistrictID], h.PerM2)
		}
	}
	want.PricePerM2 = naivePercentiles(all)
	for d, values := range perM2 {
		want.ByDistrict[d] = naivePercentiles(values)
	}
	return want
}

// naivePercentiles interpolates between the two nearest values.
func naivePercentiles(values []int64) models.Percentiles {
	if len(values) == 0 {
		return models.Percentiles{}
	}
	slices.Sort(values)
	at := func(p float64) int64 {
		place := p * float64(len(values)-1)
		low, high := values[int(math.Floor(place))], values[int(math.Ceil(place))]
		return int64(math.Round(float64(low) + (place-math.Floor(place))*float64(high-low)))
	}
	return models.Percentiles{P10: at(0.1), P50: at(0.5), P90: at(0.9)}
}

func inDistrict(h home, city models.City, f models.Filter) bool {
	i := slices.IndexFunc(city.Districts, func(d models.District) bool { return d.ID == h.DistrictID })
	return len(f.Districts) == 0 || slices.Contains(f.Districts, city.Districts[i].Slug)
}

func inRooms(h home, f models.Filter) bool {
	return len(f.Rooms) == 0 || slices.Contains(f.Rooms, h.Rooms)
}

func inPrice(h home, f models.Filter) bool {
	return (f.PriceMin == 0 || h.Price >= f.PriceMin) && (f.PriceMax == 0 || h.Price <= f.PriceMax)
}

func inWalk(h home, f models.Filter) bool { return f.MetroMax == 0 || h.Metro <= f.MetroMax }

// inRest is every filter without counts of its own.
func inRest(h home, f models.Filter) bool {
	for i, slug := range models.AllAmenities {
		if slices.Contains(f.Amenities, slug) && h.Amenities>>i&1 == 0 {
			return false
		}
	}
	return (f.PerM2Max == 0 || h.PerM2 <= f.PerM2Max) &&
		(f.AreaMin == 0 || h.Area >= float64(f.AreaMin)) && (f.AreaMax == 0 || h.Area <= float64(f.AreaMax)) &&
		(f.FloorMin == 0 || h.Floor >= f.FloorMin) && (f.FloorMax == 0 || h.Floor <= f.FloorMax) &&
		(f.YearMin == 0 || h.Year >= f.YearMin) && (f.YearMax == 0 || h.Year <= f.YearMax)
}
