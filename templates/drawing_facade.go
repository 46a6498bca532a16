// Facades: one house in its street, in the style of its years and the colours of its district.

package templates

// A Facade describes one building. Equal facades give equal drawings.
type Facade struct {
	Building int // chooses among the styles of its years, and the details
	Floors   int // above the ground
	District int // chooses the colours
	Year     int // in which it was built
}

const ground = 264 // where houses stand, in a drawing 300 high

// Draw returns the facade as an SVG of 400 × 300.
func (f Facade) Draw() []byte {
	d := draw(400, 300, uint64(f.Building))
	p := paletteOf(f.District)
	d.sky(p, ground)
	d.farHouses(p, ground, 120)
	h := d.plan(f.style(d), f.Floors, p)
	h.x = (400-h.w)/2 + d.between(-14, 14)
	d.neighbours(p, h)
	d.street(p, ground)
	d.house(h)

	// The foreground keeps to the sides, where it hides nothing.
	left, right := max(h.x, 26), min(h.x+h.w, 374)
	d.tree(p.leaf, left/2+d.between(-8, 4), ground+4, d.between(62, 98))
	d.tree(p.leaf, (400+right)/2+d.between(-4, 8), ground+6, d.between(54, 90))
	if d.chance(.5) {
		d.lamp(left-10, ground+8)
	}
	if d.chance(.6) {
		d.car(one(d, p.accent, p.roof, 0xe8e4dc, 0x3f4b59), d.between(20, 320), 294)
	}
	return d.end()
}

// A style draws a house that has its place and colours.
type style struct {
	draw    func(*drawing, house)
	columns [2]int  // of windows, from … to
	cell    float64 // width of a column, in storeys
	roof    float64 // height of the roof, in pixels
	most    int     // storeys that can be told apart; a higher house is drawn with as many
}

var (
	cottage = style{(*drawing).cottage, [2]int{3, 5}, 1.15, 52, 3}
	stucco  = style{(*drawing).stucco, [2]int{5, 8}, .95, 38, 8}
	brick   = style{(*drawing).brick, [2]int{5, 8}, 1, 22, 10}
	deco    = style{(*drawing).deco, [2]int{5, 7}, 1.1, 34, 10}
	panel   = style{(*drawing).panel, [2]int{7, 10}, 1.05, 18, 17}
	tower   = style{(*drawing).tower, [2]int{6, 8}, 1.45, 16, 26}
	blocks  = style{(*drawing).blocks, [2]int{6, 8}, 1.2, 16, 20}
)

// style follows what was built when.
func (f Facade) style(d *drawing) style {
	switch {
	case f.Floors <= 3:
		return cottage
	case f.Year < 1918:
		return one(d, stucco, stucco, brick)
	case f.Year < 1958:
		return one(d, brick, deco, stucco)
	case f.Year < 1996:
		return one(d, panel, panel, brick)
	case f.Floors > 16:
		return one(d, tower, tower, blocks)
	}
	return one(d, blocks, blocks, tower, brick)
}

// A house is a style with its place and colours. Row 0 of the windows is under the roof; the ground floor is none of them.
type house struct {
	style
	x, w    float64
	top     float64 // under the roof
	base    float64 // top of the ground floor
	ground  float64
	storey  float64
	rows    int
	columns int
	wall    colour
	variant int // of two or three things a style can do
	palette palette
}

// plan gives a house of so many floors its size and colours; the caller places it.
func (d *drawing) plan(s style, floors int, p palette) house {
	h := house{style: s, ground: ground, palette: p, wall: one(d, p.walls[:]...), variant: d.rnd.IntN(6)}
	floors = min(max(floors, 2), s.most)
	h.rows = floors - 1
	h.storey = min(36, (ground-26-s.roof)/(float64(floors)+.25))
	h.base = ground - 1.25*h.storey
	h.top = h.base - float64(h.rows)*h.storey
	h.columns = s.columns[0] + d.rnd.IntN(s.columns[1]-s.columns[0]+1)
	h.w = min(320, max(float64(h.columns)*h.storey*s.cell, 96))
	return h
}

// house draws it, with its shadow on the pavement.
func (d *drawing) house(h house) {
	var shadow shape
	shadow.poly(h.x, h.ground, h.x+h.w, h.ground, h.x+h.w+12, h.ground+7, h.x+12, h.ground+7)
	d.fill(0x8d8880, shadow)
	h.draw(d, h)
}

// neighbours are the houses to the left and right, paler and without detail.
func (d *drawing) neighbours(p palette, h house) {
	for _, x := range [...]float64{h.x - d.between(96, 120), h.x + h.w + d.between(4, 16)} {
		w, storey := d.between(88, 112), d.between(18, 24)
		rows := 2 + d.rnd.IntN(4)
		top := ground - storey*float64(rows) - 6
		wall := one(d, p.walls[:]...).mixed(p.haze, .45)
		d.rect(wall, x, top, w, ground-top)
		d.rect(wall.darker(.25), x-3, top-5, w+6, 5)
		var panes shape
		for row := range rows {
			for column := range 4 {
				panes.rect(x+9+float64(column)*w/4.3, top+6+float64(row)*storey, w/9, storey*.5)
			}
		}
		d.fill(shine.mixed(p.haze, .2), panes)
	}
}

// windows calls place for every window with the cell it may fill.
func (h house) windows(place func(row, column int, x, y, w, hh float64)) {
	cell := h.w / (float64(h.columns) + .5)
	for row := range h.rows {
		for column := range h.columns {
			place(row, column, h.x+cell*(.25+float64(column)), h.top+float64(row)*h.storey, cell, h.storey)
		}
	}
}

// panes collects windows and paints them: some have a light on at night, some a curtain, large ones a frame.
type panes struct{ dark, lit, curtain, frame shape }

func (p *panes) add(d *drawing, x, y, w, h float64) {
	if d.chance(.38) {
		p.lit.rect(x, y, w, h)
	} else {
		p.dark.rect(x, y, w, h)
	}
	if w < 7 || h < 9 {
		return
	}
	if d.chance(.3) {
		p.curtain.rect(x, y, w*.28, h)
	}
	p.frame.move(x+w/2, y)
	p.frame.op('v', h)
	if h > 14 {
		p.frame.move(x, y+h*.3)
		p.frame.op('h', w)
	}
}

func (p *panes) paint(d *drawing, frame colour) {
	d.fill(glass, p.dark)
	d.fill(home, p.lit)
	d.fill(shine, p.curtain)
	d.line(frame, 1.2, p.frame)
}
