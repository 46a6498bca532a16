// What a visitor asked for, in its canonical form, and the ids that follow from it. parse.go makes it of a query.

package models

import (
	"net/url"
	"strconv"
	"strings"
)

const (
	PageSize = 24  // apartments on one page of a list
	MaxPages = 100 // a list goes no deeper: beyond it, visitors filter
)

// Sort is the order of a list. Ties are broken by id.
type Sort string

const (
	Newest          Sort = "" // the default, never in a URL
	PriceAscending  Sort = "price_asc"
	PriceDescending Sort = "price_desc"
	PerM2Ascending  Sort = "ppm2"
	AreaDescending  Sort = "area_desc"
)

// Sorts lists every order in display order.
var Sorts = []Sort{Newest, PriceAscending, PriceDescending, PerM2Ascending, AreaDescending}

// A Filter is the canonical form of a listing's query: values sorted and unique, 0 or empty where nothing was
// asked. Ranges include both ends. ParseFilter makes one; its zero value is the bare listing.
type Filter struct {
	Districts          []string // slugs; any of them
	Rooms              []int    // 0 is a studio, MaxRooms means that many or more; any of them
	PriceMin, PriceMax int64    // whole units of the city's currency
	PerM2Max           int64    // the same, per m²
	AreaMin, AreaMax   int      // m²
	FloorMin, FloorMax int      // 1 is the ground floor
	MetroMax           int      // minutes' walk to the nearest station
	YearMin, YearMax   int      // in which the building was built
	Amenities          []string // slugs, in the order of AllAmenities; all of them
	Sort               Sort
	Page               int // 1 … MaxPages
}

// Encode returns the canonical query string, without "?": empty for the bare listing.
func (f Filter) Encode() string { return f.encode(true) }

// ListID identifies one page of a list within its city.
func (f Filter) ListID() string { return f.encode(true) }

// FacetsID identifies the counts within their city: order and page do not change them.
func (f Filter) FacetsID() string { return f.encode(false) }

func (f Filter) encode(orderAndPage bool) string {
	var b strings.Builder
	add := func(name, value string) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(name)
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(value))
	}
	addNumber := func(name string, n int64) {
		if n > 0 {
			add(name, strconv.FormatInt(n, 10))
		}
	}
	for _, slug := range f.Districts {
		add("district", slug)
	}
	for _, n := range f.Rooms {
		add("rooms", strconv.Itoa(n))
	}
	addNumber("price_min", f.PriceMin)
	addNumber("price_max", f.PriceMax)
	addNumber("ppm2_max", f.PerM2Max)
	addNumber("area_min", int64(f.AreaMin))
	addNumber("area_max", int64(f.AreaMax))
	addNumber("floor_min", int64(f.FloorMin))
	addNumber("floor_max", int64(f.FloorMax))
	addNumber("metro_max", int64(f.MetroMax))
	addNumber("year_min", int64(f.YearMin))
	addNumber("year_max", int64(f.YearMax))
	for _, slug := range f.Amenities {
		add("amenities", slug)
	}
	if orderAndPage && f.Sort != Newest {
		add("sort", string(f.Sort))
	}
	if orderAndPage && f.Page > 1 {
		addNumber("page", int64(f.Page))
	}
	return b.String()
}
