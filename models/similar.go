// Similar homes: what else there is like a home, and what such homes cost.

package models

import "context"

// mostSimilar is how many homes an entry holds. The page of a home shows a few of them, those that are most like it.
const mostSimilar = 24

// Similar is about the homes of one district with the same number of rooms.
type Similar struct {
	Homes      int
	PricePerM2 Percentiles
	Cards      []Card // those with a price near the one asked about, the nearest first
}

// A Likeness is what homes that are alike have in common. It is coarse, so that neighbours share one entry.
type Likeness struct {
	DistrictID, Rooms int16
	Band              int64 // of the price, in steps of City.PriceStep
}

// likeness of a home of the city.
func likeness(city City, home Card) Likeness {
	return Likeness{home.DistrictID, home.Rooms, home.Price / city.PriceStep}
}

// Similar finds the homes of a likeness. Some thousand entries of apartments_facets are read, and a few homes.
func (s *Store) Similar(ctx context.Context, city City, l Likeness) (Similar, error) {
	var rows []struct {
		Homes         int
		P10, P50, P90 float64
		Card
	}
	err := s.query(ctx, &rows, "similar", `
		SELECT market.homes, coalesce(p[1], 0) AS p10, coalesce(p[2], 0) AS p50, coalesce(p[3], 0) AS p90, card.*
		FROM (SELECT count(*) AS homes, percentile_cont(ARRAY[.1, .5, .9]) WITHIN GROUP (ORDER BY price_per_m2) AS p
		      FROM apartments WHERE city_id = @city AND district_id = @district AND rooms = @rooms AND status = 'published') market
		LEFT JOIN (
		      SELECT `+cardColumns+`
		      FROM (SELECT * FROM apartments
		            WHERE city_id = @city AND district_id = @district AND rooms = @rooms AND status = 'published'
		            ORDER BY abs(price - @price), id LIMIT @most) a
		      JOIN buildings b ON b.id = a.building_id) card ON true
		ORDER BY abs(card.price - @price), card.id`,
		map[string]any{
			"city": city.ID, "district": l.DistrictID, "rooms": l.Rooms,
			"price": l.Band*city.PriceStep + city.PriceStep/2, "most": mostSimilar,
		})
	if err != nil {
		return Similar{}, err
	}
	similar := Similar{Homes: rows[0].Homes, PricePerM2: Percentiles{whole(rows[0].P10), whole(rows[0].P50), whole(rows[0].P90)}}
	for _, row := range rows {
		if row.Card.ID != 0 { // without homes there is one row without a card
			similar.Cards = append(similar.Cards, row.Card)
		}
	}
	return similar, nil
}
