// Relaxations: when few homes match or none, which filter stands most in the way.

package models

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
)

// A Relaxation is one filter less. Ranges count as two filters, amenities as one each.
type Relaxation struct {
	Field string // the query parameter
	Value string // which amenity, else ""
	Homes int    // that match without it
}

// conditions are what Relax tries to do without, in the order of the form; "amenities" stands for each of them.
var conditions = func() []condition {
	list := []condition{
		{"district", "", districtMatches}, {"rooms", "", roomsMatch},
		{"price_min", "", priceMinMatches}, {"price_max", "", priceMaxMatches}, {"ppm2_max", "", perM2Matches},
		{"area_min", "", areaMinMatches}, {"area_max", "", areaMaxMatches},
		{"floor_min", "", floorMinMatches}, {"floor_max", "", floorMaxMatches},
		{"metro_max", "", metroMatches}, {"year_min", "", yearMinMatches}, {"year_max", "", yearMaxMatches},
	}
	for i, slug := range AllAmenities {
		bit := strconv.Itoa(1 << i)
		list = append(list, condition{"amenities", slug, "(CAST(@amenities AS int) & " + bit + " = 0 OR amenities & " + bit + " <> 0)"})
	}
	return list
}()

type condition struct{ field, value, sql string }

// relaxSQL marks each home with what it misses, one bit for each condition, and counts those that miss one or none. A
// condition that was not asked for costs nothing; OFFSET 0 makes PostgreSQL work the mark out once.
var relaxSQL = func() string {
	var marks []string
	for i, c := range conditions {
		marks = append(marks, "CASE WHEN "+c.sql+" THEN 0 ELSE "+strconv.Itoa(1<<i)+" END")
	}
	return `
	SELECT misses, count(*) AS n
	FROM (SELECT ` + strings.Join(marks, " + ") + ` AS misses
	      FROM apartments WHERE city_id = @city AND status = 'published' OFFSET 0) marked
	WHERE misses & (misses - 1) = 0 GROUP BY misses`
}()

// Relax returns the filters of f without any one of which there are more homes, the one that brings back most first.
func (s *Store) Relax(ctx context.Context, city City, f Filter) ([]Relaxation, error) {
	var rows []struct{ Misses, N int }
	if err := s.query(ctx, &rows, "relax", relaxSQL, f.args(city)); err != nil {
		return nil, err
	}
	matches := map[int]int{}
	for _, row := range rows {
		matches[row.Misses] = row.N
	}
	list := []Relaxation{}
	for i, c := range conditions {
		if n := matches[1<<i]; n > 0 {
			list = append(list, Relaxation{c.field, c.value, matches[0] + n})
		}
	}
	slices.SortStableFunc(list, func(a, b Relaxation) int { return cmp.Compare(b.Homes, a.Homes) })
	return list, nil
}

// Without returns f, on its first page, without one value of a field or, if the value is "", without the field.
func (f Filter) Without(field, value string) Filter {
	f.Page = 1
	switch field {
	case "district":
		f.Districts = without(f.Districts, value)
	case "rooms":
		f.Rooms = without(f.Rooms, value)
	case "price_min":
		f.PriceMin = 0
	case "price_max":
		f.PriceMax = 0
	case "ppm2_max":
		f.PerM2Max = 0
	case "area_min":
		f.AreaMin = 0
	case "area_max":
		f.AreaMax = 0
	case "floor_min":
		f.FloorMin = 0
	case "floor_max":
		f.FloorMax = 0
	case "metro_max":
		f.MetroMax = 0
	case "year_min":
		f.YearMin = 0
	case "year_max":
		f.YearMax = 0
	case "amenities":
		f.Amenities = without(f.Amenities, value)
	}
	return f
}

// without copies a list, but for the element that is written like value; nothing is left if the value is "".
func without[T string | int](list []T, value string) []T {
	if value == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return written(v) == value })
}

func written[T string | int](v T) string {
	switch v := any(v).(type) {
	case int:
		return strconv.Itoa(v)
	default:
		return v.(string)
	}
}
