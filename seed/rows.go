// Rows: what is generated, in the columns of each table.

package seed

import (
	"iter"
	"math/big"

	"github.com/jackc/pgx/v5/pgtype"

	"podbor/models"
)

func cityRows() iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for i, c := range cities() {
			if !yield([]any{i + 1, c.slug, c.name.en, c.name.ru, c.name.hi, c.currency, c.priceStep}) {
				return
			}
		}
	}
}

func districtRows() iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		id := 0
		for i, c := range cities() {
			for _, d := range c.districts {
				id++
				if !yield([]any{id, i + 1, d.slug, d.name.en, d.name.ru, d.name.hi, d.x, d.y}) {
					return
				}
			}
		}
	}
}

func buildingRows(walk iter.Seq[*building]) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for b := range walk {
			if !yield([]any{b.id, b.districtID, b.street, b.house, b.floors, b.year, b.metro, b.metroMinutes}) {
				return
			}
		}
	}
}

func apartmentRows(walk iter.Seq[*building]) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for b := range walk {
			for _, a := range b.flats {
				title, description := b.describe(&a)
				status := models.Published
				if a.withdrawn {
					status = models.Withdrawn
				}
				row := []any{
					a.id, b.cityID, b.districtID, b.id, a.rooms, a.floor, b.year, b.metroMinutes, a.amenities, len(a.history),
					a.price(), a.oldPrice(), pgtype.Numeric{Int: big.NewInt(a.tenths), Exp: -1, Valid: true}, string(status),
					title, description, a.history[0].At, a.history[len(a.history)-1].At,
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}

func priceRows(walk iter.Seq[*building]) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for b := range walk {
			for _, a := range b.flats {
				for _, p := range a.history {
					if !yield([]any{a.id, p.At, p.Price}) {
						return
					}
				}
			}
		}
	}
}
