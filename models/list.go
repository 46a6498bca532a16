// Lists: one page of a city's apartments, filtered and sorted.

package models

import (
	"context"
	"slices"
)

// cardColumns makes a Card out of an apartment a and its building b.
const cardColumns = `
	a.id, a.city_id, a.district_id, a.building_id, a.title, a.rooms, a.area, a.price, a.price_per_m2, a.old_price,
	a.floor, b.floors, a.year_built, a.metro_minutes, b.street || ', ' || b.house AS address, a.listed_at, a.updated_at`

// What an apartment must match, one condition for each part of a filter; see Filter.args. A part that is not
// given is folded to true before the statement is planned.
const (
	districtMatches = `(CAST(@districts AS smallint[]) IS NULL OR district_id = ANY (@districts))`
	roomsMatch      = `(CAST(@rooms AS smallint[]) IS NULL OR rooms = ANY (@rooms))`
	priceMatches    = `(CAST(@price_min AS bigint) = 0 OR price >= @price_min) AND (CAST(@price_max AS bigint) = 0 OR price <= @price_max)`
	areaMatches     = `(CAST(@area_min AS int) = 0 OR area >= @area_min) AND (CAST(@area_max AS int) = 0 OR area <= @area_max)`
)

// List returns one page of the published apartments of city that match f; none beyond the last page.
func (s *Store) List(ctx context.Context, city City, f Filter) ([]Card, error) {
	order := f.Sort.orderBy()
	args := f.args(city)
	args["limit"] = PageSize
	args["offset"] = PageSize * (max(f.Page, 1) - 1)
	var cards []Card
	err := s.query(ctx, &cards, "list", `
		SELECT `+cardColumns+`
		FROM (SELECT * FROM apartments
		      WHERE city_id = @city AND status = 'published'
		        AND `+districtMatches+` AND `+roomsMatch+` AND `+priceMatches+` AND `+areaMatches+`
		      ORDER BY `+order+` LIMIT @limit OFFSET @offset) a
		JOIN buildings b ON b.id = a.building_id
		ORDER BY `+order, args)
	return cards, err
}

// orderBy is a total order; an index has each of them, read forwards or backwards.
func (s Sort) orderBy() string {
	switch s {
	case PriceAscending:
		return `price, id`
	case PriceDescending:
		return `price DESC, id DESC`
	case PerM2Ascending:
		return `price_per_m2, id`
	case AreaDescending:
		return `area DESC, id DESC`
	default:
		return `listed_at DESC, id DESC`
	}
}

// args are the values that the conditions above name.
func (f Filter) args(city City) map[string]any {
	var districts []int16
	for _, d := range city.Districts {
		if slices.Contains(f.Districts, d.Slug) {
			districts = append(districts, d.ID)
		}
	}
	return map[string]any{
		"city":      city.ID,
		"districts": array(districts),
		"rooms":     array(f.Rooms),
		"price_min": f.PriceMin, "price_max": f.PriceMax,
		"area_min": f.AreaMin, "area_max": f.AreaMax,
	}
}

// array makes one parameter of a slice, NULL of an empty one. (gorm makes a list of parameters of a bare slice.)
func array[T any](s []T) *[]T {
	if len(s) == 0 {
		return nil
	}
	return &s
}
