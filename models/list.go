// Lists: one page of a city's apartments, filtered and sorted.

package models

import "context"

// cardColumns makes a Card out of an apartment a and its building b.
const cardColumns = `
	a.id, a.city_id, a.district_id, a.building_id, a.title, a.rooms, a.area, a.price, a.price_per_m2, a.old_price,
	a.floor, b.floors, a.year_built, a.metro_minutes, b.street || ', ' || b.house AS address, a.listed_at, a.updated_at`

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
		        AND `+matchesAll+`
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
