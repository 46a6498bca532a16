// Cities and the home page: what the whole site starts from.

package models

import "context"

// Cities returns every city with its districts, in the order of their ids.
func (s *Store) Cities(ctx context.Context) ([]City, error) {
	var rows []struct {
		City     City     `gorm:"embedded;embeddedPrefix:city_"`
		District District `gorm:"embedded;embeddedPrefix:district_"`
	}
	err := s.query(ctx, &rows, "cities", `
		SELECT c.id AS city_id, c.slug AS city_slug, c.currency AS city_currency, c.price_step AS city_price_step,
		       c.version AS city_version,
		       c.name_en AS city_name_en, c.name_ru AS city_name_ru, c.name_hi AS city_name_hi,
		       d.id AS district_id, d.city_id AS district_city_id, d.slug AS district_slug,
		       d.name_en AS district_name_en, d.name_ru AS district_name_ru, d.name_hi AS district_name_hi,
		       d.x AS district_x, d.y AS district_y
		FROM cities c JOIN districts d ON d.city_id = c.id
		ORDER BY c.id, d.id`)
	if err != nil {
		return nil, err
	}
	var cities []City
	for _, row := range rows {
		if n := len(cities); n == 0 || cities[n-1].ID != row.City.ID {
			cities = append(cities, row.City)
		}
		city := &cities[len(cities)-1]
		city.Districts = append(city.Districts, row.District)
	}
	return cities, nil
}

// Home is what the home page shows.
type Home struct {
	Homes  map[int16]int   // published apartments by city id
	PerM2  map[int16]int64 // their median price per m² by city id
	Latest []Card          // the newest few of every city, newest first
}

// latestPerCity is how many of a city's newest homes the home page gets to show.
const latestPerCity = 4

// Home counts each city's homes and picks the newest. The median costs no second scan: the index that has the prices per
// m² has every home.
func (s *Store) Home(ctx context.Context) (Home, error) {
	var rows []struct {
		City  int16
		Homes int
		PerM2 float64
		Card
	}
	err := s.query(ctx, &rows, "home", `
		SELECT c.id AS city, n.homes, coalesce(n.median, 0) AS per_m2, card.*
		FROM cities c
		CROSS JOIN LATERAL (
			SELECT count(*) AS homes, percentile_cont(.5) WITHIN GROUP (ORDER BY price_per_m2) AS median
			FROM apartments WHERE city_id = c.id AND status = 'published') n
		LEFT JOIN LATERAL (
			SELECT `+cardColumns+` FROM apartments a JOIN buildings b ON b.id = a.building_id
			WHERE a.city_id = c.id AND a.status = 'published'
			ORDER BY a.listed_at DESC, a.id DESC LIMIT @latest) card ON true
		ORDER BY card.listed_at DESC, card.id DESC`,
		map[string]any{"latest": latestPerCity})
	if err != nil {
		return Home{}, err
	}
	home := Home{Homes: map[int16]int{}, PerM2: map[int16]int64{}}
	for _, row := range rows {
		home.Homes[row.City], home.PerM2[row.City] = row.Homes, whole(row.PerM2)
		if row.Card.ID != 0 { // a city without homes is one row without a card
			home.Latest = append(home.Latest, row.Card)
		}
	}
	return home, nil
}
