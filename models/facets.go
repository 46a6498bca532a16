// Facets: the aggregate counts beside a list, the heavy query of the incident.

package models

import (
	"context"
	"math"
)

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

// Facets counts the published apartments of city under f.
func (s *Store) Facets(ctx context.Context, city City, f Filter) (Facets, error) {
	args := f.args(city)
	args["step"] = city.PriceStep
	args["last"] = PriceBuckets - 1
	var rows []struct {
		Kind          string
		Key           int16
		N             int
		P10, P50, P90 float64
	}
	if err := s.query(ctx, &rows, "facets", facetsSQL, args); err != nil {
		return Facets{}, err
	}

	facets := Facets{Districts: map[int16]int{}, ByDistrict: map[int16]Percentiles{}}
	for _, d := range city.Districts {
		facets.Districts[d.ID] = 0
	}
	for _, row := range rows {
		percentiles := Percentiles{whole(row.P10), whole(row.P50), whole(row.P90)}
		switch row.Kind {
		case "district":
			facets.Districts[row.Key] = row.N
		case "rooms":
			facets.Rooms[row.Key] = row.N
		case "price":
			facets.Prices[row.Key] = row.N
		case "homes":
			facets.Total, facets.PricePerM2 = row.N, percentiles
		case "homes of district":
			facets.ByDistrict[row.Key] = percentiles
		}
	}
	return facets, nil
}

// facetsSQL reads a city's homes once, from the index alone, and marks which parts of the filter each of them
// matches; four aggregations over what was read follow. Of 100,000 homes, alone on two cores:
//
//	CTE homes: Index Only Scan using apartments_facets, Heap Fetches: 0          40 ms
//	HashAggregate × 3 over the CTE: districts, rooms, price buckets              40 ms
//	Sort, then GroupAggregate with two grouping sets: the exact percentiles      60 ms
//
// A CTE that is read several times is neither inlined nor scanned in parallel, so one query keeps one core busy.
const facetsSQL = `
	WITH homes AS MATERIALIZED (
		SELECT district_id, rooms, least(price / CAST(@step AS bigint), @last)::smallint AS bucket, price_per_m2,
		       ` + districtMatches + ` AS d, ` + roomsMatch + ` AS r, ` + priceMatches + ` AS p
		FROM apartments
		WHERE city_id = @city AND status = 'published' AND ` + areaMatches + `
	)
	SELECT 'district' AS kind, district_id AS key, count(*) AS n, 0 AS p10, 0 AS p50, 0 AS p90
	FROM homes WHERE r AND p GROUP BY district_id
	UNION ALL
	SELECT 'rooms', rooms, count(*), 0, 0, 0 FROM homes WHERE d AND p GROUP BY rooms
	UNION ALL
	SELECT 'price', bucket, count(*), 0, 0, 0 FROM homes WHERE d AND r GROUP BY bucket
	UNION ALL
	SELECT CASE WHEN district_id IS NULL THEN 'homes' ELSE 'homes of district' END, coalesce(district_id, 0), n, p[1], p[2], p[3]
	FROM (SELECT district_id, count(*) AS n, percentile_cont(ARRAY[.1, .5, .9]) WITHIN GROUP (ORDER BY price_per_m2) AS p
	      FROM homes WHERE d AND r AND p GROUP BY GROUPING SETS ((district_id), ())) percentiles`

func whole(x float64) int64 { return int64(math.Round(x)) }
