// Apartments, as a card in a list and as a whole page.

package models

import "time"

// Status says whether visitors see an apartment.
type Status string

const (
	Published Status = "published"
	Withdrawn Status = "withdrawn" // known, but no longer on offer
)

// MaxRooms is the last value of the rooms facet and means "that many or more"; 0 is a studio.
const MaxRooms = 5

// A Card is what a list shows of an apartment. Prices are whole units of the city's currency.
type Card struct {
	ID           int64
	CityID       int16
	DistrictID   int16
	BuildingID   int32
	Title        string
	Rooms        int16   // 0 … MaxRooms
	Area         float64 // m², one decimal
	Price        int64
	PricePerM2   int64
	OldPrice     int64 // the price before the last change, 0 if it never changed
	Floor        int16
	Floors       int16 // of the building
	YearBuilt    int16
	MetroMinutes int16  // walk to the nearest metro station
	Address      string // street and house number
	ListedAt     time.Time
	UpdatedAt    time.Time
}

// A Detail is everything the apartment page shows.
type Detail struct {
	Card
	Description string
	Metro       string   // name of the nearest station
	Amenities   []string // slugs out of AllAmenities, in that order
	Status      Status
	Version     int32        // grows with each edit; for optimistic locking
	History     []PricePoint // oldest first, the present price last
}

// CacheVersion makes the cache keep a newer Detail when an older one arrives late.
func (d Detail) CacheVersion() uint64 { return uint64(d.Version) }

// A PricePoint is one step of an apartment's price history.
type PricePoint struct {
	At    time.Time
	Price int64
}

// AllAmenities lists the amenities in display order; bit i of the amenities column stands for AllAmenities[i].
var AllAmenities = []string{
	"balcony", "lift", "parking", "dishwasher", "furnished", "air-conditioning", "pets", "concierge",
}
