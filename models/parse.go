// Reading a query: the one place where the input of a listing is validated and made canonical.
//
// Equal wishes give equal filters, equal filters give equal ids, and input that means nothing gives no id at
// all. So neither order, case, duplicates nor junk can make a second cache key for the same answer.

package models

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of what may be typed. All are far above any home on offer.
const (
	maxPrice = 1_000_000_000_000
	maxArea  = 100_000
	maxFloor = 200
	maxWalk  = 180
	maxYear  = 2100
)

// An InputError is something a visitor can correct. Handlers put it into words, in the visitor's language.
type InputError struct {
	Field string // the query parameter
	Value string // as given, cut to a length that can be shown
	Fault Fault
	Limit int64 // for BadRooms and TooLarge: the largest value that would do
}

func (e *InputError) Error() string { return fmt.Sprintf("%s=%q: %s", e.Field, e.Value, e.Fault) }

// A Fault is what is wrong with a value.
type Fault string

const (
	UnknownDistrict Fault = "no such district in this city"
	UnknownAmenity  Fault = "no such amenity"
	BadRooms        Fault = "not a number of rooms"
	NotANumber      Fault = "not a whole number in digits"
	TooLarge        Fault = "too large"
	UnknownSort     Fault = "no such order"
	BadPage         Fault = "not the number of a page"
)

// ParseFilter reads a listing's query. Unknown parameters are ignored, absent and empty ones are the same,
// the last non-empty one wins where only one makes sense, a range given backwards is turned round, and a page
// beyond MaxPages becomes MaxPages. Everything else that makes no sense is an *InputError.
func ParseFilter(q url.Values, city City) (Filter, error) {
	var p parser
	f := Filter{
		Districts: p.districts(q["district"], city),
		Rooms:     p.rooms(q["rooms"]),
		PriceMin:  p.number(q, "price_min", maxPrice),
		PriceMax:  p.number(q, "price_max", maxPrice),
		PerM2Max:  p.number(q, "ppm2_max", maxPrice),
		AreaMin:   int(p.number(q, "area_min", maxArea)),
		AreaMax:   int(p.number(q, "area_max", maxArea)),
		FloorMin:  int(p.number(q, "floor_min", maxFloor)),
		FloorMax:  int(p.number(q, "floor_max", maxFloor)),
		MetroMax:  int(p.number(q, "metro_max", maxWalk)),
		YearMin:   int(p.number(q, "year_min", maxYear)),
		YearMax:   int(p.number(q, "year_max", maxYear)),
		Amenities: p.amenities(q["amenities"]),
		Sort:      p.sort(last(q["sort"])),
		Page:      p.page(last(q["page"])),
	}
	if p.err != nil {
		return Filter{}, p.err
	}
	f.PriceMin, f.PriceMax = forwards(f.PriceMin, f.PriceMax)
	f.AreaMin, f.AreaMax = forwards(f.AreaMin, f.AreaMax)
	f.FloorMin, f.FloorMax = forwards(f.FloorMin, f.FloorMax)
	f.YearMin, f.YearMax = forwards(f.YearMin, f.YearMax)
	return f, nil
}

// forwards turns a range round that is given backwards. 0 means no bound.
func forwards[N int | int64](low, high N) (N, N) {
	if high > 0 && low > high {
		return high, low
	}
	return low, high
}

// A parser keeps the first error, so that ParseFilter reads as a list of the parameters.
type parser struct{ err error }

func (p *parser) fail(field, value string, fault Fault, limit int64) {
	if p.err == nil {
		p.err = &InputError{Field: field, Value: clip(value), Fault: fault, Limit: limit}
	}
}

func (p *parser) districts(values []string, city City) []string {
	var slugs []string
	for _, v := range values {
		if v == "" {
			continue
		}
		slug := strings.ToLower(v)
		if !slices.ContainsFunc(city.Districts, func(d District) bool { return d.Slug == slug }) {
			p.fail("district", v, UnknownDistrict, 0)
		}
		slugs = append(slugs, slug)
	}
	slices.Sort(slugs)
	return slices.Compact(slugs)
}

func (p *parser) rooms(values []string) []int {
	var rooms []int
	for _, v := range values {
		if v == "" {
			continue
		}
		n, ok := digits(v)
		if !ok || n > MaxRooms {
			p.fail("rooms", v, BadRooms, MaxRooms)
		}
		rooms = append(rooms, int(n))
	}
	slices.Sort(rooms)
	return slices.Compact(rooms)
}

func (p *parser) amenities(values []string) []string {
	var bits int
	for _, v := range values {
		if v == "" {
			continue
		}
		bit, err := amenityBits([]string{strings.ToLower(v)})
		if err != nil {
			p.fail("amenities", v, UnknownAmenity, 0)
		}
		bits |= bit
	}
	return amenities(bits)
}

func (p *parser) number(q url.Values, field string, limit int64) int64 {
	v := last(q[field])
	if v == "" {
		return 0
	}
	n, ok := digits(v)
	if !ok {
		p.fail(field, v, NotANumber, 0)
	} else if n > limit {
		p.fail(field, v, TooLarge, limit)
	}
	return n
}

func (p *parser) sort(v string) Sort {
	s := Sort(strings.ToLower(v))
	if s == "newest" {
		return Newest
	}
	if !slices.Contains(Sorts, s) {
		p.fail("sort", v, UnknownSort, 0)
	}
	return s
}

func (p *parser) page(v string) int {
	if v == "" {
		return 1
	}
	n, ok := digits(v)
	if !ok {
		p.fail("page", v, BadPage, 0)
	}
	return int(min(max(n, 1), MaxPages))
}

// last returns the last non-empty value: what a browser sends for a form field that a link already carried.
func last(values []string) string {
	for _, v := range slices.Backward(values) {
		if v != "" {
			return v
		}
	}
	return ""
}

// digits reads a number of ASCII digits, and nothing else: no sign, space, point or exponent. One that int64
// cannot hold comes back as its largest value, which is above every limit.
func digits(v string) (n int64, ok bool) {
	if v == "" || strings.Trim(v, "0123456789") != "" {
		return 0, false
	}
	n, _ = strconv.ParseInt(v, 10, 64) // only out of range is left to go wrong
	return n, true
}

// clip makes a value from outside fit to be shown.
func clip(v string) string {
	v = strings.ToValidUTF8(v, "\uFFFD")
	if utf8.RuneCountInString(v) > 40 {
		v = string([]rune(v)[:40]) + "…"
	}
	return v
}
