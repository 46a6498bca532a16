// What the generator knows of a city, and the cities there are.

package seed

import "strings"

type city struct {
	slug        string
	name        names
	currency    string
	priceStep   int64
	perM2       float64 // usual price of a square metre, in the city's currency
	conditioned float64 // share of homes with air conditioning
	districts   []district
}

type names struct{ en, ru, hi string }

type district struct {
	slug     string
	name     names
	x, y     int16   // on a map of 100 × 100, y to the south
	level    float64 // prices relative to the city's
	from, to int     // years in which most of it was built
	metro    []string
	streets  []string
}

// cities is the order of city ids, from 1; district ids go on counting from city to city.
func cities() []city {
	return []city{moscow(), saintPetersburg(), kazan(), yekaterinburg(), mumbai()}
}

func list(s string) []string { return strings.Split(s, ", ") }
