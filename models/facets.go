// Facets: the aggregate counts beside a list, the heavy query of the incident.

package models

// PriceBuckets is the number of price buckets; the last one is open at the top.
const PriceBuckets = 24

// Facets are the counts for one filter. A facet's own selection does not shrink its own counts:
// Districts counts homes that match every filter but the district, and so on. Values that count 0 are kept.
type Facets struct {
	Total     int
	Districts map[int16]int // by district id
	Rooms     [MaxRooms + 1]int
	Prices    [PriceBuckets]int // bucket i holds prices from i × City.PriceStep
	// PricePerM2 holds the percentiles of all matching homes; ByDistrict those of each district that has any.
	PricePerM2 Percentiles
	ByDistrict map[int16]Percentiles
}

// Percentiles of the price per m², in whole currency units.
type Percentiles struct{ P10, P50, P90 int64 }
