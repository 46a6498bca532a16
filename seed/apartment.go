// Apartments: rooms, size, price and the history of that price, plausible for the building they are in.

package seed

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"podbor/models"
)

type apartment struct {
	id           int64
	rooms, floor int
	tenths       int64 // of a square metre
	amenities    int   // bits as in models.AllAmenities
	withdrawn    bool
	history      []models.PricePoint // oldest first; the last is the price
}

func (a *apartment) price() int64 { return a.history[len(a.history)-1].Price }

func (a *apartment) oldPrice() int64 {
	if len(a.history) < 2 {
		return 0
	}
	return a.history[len(a.history)-2].Price
}

// apartment makes one more flat of b.
func (b *building) apartment(rnd *rand.Rand, id int64, reference time.Time) apartment {
	a := apartment{id: id, floor: between(rnd, 1, b.floors), withdrawn: chance(rnd, 0.02)}
	a.rooms = weighted(rnd, 0.12, 0.31, 0.31, 0.17, 0.06, 0.03)
	sizes := [models.MaxRooms + 1][2]float64{{20, 34}, {31, 49}, {44, 73}, {62, 106}, {88, 152}, {125, 265}}[a.rooms]
	a.tenths = int64(10 * (sizes[0] + (sizes[1]-sizes[0])*(rnd.Float64()+rnd.Float64())/2))
	a.amenities = b.amenities(rnd)
	a.history = b.history(rnd, b.price(rnd, &a), reference)
	return a
}

// price is what a flat like a would fetch, rounded as sellers round.
func (b *building) price(rnd *rand.Rand, a *apartment) int64 {
	area := float64(a.tenths) / 10
	perM2 := b.city.perM2 * b.district.level *
		math.Pow(55/area, 0.10) * // small flats cost more per m²
		(1.08 - 0.007*float64(b.metroMinutes)) *
		math.Exp(0.11*rnd.NormFloat64())
	switch {
	case b.year >= 2012:
		perM2 *= 1.14
	case b.year >= 1958 && b.year < 1976:
		perM2 *= 0.90
	}
	switch {
	case a.floor == 1:
		perM2 *= 0.93
	case a.floor > 9:
		perM2 *= 1 + 0.003*float64(a.floor-9)
	}
	const step = 10_000
	return max(1, int64(math.Round(perM2*area/step))) * step
}

// history dates the listing, more of them recent than old, and invents how it came to its price.
func (b *building) history(rnd *rand.Rand, price int64, reference time.Time) []models.PricePoint {
	const longest = 120 * 24 * time.Hour
	age := time.Duration(float64(longest) * math.Pow(rnd.Float64(), 1.5))
	changes := 0
	if chance(rnd, 0.25) {
		changes = 1 + weighted(rnd, 0.5, 0.28, 0.15, 0.07)
	}
	history := []models.PricePoint{{At: reference.Add(-age).Truncate(time.Second), Price: price}}
	for i := range changes {
		// The changes share the time since the listing; a young listing has had none.
		at := reference.Add(-time.Duration(float64(age) * (float64(changes-i) - 0.8*rnd.Float64()) / float64(changes+1))).Truncate(time.Second)
		if at.Sub(history[i].At) < time.Hour {
			break
		}
		history = append(history, models.PricePoint{At: at, Price: price})
	}
	for i := len(history) - 2; i >= 0; i-- { // backwards from the price of today: sellers mostly come down
		factor := 1 + 0.01 + 0.05*rnd.Float64()
		if chance(rnd, 0.25) {
			factor = 1 / factor
		}
		const step = 10_000
		price = max(1, int64(math.Round(float64(price)*factor/step))) * step
		history[i].Price = price
	}
	return slices.CompactFunc(history, func(a, b models.PricePoint) bool { return a.Price == b.Price })
}

// amenities of a flat in b, as bits.
func (b *building) amenities(rnd *rand.Rand) int {
	lift, parking, concierge := 0.0, 0.12, 0.04
	if b.floors > 5 {
		lift = 1
	}
	if b.year >= 2005 {
		parking, concierge = 0.7, 0.35
	}
	const balcony, dishwasher, furnished, pets = 0.62, 0.4, 0.45, 0.5
	bits := 0
	for i, share := range [...]float64{ // in the order of models.AllAmenities
		balcony, lift, parking, dishwasher, furnished, b.city.conditioned, pets, concierge,
	} {
		if chance(rnd, share) {
			bits |= 1 << i
		}
	}
	return bits
}

// weighted returns i with probability weights[i]; the weights add up to 1.
func weighted(rnd *rand.Rand, weights ...float64) int {
	x := rnd.Float64()
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return len(weights) - 1
}
