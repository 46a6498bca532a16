// Facets: the aggregate counts beside a list, the heavy query of the incident.

package models

import (
	"context"
	"math"
)

// PriceBuckets is the number of price buckets; the last one is open at the top.
const PriceBuckets = 24

// MetroWalks are the walks to the nearest station that are counted, in minutes.
var MetroWalks = [...]int{5, 10, 15, 20}

// Facets are the counts for one filter. A facet's own selection does not shrink its own counts:
// Districts counts homes that match every filter but the district, and so on. Values that count 0 are kept.
type Facets struct {
	Total     int
	Districts map[int16]int // by district id
	Rooms     [MaxRooms + 1]int
	Prices    [PriceBuckets]int    // bucket i holds prices from i × City.PriceStep
	Walks     [len(MetroWalks)]int // homes that are at most MetroWalks[i] minutes from a station
	Amenities []int                // as AllAmenities; homes that match everything and have this amenity too
	// PricePerM2 holds the percentiles of all matching homes; ByDistrict those of each district that has any.
	PricePerM2 Percentiles
	ByDistrict map[int16]Percentiles
}

// Percentiles of the price per m², in whole currency units.
type Percentiles struct{ P10, P50, P90 int64 }

// What a home fails to match, of the filters with counts of their own. All other filters it must match.
const (
	missesDistrict = 1 << iota
	missesRooms
	missesPrice
	missesMetro
)

// Facets counts the published apartments of city under f.
func (s *Store) Facets(ctx context.Context, city City, f Filter) (Facets, error) {
	args := f.args(city)
	args["step"] = city.PriceStep
	args["last"] = PriceBuckets - 1
	var rows []struct {
		Kind          string
		Key           int
		Misses        int
		N             int
		P10, P50, P90 float64
	}
	if err := s.query(ctx, &rows, "facets", facetsSQL, args); err != nil {
		return Facets{}, err
	}

	facets := Facets{Districts: map[int16]int{}, Amenities: make([]int, len(AllAmenities)), ByDistrict: map[int16]Percentiles{}}
	for _, d := range city.Districts {
		facets.Districts[d.ID] = 0
	}
	for _, row := range rows {
		percentiles := Percentiles{whole(row.P10), whole(row.P50), whole(row.P90)}
		// only reports whether a home misses nothing but, at most, the filter whose counts these are.
		only := func(filter int) bool { return row.Misses&^filter == 0 }
		switch {
		case row.Kind == "district" && only(missesDistrict):
			facets.Districts[int16(row.Key)] += row.N
		case row.Kind == "rooms" && only(missesRooms):
			facets.Rooms[row.Key] += row.N
		case row.Kind == "price" && only(missesPrice):
			facets.Prices[row.Key] += row.N
		case row.Kind == "metro" && only(missesMetro):
			for i, minutes := range MetroWalks {
				if row.Key <= minutes {
					facets.Walks[i] += row.N
				}
			}
		case row.Kind == "amenities" && only(0):
			for i := range AllAmenities {
				if row.Key&(1<<i) != 0 {
					facets.Amenities[i] += row.N
				}
			}
		case row.Kind == "homes":
			facets.Total, facets.PricePerM2 = row.N, percentiles
		case row.Kind == "homes of district":
			facets.ByDistrict[int16(row.Key)] = percentiles
		}
	}
	return facets, nil
}

// facetsSQL reads a city's homes once, from the index alone, and notes which filters each of them misses; two
// aggregations over what was read follow. Of 100,000 homes, alone on two cores:
//
//	CTE homes: Index Only Scan using apartments_facets, Heap Fetches: 0          50 ms
//	HashAggregate over the CTE, with a table for each of five counts             50 ms
//	Sort, then GroupAggregate with two grouping sets: the exact percentiles      60 ms
//
// A home that misses two filters is in no count. A CTE that is read several times is neither inlined nor scanned in
// parallel, so one query keeps one core busy.
const facetsSQL = `
	WITH homes AS MATERIALIZED (
		SELECT * FROM (
			SELECT district_id, rooms, least(price / CAST(@step AS bigint), @last)::smallint AS bucket, metro_minutes, amenities, price_per_m2,
			       CASE WHEN ` + districtMatches + ` THEN 0 ELSE 1 END + CASE WHEN ` + roomsMatch + ` THEN 0 ELSE 2 END +
			       CASE WHEN ` + priceMatches + ` THEN 0 ELSE 4 END + CASE WHEN ` + metroMatches + ` THEN 0 ELSE 8 END AS misses
			FROM apartments
			WHERE city_id = @city AND status = 'published' AND ` + uncountedMatches + `
		) marked WHERE misses IN (0, 1, 2, 4, 8)
	)
	SELECT CASE GROUPING(district_id, rooms, bucket, metro_minutes, amenities)
	       WHEN 15 THEN 'district' WHEN 23 THEN 'rooms' WHEN 27 THEN 'price' WHEN 29 THEN 'metro' ELSE 'amenities' END AS kind,
	       coalesce(district_id, rooms, bucket, metro_minutes, amenities) AS key, misses, count(*) AS n, 0 AS p10, 0 AS p50, 0 AS p90
	FROM homes
	GROUP BY GROUPING SETS ((district_id, misses), (rooms, misses), (bucket, misses), (metro_minutes, misses), (amenities, misses))
	UNION ALL
	SELECT CASE WHEN district_id IS NULL THEN 'homes' ELSE 'homes of district' END, coalesce(district_id, 0), 0, n, p[1], p[2], p[3]
	FROM (SELECT district_id, count(*) AS n, percentile_cont(ARRAY[.1, .5, .9]) WITHIN GROUP (ORDER BY price_per_m2) AS p
	      FROM homes WHERE misses = 0 GROUP BY GROUPING SETS ((district_id), ())) percentiles`

func whole(x float64) int64 { return int64(math.Round(x)) }
