// Streets: what is round a house, before it and behind it.

package templates

// A palette holds the colours of one district.
type palette struct {
	sky, haze colour
	walls     [3]colour // of plaster
	trim      colour
	roof      colour
	accent    colour // doors, awnings, balconies
	leaf      colour
}

var palettes = [...]palette{
	{0xb9d8ea, 0xf4ead8, [3]colour{0xe5b288, 0xd98d72, 0xefd6ab}, 0xfbf4e8, 0x8b4f3c, 0x2f7d74, 0x6f9a62},
	{0xf0d3b4, 0xfaeeda, [3]colour{0x7d9a90, 0xc9b48b, 0xa8b89c}, 0xf5f1e3, 0x43605a, 0xb5573c, 0x7f9a5a},
	{0xc8e2d2, 0xf5f3df, [3]colour{0xe9c27e, 0xd9a066, 0xf0dcae}, 0xfff8e8, 0x8d6533, 0x35706b, 0x5f9468},
	{0xd3cdea, 0xf8e7e4, [3]colour{0xb487a0, 0xd6a9b4, 0xcfc0dc}, 0xfaf0f4, 0x624257, 0x4b6ea8, 0x7c9a72},
	{0xb4dfe2, 0xf1f3e6, [3]colour{0xece2d0, 0xd9cbb2, 0xf3ead9}, 0xffffff, 0xa35f45, 0x1f7f88, 0x679c74},
	{0xf3cfc2, 0xfbeadf, [3]colour{0x6f8fb2, 0x8fa9c4, 0xc4cfdb}, 0xf1f5fa, 0x38536f, 0xd0663f, 0x74986a},
	{0xcbd9e3, 0xf2ece4, [3]colour{0xbd6e54, 0xcf8f74, 0xdcb49c}, 0xf6e3d4, 0x55312a, 0x3c6b5f, 0x6c905c},
	{0xe8e0b6, 0xf9f5e2, [3]colour{0x93a895, 0xb5c0a2, 0xdcd8b4}, 0xfaf7e8, 0x4f6154, 0xa84f58, 0x839c55},
	{0xaecbe8, 0xefe9f3, [3]colour{0xd8d2e3, 0xa9b3cf, 0xe9e3ec}, 0xffffff, 0x55607d, 0xe09a3a, 0x6b9a78},
	{0xf4dfa9, 0xfdf3dc, [3]colour{0xd98b54, 0xe6b06c, 0xc97a58}, 0xfdf3e2, 0x7a3f2d, 0x2b6a86, 0x76984f},
}

func paletteOf(district int) palette { return palettes[district%len(palettes)] }

// sky paints the whole of the drawing, bright at the horizon, with a sun and clouds.
func (d *drawing) sky(p palette, horizon float64) {
	d.tone(p.sky, p.sky.mixed(night, .84))
	d.rect(p.sky, 0, 0, d.width, d.height)
	var band shape
	for i, share := range [...]float64{.25, .5, .75, 1} {
		band = band[:0]
		top := horizon * (.3 + .16*float64(i))
		band.rect(0, top, d.width, d.height-top)
		light := p.sky.mixed(p.haze, share)
		d.tone(light, light.mixed(night, .84-.14*share))
		d.fill(light, band)
	}
	var sun, clouds shape
	sun.circle(d.between(.12, .88)*d.width, d.between(.12, .24)*d.height, d.height*.06)
	d.tone(p.haze.lighter(.55), 0xe9e4d2) // by night it is the moon
	d.fill(p.haze.lighter(.55), sun)
	for range 2 + d.rnd.IntN(2) {
		x, y, w := d.between(0, d.width), d.between(.06, .3)*d.height, d.between(40, 80)
		clouds.rounded(x-w/2, y, w, 9, 5)
		clouds.rounded(x-w/4, y-7, w*.45, 12, 6)
	}
	d.tone(p.sky.lighter(.5), p.sky.mixed(night, .74))
	d.fill(p.sky.lighter(.5), clouds)
}

// farHouses draws two rows of roofs in the haze, down to the ground.
func (d *drawing) farHouses(p palette, ground, tallest float64) {
	for i, share := range [...]float64{.2, .42} {
		var row shape
		for x := -10.0; x < d.width; {
			w, h := d.between(26, 58), tallest*d.between(.45, .95)*(1-.28*float64(i))
			row.rect(x, ground-h, w, h)
			switch d.rnd.IntN(4) {
			case 0: // a gable
				row.poly(x, ground-h, x+w/2, ground-h-12, x+w, ground-h)
			case 1: // a chimney
				row.rect(x+w*.6, ground-h-7, 6, 8)
			}
			x += w + one(d, 0.0, 0, 7)
		}
		d.fill(p.haze.mixed(p.sky, .6).mixed(p.roof, share), row)
	}
}

// street draws pavement, kerb and road at the foot of the houses.
func (d *drawing) street(p palette, ground float64) {
	paving := p.haze.mixed(0x9a9690, .45)
	d.rect(paving, 0, ground, d.width, 12)
	d.rect(paving.darker(.2), 0, ground+12, d.width, 3)
	d.rect(0x767b84, 0, ground+15, d.width, d.height-ground-15)
	var dashes shape
	for x := d.between(-20, 0); x < d.width; x += 46 {
		dashes.rect(x, ground+26, 24, 2)
	}
	d.fill(0xb9bcc2, dashes)
}

// tree draws a tree of a given height whose foot is at x, ground: round, tall, or a palm.
func (d *drawing) tree(leaf colour, x, ground, height float64) {
	var trunk, crown, light shape
	r := height * .3
	switch d.rnd.IntN(3) {
	case 0: // round
		trunk.rect(x-2, ground-height*.5, 4, height*.5)
		crown.circle(x, ground-height+r, r)
		crown.circle(x-r*.7, ground-height+r*1.6, r*.72)
		crown.circle(x+r*.7, ground-height+r*1.5, r*.78)
		light.circle(x-r*.3, ground-height+r*.8, r*.55)
	case 1: // a poplar
		trunk.rect(x-2, ground-height*.3, 4, height*.3)
		crown.rounded(x-r*.55, ground-height, r*1.1, height*.82, r*.55)
		light.rounded(x-r*.35, ground-height+4, r*.45, height*.6, r*.22)
	default: // a lime
		trunk.rect(x-2, ground-height*.42, 4, height*.42)
		crown.rounded(x-r, ground-height, r*2, height*.66, r)
		light.rounded(x-r*.65, ground-height+r*.3, r*.8, height*.32, r*.4)
	}
	d.fill(0x6d5443, trunk)
	d.fill(leaf, crown)
	d.fill(leaf.lighter(.18), light)
}

// lamp draws a street lamp, lit at night.
func (d *drawing) lamp(x, ground float64) {
	var post, light shape
	post.rect(x-1, ground-44, 2, 44)
	post.rect(x-3, ground-3, 6, 3)
	light.circle(x, ground-46, 4)
	d.fill(0x3d444d, post)
	d.fill(home, light)
}

// car parks a car on the road.
func (d *drawing) car(body colour, x, y float64) {
	var paint, windows, wheels shape
	paint.rounded(x, y-11, 46, 10, 4)
	paint.poly(x+8, y-10, x+14, y-19, x+32, y-19, x+39, y-10)
	windows.poly(x+12, y-11, x+16, y-17, x+22, y-17, x+22, y-11)
	windows.poly(x+24, y-11, x+24, y-17, x+31, y-17, x+35, y-11)
	wheels.circle(x+10, y-1, 4)
	wheels.circle(x+36, y-1, 4)
	d.fill(body, paint)
	d.fill(shine, windows)
	d.fill(0x2b2f36, wheels)
}

// bushes is a hedge along the foot of a house.
func (d *drawing) bushes(leaf colour, from, to, ground float64) {
	var s shape
	for x := from; x < to; x += d.between(7, 12) {
		s.circle(x, ground-3, d.between(4, 7))
	}
	d.fill(leaf.darker(.12), s)
}
