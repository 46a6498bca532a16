// One apartment, with everything its page shows.

package models

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Apartment returns the apartment with the given id, published or withdrawn, or ErrNotFound.
func (s *Store) Apartment(ctx context.Context, id int64) (Detail, error) {
	return apartment(ctx, s.query, id)
}

// apartment reads a Detail with query, which is Store.query or that of an edit's transaction.
func apartment(ctx context.Context, query func(ctx context.Context, dest any, name, text string, args ...any) error, id int64) (Detail, error) {
	var rows []struct {
		Card
		Description   string
		Metro         string
		AmenityBits   int
		Status        Status
		Version       int32
		HistoryAsJSON []byte
	}
	err := query(ctx, &rows, "apartment", `
		SELECT `+cardColumns+`, a.description, b.metro, a.amenities AS amenity_bits, a.status, a.version,
		       (SELECT coalesce(json_agg(json_build_object('At', at, 'Price', price) ORDER BY at), '[]')
		        FROM price_history WHERE apartment_id = a.id) AS history_as_json
		FROM apartments a JOIN buildings b ON b.id = a.building_id
		WHERE a.id = @id`,
		map[string]any{"id": id})
	if err != nil {
		return Detail{}, err
	}
	if len(rows) == 0 {
		return Detail{}, fmt.Errorf("apartment %d: %w", id, ErrNotFound)
	}
	row := rows[0]
	detail := Detail{
		Card: row.Card, Description: row.Description, Metro: row.Metro,
		Amenities: amenities(row.AmenityBits), Status: row.Status, Version: row.Version,
	}
	if err := json.Unmarshal(row.HistoryAsJSON, &detail.History); err != nil {
		return Detail{}, fmt.Errorf("apartment %d: reading its price history: %w", id, err)
	}
	return detail, nil
}

func amenities(bits int) []string {
	var slugs []string
	for i, slug := range AllAmenities {
		if bits&(1<<i) != 0 {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}

func amenityBits(slugs []string) (bits int, err error) {
	for _, slug := range slugs {
		i := slices.Index(AllAmenities, slug)
		if i < 0 {
			return 0, fmt.Errorf("there is no amenity %q", slug)
		}
		bits |= 1 << i
	}
	return bits, nil
}
