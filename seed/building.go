// Buildings: the sequence of all of them, each with its flats, the same on every walk through it.

package seed

import (
	"iter"
	"math"
	"math/rand/v2"
	"strconv"
	"time"
)

// number is the seed of everything generated.
const number = 1

type building struct {
	id, cityID, districtID int
	city                   *city
	district               *district
	street, house          string
	floors, year           int
	metro                  string
	metroMinutes           int
	flats                  []apartment
}

// buildings yields the buildings that hold rows apartments, as many in each city, in the order of all ids.
// Each building has a random sequence of its own, so a walk does not depend on what came before. Dates are
// counted back from reference. A building and its flats are only good until the next one is asked for.
func buildings(rows int, reference time.Time) iter.Seq[*building] {
	return func(yield func(*building) bool) {
		all := cities()
		var b building
		var apartmentID int64
		districtsBefore := 0
		for c := range all {
			city := &all[c]
			left := rows / len(all)
			if c < rows%len(all) {
				left++
			}
			built := make([]int, len(city.districts)) // how many buildings each district has by now
			for left > 0 {
				rnd := rand.New(rand.NewPCG(number, uint64(b.id+1)))
				d := rnd.IntN(len(city.districts))
				flats := min(10+rnd.IntN(5), left)
				left -= flats

				b = building{
					id: b.id + 1, cityID: c + 1, districtID: districtsBefore + d + 1,
					city: city, district: &city.districts[d], flats: b.flats[:0],
				}
				b.construct(rnd, built[d])
				built[d]++
				for range flats {
					apartmentID++
					b.flats = append(b.flats, b.apartment(rnd, apartmentID, reference))
				}
				if !yield(&b) {
					return
				}
			}
			districtsBefore += len(city.districts)
		}
	}
}

// construct gives the nth building of its district an address nobody else has, and its shape.
func (b *building) construct(rnd *rand.Rand, nth int) {
	d := b.district
	b.street = d.streets[nth%len(d.streets)]
	b.house = strconv.Itoa(1 + 2*(nth/len(d.streets)) + rnd.IntN(2))
	b.year = between(rnd, d.from, d.to)
	if chance(rnd, 0.12) {
		b.year = between(rnd, max(d.from, 2005), 2026) // there are new houses everywhere
	}
	b.floors = floors(rnd, b.year)
	b.metro = d.metro[rnd.IntN(len(d.metro))]
	b.metroMinutes = 2 + int(23*math.Pow(rnd.Float64(), 1.6))
}

// floors follows what was built when: tenements, five-storey blocks, slabs, towers.
func floors(rnd *rand.Rand, year int) int {
	switch {
	case year < 1918:
		return between(rnd, 3, 7)
	case year < 1958:
		return between(rnd, 4, 9)
	case year < 1976:
		return []int{5, 5, 5, 9, 9, 12}[rnd.IntN(6)]
	case year < 1996:
		return []int{9, 9, 12, 14, 16, 17}[rnd.IntN(6)]
	case year < 2011:
		return between(rnd, 10, 25)
	default:
		return between(rnd, 9, 36)
	}
}

func between(rnd *rand.Rand, low, high int) int { return low + rnd.IntN(high-low+1) }

func chance(rnd *rand.Rand, p float64) bool { return rnd.Float64() < p }
