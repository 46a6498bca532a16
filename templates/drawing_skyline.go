// Skylines: a city seen from its river, with what it is known by.

package templates

// DrawSkyline returns the skyline of the city with the given slug, an SVG of 400 × 200. A city that is not known here gets
// towers of its own.
func DrawSkyline(city string) []byte {
	seed := uint64(14695981039346656037)
	for _, c := range []byte(city) {
		seed = (seed ^ uint64(c)) * 1099511628211
	}
	d := draw(400, 200, seed)
	const ground = 172
	p := paletteOf(int(seed >> 8 % uint64(len(palettes))))
	landmark, known := landmarks[city]
	if known {
		p = paletteOf(landmark.palette)
	}
	d.sky(p, ground)
	d.farHouses(p, ground, 92)

	// Houses of the city, lower in the middle where the landmark stands.
	tone := p.haze.mixed(p.roof, .5)
	var row, lower, lit shape
	for x := -8.0; x < 400; {
		w := d.between(20, 40)
		h := d.between(24, 52)
		if known && x > 70 && x < 300 {
			h *= .5
		}
		row.rect(x, ground-h, w, h)
		if d.chance(.3) {
			row.poly(x, ground-h, x+w/2, ground-h-9, x+w, ground-h)
		}
		for y := ground - h + 6; y < ground-8; y += 9 {
			for wx := x + 4; wx < x+w-5; wx += 8 {
				if d.chance(.4) {
					lit.rect(wx, y, 3, 4)
				}
			}
		}
		x += w + one(d, 0.0, 0, 3)
	}
	d.fill(tone, row)
	d.fill(home, lit)
	if known {
		landmark.draw(d, p)
	}
	for x := d.between(0, 14); x < 400; x += d.between(9, 20) {
		lower.circle(x, ground-1, d.between(4, 8))
	}
	d.fill(p.leaf, lower)

	// The embankment, and the water with what shines in it.
	d.rect(p.haze.darker(.25), 0, ground, 400, 4)
	water := p.sky.mixed(0x5f88a3, .55)
	d.rect(water, 0, ground+4, 400, 24)
	var waves shape
	for range 26 {
		waves.rect(d.between(0, 390), ground+7+float64(d.rnd.IntN(5))*4, d.between(8, 30), 1)
	}
	d.fill(water.lighter(.35), waves)
	return d.end()
}

const embankment = 172

// landmarks are what cities are known by.
var landmarks = map[string]struct {
	palette int
	draw    func(*drawing, palette)
}{
	"moscow":           {0, (*drawing).moscow},
	"saint-petersburg": {3, (*drawing).saintPetersburg},
	"kazan":            {4, (*drawing).kazan},
	"yekaterinburg":    {8, (*drawing).yekaterinburg},
	"mumbai":           {9, (*drawing).mumbai},
}

// moscow: one of the seven high-rises, and a church with coloured domes.
func (d *drawing) moscow(p palette) {
	const g = embankment
	stone := p.trim.mixed(p.walls[2], .5)
	var s, ribs shape
	for i, step := range [...][2]float64{{112, 42}, {66, 76}, {38, 108}, {18, 126}} {
		s.rect(130-step[0]/2, g-step[1], step[0], step[1])
		if i < 3 {
			s.rect(130-step[0]/2, g-step[1]-8, 5, 9)
			s.rect(130+step[0]/2-5, g-step[1]-8, 5, 9)
		}
	}
	s.poly(122, g-126, 130, g-164, 138, g-126)
	d.fill(stone, s)
	for x := 80.0; x < 184; x += 7 {
		height := 36.0
		if x > 98 && x < 160 {
			height = 70
		}
		if x > 112 && x < 146 {
			height = 102
		}
		ribs.rect(x, g-height, 2, height-8)
	}
	d.fill(stone.darker(.16), ribs)

	brick, white := colour(0xb5533f), p.trim
	var base, drums, bands shape
	base.rect(226, g-26, 104, 26)
	d.fill(brick, base)
	for i, at := range [...]struct{ x, top, r float64 }{{240, 62, 9}, {259, 52, 8}, {278, 92, 10}, {297, 54, 8}, {316, 64, 9}} {
		drums = drums[:0]
		drums.rect(at.x-at.r+2, g-at.top, 2*at.r-4, at.top-20)
		d.fill(brick.lighter(.12), drums)
		bands.rect(at.x-at.r+1, g-at.top+8, 2*at.r-2, 2)
		d.onion(one(d, p.accent, colour(0xe0b04a), 0x3f6fa8, 0x5a8f57).mixed([...]colour{0x2f7d74, 0xe0b04a, 0xd9a441, 0x3f6fa8, 0xa8433f}[i], .8), at.x, g-at.top, at.r)
	}
	for x := 230.0; x < 326; x += 12 {
		bands.arch(x, g-18, 7, 12)
	}
	d.fill(white, bands)
}

// onion is a dome with a cross of a line; its foot is at x, y.
func (d *drawing) onion(c colour, x, y, r float64) {
	var s, light shape
	s.move(x-r*.7, y)
	s.op('C', x-r*1.7, y-r*1.1, x-r*.5, y-r*1.5, x, y-r*2.5)
	s.op('C', x+r*.5, y-r*1.5, x+r*1.7, y-r*1.1, x+r*.7, y)
	s.rect(x-.7, y-r*3, 1.4, r*.7)
	light.rounded(x-r*.6, y-r*1.1, r*.3, r*.9, 2)
	d.fill(c, s)
	d.fill(c.lighter(.4), light)
}

// saintPetersburg: a golden dome over columns, a needle of a spire, a drawbridge.
func (d *drawing) saintPetersburg(p palette) {
	const g = embankment
	stone, gold := p.trim.mixed(0xcdbfae, .5), colour(0xdcae4c)
	var s, columns, dome shape
	s.rect(96, g-44, 108, 44)
	s.poly(112, g-44, 150, g-60, 188, g-44)
	s.rect(124, g-88, 52, 34)
	d.fill(stone, s)
	for x := 128.0; x < 174; x += 8 {
		columns.rect(x, g-86, 3, 26)
	}
	for x := 102.0; x < 200; x += 12 {
		columns.rect(x, g-38, 4, 34)
	}
	d.fill(stone.darker(.22), columns)
	dome.move(122, g-88)
	dome.op('C', 122, g-124, 178, g-124, 178, g-88)
	dome.rect(144, g-130, 12, 18)
	dome.poly(146, g-130, 150, g-142, 154, g-130)
	d.fill(gold, dome)

	var tower, spire shape
	tower.rect(272, g-58, 24, 58)
	tower.rect(277, g-78, 14, 22)
	d.fill(p.walls[2].mixed(0xe9c77e, .5), tower)
	spire.poly(279, g-78, 284, g-158, 289, g-78)
	d.fill(gold, spire)
	var fort shape
	fort.poly(222, g, 230, g-16, 338, g-16, 346, g)
	d.fill(p.roof.lighter(.25), fort)
}

// kazan: a mosque with four minarets, and a leaning tower of red brick.
func (d *drawing) kazan(_ palette) {
	const g = embankment
	white, blue := colour(0xf7f7f2), colour(0x2f8fb3)
	var s, roofs, arches shape
	s.rect(108, g-46, 84, 46)
	s.poly(116, g-46, 150, g-78, 184, g-46)
	for _, x := range [...]float64{98, 120, 180, 202} {
		height := 96.0
		if x == 98 || x == 202 {
			height = 82
		}
		s.rect(x-4, g-height, 8, height)
		s.rect(x-6, g-height+14, 12, 3)
		roofs.poly(x-5, g-height, x, g-height-28, x+5, g-height)
	}
	d.fill(white, s)
	roofs.move(128, g-64)
	roofs.op('C', 124, g-104, 144, g-102, 150, g-118)
	roofs.op('C', 156, g-102, 176, g-104, 172, g-64)
	d.fill(blue, roofs)
	for x := 116.0; x < 180; x += 14 {
		arches.arch(x, g-34, 8, 26)
	}
	d.fill(blue.lighter(.45), arches)

	var tower, bands shape
	for i, step := range [...][2]float64{{44, 24}, {36, 46}, {28, 66}, {20, 84}, {13, 100}} {
		tower.rect(282-step[0]/2, g-step[1], step[0], step[1])
		if i < 4 {
			bands.rect(282-step[0]/2, g-step[1], step[0], 2)
		}
	}
	tower.poly(274, g-100, 282, g-136, 290, g-100)
	d.fill(0xb0583f, tower)
	d.fill(0xe9d9c4, bands)
}

// yekaterinburg: towers of glass, and a church with golden domes.
func (d *drawing) yekaterinburg(p palette) {
	const g = embankment
	for i, at := range [...][3]float64{{96, 34, 118}, {138, 28, 92}, {172, 40, 138}} {
		x, w, height := at[0], at[1], at[2]
		body := [...]colour{0x6f93b5, 0xc9d5df, 0x4f7797}[i]
		var tower, floors shape
		tower.poly(x, g, x, g-height, x+w, g-height+10*float64(i-1), x+w, g)
		d.fill(body, tower)
		for y := g - height + 14; y < g-6; y += 6 {
			floors.rect(x+3, y, w-6, 1.6)
		}
		d.fill(body.lighter(.4), floors)
	}
	var church, domes shape
	church.rect(256, g-44, 62, 44)
	for _, x := range [...]float64{264, 287, 310} {
		height := 56.0
		if x == 287 {
			height = 72
		}
		church.rect(x-7, g-height, 14, height-30)
	}
	d.fill(0xf4efe4, church)
	for x := 262.0; x < 314; x += 10 {
		domes.arch(x, g-34, 5, 14)
	}
	d.fill(p.roof, domes)
	d.onion(0xdcae4c, 264, g-56, 7)
	d.onion(0xdcae4c, 310, g-56, 7)
	d.onion(0xdcae4c, 287, g-72, 10)
}

// mumbai: a gate by the sea, palms, towers of flats.
func (d *drawing) mumbai(p palette) {
	const g = embankment
	stone := colour(0xd9b27c)
	for i, x := range [...]float64{248, 276, 310} {
		var tower, floors shape
		height := [...]float64{112, 142, 96}[i]
		tower.rect(x, g-height, 24, height)
		d.fill(p.trim.darker(.08*float64(i+1)), tower)
		for y := g - height + 8; y < g-6; y += 7 {
			floors.rect(x+3, y, 18, 3)
		}
		d.fill(glass.mixed(p.sky, .4), floors)
	}
	var gate, gap, trim shape
	gate.rect(104, g-66, 104, 66)
	gate.rect(136, g-78, 40, 14)
	for _, x := range [...]float64{110, 134, 178, 202} {
		gate.rect(x-4, g-88, 8, 24)
		gate.circle(x, g-90, 4.5)
	}
	d.fill(stone, gate)
	gap.arch(140, g-54, 32, 54)
	gap.arch(112, g-36, 15, 36)
	gap.arch(185, g-36, 15, 36)
	d.fill(p.haze.mixed(p.sky, .6), gap)
	trim.rect(104, g-66, 104, 3)
	trim.rect(104, g-58, 104, 1.5)
	d.fill(stone.darker(.2), trim)
	for _, x := range [...]float64{62, 80, 226, 352} {
		d.palm(p.leaf, x, g, d.between(44, 62))
	}
}

func (d *drawing) palm(leaf colour, x, ground, height float64) {
	var trunk, fronds shape
	trunk.poly(x-2.5, ground, x+3, ground-height, x+5, ground-height, x+2.5, ground)
	d.fill(0x8a6a4c, trunk)
	top := ground - height
	for _, end := range [...][2]float64{{-20, 6}, {-17, -9}, {-6, -18}, {10, -16}, {22, -6}, {24, 8}} {
		fronds.move(x+4, top)
		fronds.op('q', end[0]*.5, end[1]-9, end[0], end[1])
		fronds.op('q', -end[0]*.5, -4, -end[0], -end[1])
	}
	d.fill(leaf, fronds)
}
