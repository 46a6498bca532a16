// A schematic map out of nothing but the places of the districts: each gets the land that is nearest to it.

package handlers

import (
	"math"
	"strings"
	"unicode/utf8"

	"podbor/models"
	"podbor/templates"
)

// A point of the map, in units of the drawing, which is mapSize in both directions.
type point struct{ x, y float64 }

const mapSize = 1000

// A shape is one district on the map: a convex polygon.
type shape struct {
	corners []point
	center  point // of its area: where its name goes
}

// districtShapes returns a shape for each district. The places are spread first (Lloyd's algorithm): the middle of a city
// has many small districts, whose names would not fit, and a schematic map keeps who is whose neighbour, not distances.
func districtShapes(districts []models.District) []shape {
	const rounds = 12
	places := make([]point, len(districts))
	for i, d := range districts {
		places[i] = point{float64(d.X) * mapSize / 100, float64(d.Y) * mapSize / 100}
	}
	var shapes []shape
	for range rounds {
		shapes = nearest(places)
		for i := range shapes {
			places[i] = shapes[i].center
		}
	}
	return shapes
}

// nearest divides the land among places: to each what is nearer to it than to any other (a Voronoi diagram).
func nearest(places []point) []shape {
	shapes := make([]shape, len(places))
	for i, p := range places {
		corners := land()
		for j, q := range places {
			if i != j {
				corners = cut(corners, p, q)
			}
		}
		shapes[i] = shape{corners, center(corners, p)}
	}
	return shapes
}

// land is the outline of every city: a square with round corners.
func land() []point {
	const corners, roundness, margin = 48, 0.5, 12
	outline := make([]point, corners)
	for i := range outline {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		bend := func(v float64) float64 {
			return mapSize/2 + (mapSize/2-margin)*math.Copysign(math.Pow(math.Abs(v), roundness), v)
		}
		outline[i] = point{bend(cos), bend(sin)}
	}
	return outline
}

// cut keeps the part of a convex polygon that is nearer to p than to q (Sutherland and Hodgman's clipping).
func cut(corners []point, p, q point) []point {
	// Positive on p's side of the line in the middle between both.
	side := func(c point) float64 {
		return (c.x-(p.x+q.x)/2)*(p.x-q.x) + (c.y-(p.y+q.y)/2)*(p.y-q.y)
	}
	var kept []point
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		sa, sb := side(a), side(b)
		if sa >= 0 {
			kept = append(kept, a)
		}
		if (sa >= 0) != (sb >= 0) {
			t := sa / (sa - sb)
			kept = append(kept, point{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)})
		}
	}
	return kept
}

// center returns the centre of a polygon's area, or p where it has none.
func center(corners []point, p point) point {
	var area, x, y float64
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		cross := a.x*b.y - b.x*a.y
		area, x, y = area+cross, x+(a.x+b.x)*cross, y+(a.y+b.y)*cross
	}
	if math.Abs(area) < 1 {
		return p
	}
	return point{x / (3 * area), y / (3 * area)}
}

// path is the shape as the d of an SVG path.
func (s shape) path() string {
	var b []byte
	command := "M"
	for _, c := range s.corners {
		b, command = appendPair(b, command, int64(c.x), int64(c.y)), "L"
	}
	return string(append(b, 'z'))
}

// Sizes of the letters of a name on the map, and how wide bold ones are.
const (
	largestName, smallestName = 34, 17
	letterWidth               = 0.74
)

// label puts a name and two lines of figures where the shape has most room for them.
func (s shape) label(name string) templates.MapLabel {
	lines := inTwo(name)
	height := float64(len(lines)*largestName + 2*templates.MapFigures)
	top := s.center.y - height/2
	// Between two lines across a convex shape there is nothing narrower than they are.
	left1, right1 := s.across(top)
	left2, right2 := s.across(top + height)
	left, right := max(left1, left2), min(right1, right2)
	if left >= right {
		left, right = s.center.x, s.center.x // no room: the smallest letters, in the middle
	}
	longest := 1
	for _, line := range lines {
		longest = max(longest, utf8.RuneCountInString(line))
	}
	size := min(largestName, max(smallestName, int((right-left)/(letterWidth*float64(longest)))))
	return templates.MapLabel{Lines: lines, Size: size, X: int(left+right) / 2, Y: int(top) + size}
}

// across returns where a line at the height y enters the shape and leaves it.
func (s shape) across(y float64) (left, right float64) {
	left, right = mapSize, 0
	for i, a := range s.corners {
		b := s.corners[(i+1)%len(s.corners)]
		if (a.y <= y) != (b.y <= y) {
			x := a.x + (b.x-a.x)*(y-a.y)/(b.y-a.y)
			left, right = min(left, x), max(right, x)
		}
	}
	return left, right
}

// inTwo breaks a long name of several words into two lines.
func inTwo(name string) []string {
	if len([]rune(name)) > 12 {
		for _, gap := range []string{" ", "-"} {
			if i := strings.LastIndex(name, gap); i > 0 {
				if gap == "-" {
					i++ // which stays with the first half
				}
				return []string{name[:i], strings.TrimSpace(name[i:])}
			}
		}
	}
	return []string{name}
}
