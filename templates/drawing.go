// Drawings: the facades and skylines of the site, as SVG made from numbers.
//
// A drawing is a pure function of the numbers in its URL, so it needs no database and may be cached for ever. It is an
// image of its own rather than markup in the page because 24 facades would make up most of a listing's bytes.

package templates

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// DrawingVersion is part of every drawing's URL. Raise it when the drawings change.
const DrawingVersion = "1"

// A Facade describes one building. Equal facades give equal drawings.
type Facade struct {
	Building int // chooses the architecture
	Floors   int // above the ground
	District int // chooses the colours
}

// A palette holds the colours of one district.
type palette struct{ sky, haze, wall, trim, roof string }

var palettes = [...]palette{
	{"#cfe3ee", "#b9d2e0", "#d9826a", "#f6e9dc", "#7d4436"},
	{"#f3dfc6", "#e6caa8", "#6f8f86", "#f0efe4", "#3f5a54"},
	{"#d8e6d2", "#bfd3b8", "#e3bd7c", "#fff6e3", "#8a6433"},
	{"#e2dcee", "#cbc2dd", "#a9788f", "#f7ebf0", "#5f3d50"},
	{"#d2e7e8", "#b4d3d5", "#e9e2d4", "#ffffff", "#9b5a43"},
	{"#f2d9d0", "#e2bfb3", "#5f7fa3", "#eaf0f6", "#35506f"},
	{"#dfe5ea", "#c6d0d8", "#b4634d", "#f2d9c8", "#513029"},
	{"#e9e6cf", "#d6d1ae", "#8aa08f", "#f8f4e4", "#4d5f52"},
}

const (
	glass = "#41566b" // a window by day
	lit   = "#ffd78a" // a window with somebody at home
)

// Draw returns the facade as an SVG of 400 × 300.
func (f Facade) Draw() []byte {
	d := draw(400, 300, uint64(f.Building), palettes[f.District%len(palettes)])
	d.streetBehind(225)

	rows := min(max(f.Floors, 2), 14)
	storey := min(36, 216/(rows+1))
	columns := 4 + d.rnd.IntN(3)
	width := min(330, max(columns*(storey+10), 120)+d.rnd.IntN(40))
	left := (400 - width) / 2
	top := 268 - (rows+1)*storey

	d.rect(d.colours.wall, left, top, width, 268-top)
	switch roof := d.rnd.IntN(3); {
	case roof == 0 && rows <= 7: // a pitched roof
		d.path(d.colours.roof, fmt.Sprintf("M%d %dL%d %dh%dL%d %dz", left-8, top, left+18, top-24, width-36, left+width+8, top))
	case roof == 1: // a cornice with a parapet
		d.rect(d.colours.roof, left-6, top-8, width+12, 8)
		d.rect(d.colours.trim, left-3, top, width+6, 4)
	default: // a flat roof with the lift's machine room
		d.rect(d.colours.roof, left-2, top-5, width+4, 5)
		d.rect(d.colours.roof, left+width/3, top-19, 46, 14)
	}
	d.windows(left, top+storey/4, width, storey, rows, columns)
	d.groundFloor(left, 268-storey, width, storey)
	d.rect("#8d9096", 0, 268, 400, 32)
	d.rect("#a5a8ad", 0, 268, 400, 7)
	d.tree(left/2-4+d.rnd.IntN(10), 272)
	d.tree(400-left/2-8+d.rnd.IntN(10), 272)
	return d.end()
}

// DrawSkyline returns the silhouette of a city, an SVG of 400 × 200.
func DrawSkyline(city int) []byte {
	d := draw(400, 200, uint64(city)+1_000_003, palettes[(city*3+1)%len(palettes)])
	d.streetBehind(160)
	for x := -10; x < 400; {
		width, height := 34+d.rnd.IntN(34), 50+d.rnd.IntN(86)
		wall := [...]string{d.colours.wall, d.colours.roof, d.colours.trim}[d.rnd.IntN(3)]
		d.rect(wall, x, 186-height, width, height)
		d.windows(x, 186-height+8, width, 18, (height-14)/18, width/16)
		x += width + d.rnd.IntN(6)
	}
	d.rect("#8d9096", 0, 186, 400, 14)
	return d.end()
}

// A drawing is an SVG under way.
type drawing struct {
	b       []byte
	rnd     *rand.Rand
	width   int
	colours palette
}

func draw(width, height int, seed uint64, colours palette) *drawing {
	d := &drawing{b: make([]byte, 0, 4096), rnd: rand.New(rand.NewPCG(seed, 7)), width: width, colours: colours}
	d.b = fmt.Appendf(d.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">`, width, height, width, height)
	d.rect(colours.sky, 0, 0, width, height)
	return d
}

func (d *drawing) end() []byte { return append(d.b, "</svg>"...) }

// streetBehind draws the far houses, up to the given ground line.
func (d *drawing) streetBehind(ground int) {
	var far []byte
	for x := 0; x < d.width; {
		w, h := 36+d.rnd.IntN(48), 40+d.rnd.IntN(70)
		far = fmt.Appendf(far, "M%d %dv-%dh%dv%dz", x, ground+50, h+50, w, h+50)
		x += w
	}
	d.path(d.colours.haze, string(far))
}

// windows draws a grid of windows, some of them lit, some with a balcony.
func (d *drawing) windows(left, top, width, storey, rows, columns int) {
	cell := width / max(columns, 1)
	w, h := cell*11/20, storey*13/20
	balconies := storey > 12 && d.rnd.IntN(2) == 0
	var dark, bright, rails []byte
	for row := range rows {
		for column := range columns {
			x, y := left+column*cell+(cell-w)/2+(width-columns*cell)/2, top+row*storey
			pane := &dark
			if d.rnd.IntN(5) == 0 {
				pane = &bright
			}
			*pane = box(*pane, x, y, w, h)
			if balconies && row > 0 && (column == 0 || column == columns-1) {
				rails = box(rails, x-4, y+h*2/3, w+8, h/3+1)
			}
		}
	}
	d.path(glass, string(dark))
	d.path(lit, string(bright))
	d.path(d.colours.trim, string(rails))
}

// groundFloor draws the entrance between two shop windows.
func (d *drawing) groundFloor(left, top, width, height int) {
	d.rect(d.colours.trim, left, top, width, 3)
	shop := width/2 - 34
	d.rect(glass, left+12, top+height/4, shop, height/2)
	d.rect(lit, left+width-12-shop, top+height/4, shop, height/2)
	d.rect(d.colours.roof, left+width/2-12, top+height/5, 24, height-height/5)
}

func (d *drawing) tree(x, ground int) {
	r := 13 + d.rnd.IntN(7)
	d.rect("#6b5240", x-2, ground-24, 4, 24)
	d.b = fmt.Appendf(d.b, `<circle cx="%d" cy="%d" r="%d" fill="#6f9a62"/><circle cx="%d" cy="%d" r="%d" fill="#7fab70"/>`,
		x, ground-26-r, r+3, x-4, ground-30-r, r-4)
}

func (d *drawing) rect(fill string, x, y, width, height int) {
	d.path(fill, string(box(nil, x, y, width, height)))
}

func (d *drawing) path(fill, data string) {
	if data == "" {
		return
	}
	d.b = append(d.b, `<path fill="`...)
	d.b = append(d.b, fill...)
	d.b = append(d.b, `" d="`...)
	d.b = append(d.b, data...)
	d.b = append(d.b, `"/>`...)
}

// box appends the path of a rectangle.
func box(b []byte, x, y, width, height int) []byte {
	b = strconv.AppendInt(append(b, 'M'), int64(x), 10)
	b = strconv.AppendInt(append(b, ' '), int64(y), 10)
	b = strconv.AppendInt(append(b, 'h'), int64(width), 10)
	b = strconv.AppendInt(append(b, 'v'), int64(height), 10)
	b = strconv.AppendInt(append(b, "h-"...), int64(width), 10)
	return append(b, 'z')
}
