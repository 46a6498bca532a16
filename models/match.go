// What an apartment must match, as SQL: one condition for each part of a filter.

package models

import "slices"

// A part that is not given is folded to true before the statement is planned. See Filter.args for the values.
const (
	districtMatches  = `(CAST(@districts AS smallint[]) IS NULL OR district_id = ANY (@districts))`
	roomsMatch       = `(CAST(@rooms AS smallint[]) IS NULL OR rooms = ANY (@rooms))`
	priceMinMatches  = `(CAST(@price_min AS bigint) = 0 OR price >= @price_min)`
	priceMaxMatches  = `(CAST(@price_max AS bigint) = 0 OR price <= @price_max)`
	perM2Matches     = `(CAST(@ppm2_max AS bigint) = 0 OR price_per_m2 <= @ppm2_max)`
	areaMinMatches   = `(CAST(@area_min AS int) = 0 OR area >= @area_min)`
	areaMaxMatches   = `(CAST(@area_max AS int) = 0 OR area <= @area_max)`
	floorMinMatches  = `(CAST(@floor_min AS int) = 0 OR floor >= @floor_min)`
	floorMaxMatches  = `(CAST(@floor_max AS int) = 0 OR floor <= @floor_max)`
	metroMatches     = `(CAST(@metro_max AS int) = 0 OR metro_minutes <= @metro_max)`
	yearMinMatches   = `(CAST(@year_min AS int) = 0 OR year_built >= @year_min)`
	yearMaxMatches   = `(CAST(@year_max AS int) = 0 OR year_built <= @year_max)`
	amenitiesMatch   = `(CAST(@amenities AS int) = 0 OR amenities & @amenities = @amenities)`
	priceMatches     = priceMinMatches + ` AND ` + priceMaxMatches
	uncountedMatches = perM2Matches + ` AND ` + areaMinMatches + ` AND ` + areaMaxMatches + ` AND ` + floorMinMatches + ` AND ` +
		floorMaxMatches + ` AND ` + yearMinMatches + ` AND ` + yearMaxMatches + ` AND ` + amenitiesMatch
	matchesAll = districtMatches + ` AND ` + roomsMatch + ` AND ` + priceMatches + ` AND ` + metroMatches + ` AND ` + uncountedMatches
)

// args are the values that the conditions name.
func (f Filter) args(city City) map[string]any {
	var districts []int16
	for _, d := range city.Districts {
		if slices.Contains(f.Districts, d.Slug) {
			districts = append(districts, d.ID)
		}
	}
	bits, _ := amenityBits(f.Amenities) // all known: ParseFilter has seen them
	return map[string]any{
		"city":      city.ID,
		"districts": array(districts),
		"rooms":     array(f.Rooms),
		"price_min": f.PriceMin, "price_max": f.PriceMax, "ppm2_max": f.PerM2Max,
		"area_min": f.AreaMin, "area_max": f.AreaMax,
		"floor_min": f.FloorMin, "floor_max": f.FloorMax,
		"metro_max": f.MetroMax,
		"year_min":  f.YearMin, "year_max": f.YearMax,
		"amenities": bits,
	}
}

// array makes one parameter of a slice, NULL of an empty one. (gorm makes a list of parameters of a bare slice.)
func array[T any](s []T) *[]T {
	if len(s) == 0 {
		return nil
	}
	return &s
}
