// Drawings: the pictures of the site, as SVG made from numbers. This file is the paper and the pens.
//
// A drawing is a pure function of what its URL holds, so it needs no database and may be cached for ever. It is an image of
// its own rather than markup in the page because 24 facades would make up most of a listing's bytes.
//
// By night, that is where the visitor's system is set to dark, the same shapes get other colours: a style sheet inside the
// image overrides its fills. It is blocked where an image is opened as a page, because the site's policy forbids inline
// styles; then it is day.

package templates

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// DrawingVersion is part of every drawing's URL. Raise it when the drawings change.
const DrawingVersion = "2"

// A colour is 0xRRGGBB.
type colour uint32

// mixed returns c with a share of other in it.
func (c colour) mixed(other colour, share float64) colour {
	var mix colour
	for shift := 0; shift <= 16; shift += 8 {
		a, b := float64(c>>shift&0xff), float64(other>>shift&0xff)
		mix |= colour(a+(b-a)*share) << shift
	}
	return mix
}

func (c colour) darker(share float64) colour  { return c.mixed(0x20242c, share) }
func (c colour) lighter(share float64) colour { return c.mixed(0xffffff, share) }

func (c colour) appendTo(b []byte) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '#')
	for shift := 20; shift >= 0; shift -= 4 {
		b = append(b, digits[c>>shift&0xf])
	}
	return b
}

// Glass, which looks dark by day; behind some of it somebody has a light on at night.
const (
	glass colour = 0x4f667c
	home  colour = 0x5d748a
	shine colour = 0x8fa9bd // the sky in a window
	night colour = 0x0c1524
)

// atNight returns what becomes of a colour in the dark.
func (c colour) atNight() colour {
	switch c {
	case glass:
		return 0x1b2736
	case home:
		return 0xffcf7d
	case shine:
		return 0x33465a
	}
	return c.mixed(night, .58)
}

// A drawing is an SVG under way.
type drawing struct {
	b      []byte
	rnd    *rand.Rand
	width  float64
	height float64
	used   []toned
}

// A toned is a colour in use and what becomes of it at night.
type toned struct{ day, night colour }

func draw(width, height float64, seed uint64) *drawing {
	d := &drawing{b: make([]byte, 0, 8192), rnd: rand.New(rand.NewPCG(seed, 7)), width: width, height: height}
	d.b = append(d.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `...)
	d.b = append(appendNumber(append(appendNumber(d.b, width), ' '), height), `" width="`...)
	d.b = append(appendNumber(append(appendNumber(d.b, width), `" height="`...), height), `">`...)
	return d
}

// end closes the drawing, with what becomes of its colours at night.
func (d *drawing) end() []byte {
	d.b = append(d.b, "<style>@media(prefers-color-scheme:dark){"...)
	for _, c := range d.used {
		for _, attribute := range [...]string{"fill", "stroke"} {
			day := c.day.appendTo(append([]byte(attribute), `="`...))
			if !bytes.Contains(d.b, day) {
				continue
			}
			d.b = append(append(append(d.b, '['), day...), `"]{`...)
			d.b = append(c.night.appendTo(append(append(d.b, attribute...), ':')), '}')
		}
	}
	return append(d.b, "}</style></svg>"...)
}

// one draws one of several at random.
func one[T any](d *drawing, of ...T) T { return of[d.rnd.IntN(len(of))] }

// between returns a number in [low, high).
func (d *drawing) between(low, high float64) float64 { return low + (high-low)*d.rnd.Float64() }

func (d *drawing) chance(p float64) bool { return d.rnd.Float64() < p }

func (d *drawing) use(c colour) { d.tone(c, c.atNight()) }

// tone says what becomes of a colour at night; the first word counts.
func (d *drawing) tone(day, night colour) {
	if !slices.ContainsFunc(d.used, func(t toned) bool { return t.day == day }) {
		d.used = append(d.used, toned{day, night})
	}
}

// fill paints a shape.
func (d *drawing) fill(c colour, s shape) {
	if len(s) == 0 {
		return
	}
	d.use(c)
	d.b = c.appendTo(append(d.b, `<path fill="`...))
	d.b = append(append(append(d.b, `" d="`...), s...), `"/>`...)
}

// line draws a shape's outline.
func (d *drawing) line(c colour, width float64, s shape) {
	if len(s) == 0 {
		return
	}
	d.use(c)
	d.b = c.appendTo(append(d.b, `<path fill="none" stroke="`...))
	d.b = appendNumber(append(d.b, `" stroke-width="`...), width)
	d.b = append(append(append(d.b, `" d="`...), s...), `"/>`...)
}

func (d *drawing) rect(c colour, x, y, w, h float64) {
	var s shape
	s.rect(x, y, w, h)
	d.fill(c, s)
}

// A shape is the data of a path. Shapes of one colour are collected and painted together.
type shape []byte

// rect leaves its last side to the fill, which closes shapes.
func (s *shape) rect(x, y, w, h float64) {
	if w <= 0 || h <= 0 {
		return
	}
	s.move(x, y)
	s.op('h', w)
	s.op('v', h)
	s.op('h', -w)
}

// poly is a polygon of the points x0, y0, x1, y1 …
func (s *shape) poly(points ...float64) {
	s.move(points[0], points[1])
	for i := 2; i < len(points); i += 2 {
		s.op('L', points[i], points[i+1])
	}
	s.op('z')
}

// arch is a rectangle whose top is half a circle.
func (s *shape) arch(x, y, w, h float64) {
	r := w / 2
	s.move(x, y+h)
	s.op('V', y+r)
	s.op('a', r, r, 0, 0, 1, w, 0)
	s.op('V', y+h)
	s.op('z')
}

func (s *shape) circle(x, y, r float64) {
	s.move(x-r, y)
	s.op('a', r, r, 0, 1, 0, 2*r, 0)
	s.op('a', r, r, 0, 1, 0, -2*r, 0)
	s.op('z')
}

// rounded is a rectangle with round corners.
func (s *shape) rounded(x, y, w, h, r float64) {
	r = min(r, w/2, h/2)
	s.move(x+r, y)
	s.op('h', w-2*r)
	s.op('a', r, r, 0, 0, 1, r, r)
	s.op('v', h-2*r)
	s.op('a', r, r, 0, 0, 1, -r, r)
	s.op('h', 2*r-w)
	s.op('a', r, r, 0, 0, 1, -r, -r)
	s.op('v', 2*r-h)
	s.op('a', r, r, 0, 0, 1, r, -r)
	s.op('z')
}

func (s *shape) move(x, y float64) { s.op('M', x, y) }

// op appends one command of a path.
func (s *shape) op(command byte, numbers ...float64) {
	b := append(*s, command)
	for i, n := range numbers {
		if i > 0 && n > -.05 {
			b = append(b, ' ')
		}
		b = appendNumber(b, n)
	}
	*s = b
}

// appendNumber writes at most one decimal place, and no more signs than needed: a tenth of a pixel is all that can be seen.
func appendNumber(b []byte, n float64) []byte {
	tenths := int64(math.Round(n * 10))
	if tenths < 0 {
		b, tenths = append(b, '-'), -tenths
	}
	if tenths >= 10 || tenths == 0 {
		b = strconv.AppendInt(b, tenths/10, 10)
	}
	if tenths %= 10; tenths > 0 {
		b = append(b, '.', byte('0'+tenths))
	}
	return b
}
