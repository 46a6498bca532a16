// Styles until about 1957: cottages, stucco, brick, art déco.

package templates

// cottage is a low house under a tiled roof, with shutters and dormers.
func (d *drawing) cottage(h house) {
	p := h.palette
	d.rect(h.wall, h.x, h.top, h.w, h.ground-h.top)
	d.rect(h.wall.darker(.18), h.x, h.ground-9, h.w, 9)
	var chimney, roof, tiles shape
	chimney.rect(h.x+h.w*.72, h.top-h.roof-6, 14, 30)
	d.fill(p.roof.darker(.25), chimney)
	roof.poly(h.x-14, h.top+3, h.x+22, h.top-h.roof, h.x+h.w-22, h.top-h.roof, h.x+h.w+14, h.top+3)
	d.fill(p.roof, roof)
	for i := 1; i < 4; i++ {
		y, in := h.top+3-float64(i)*h.roof/4, float64(i)*9
		tiles.rect(h.x-14+in, y, h.w+28-2*in, 1.4)
	}
	d.fill(p.roof.darker(.22), tiles)

	var gables, gableRoofs, shutters shape
	var glazing panes
	for i := range 2 {
		x := h.x + h.w*(.22+.42*float64(i))
		gables.rect(x, h.top-h.roof*.62, 26, h.roof*.5)
		gableRoofs.poly(x-5, h.top-h.roof*.6, x+13, h.top-h.roof*.95, x+31, h.top-h.roof*.6)
		glazing.add(d, x+6, h.top-h.roof*.52, 14, h.roof*.34)
	}
	d.fill(p.trim, gables)
	d.fill(p.roof.darker(.15), gableRoofs)
	h.rows++ // the ground floor looks like the others
	door := h.columns / 2
	h.windows(func(row, column int, x, y, w, hh float64) {
		if row == h.rows-1 && column == door {
			return
		}
		glazing.add(d, x+w*.3, y+hh*.25, w*.4, hh*.5)
		shutters.rect(x+w*.14, y+hh*.25, w*.14, hh*.5)
		shutters.rect(x+w*.72, y+hh*.25, w*.14, hh*.5)
	})
	glazing.paint(d, p.trim)
	d.fill(p.accent, shutters)
	d.door(h, h.x+h.w*(float64(door)+.75)/(float64(h.columns)+.5), 22, h.storey*.82, true)
	d.bushes(p.leaf, h.x+4, h.x+h.w*.38, h.ground)
	d.bushes(p.leaf, h.x+h.w*.64, h.x+h.w-4, h.ground)
}

// stucco is a tenement of before 1918: rustic ground floor, cornices, window hoods, a mansard or a corner turret.
func (d *drawing) stucco(h house) {
	p := h.palette
	if h.variant%2 == 0 {
		d.mansard(h)
	} else {
		d.rect(p.roof, h.x+3, h.top-13, h.w-6, 9)
		var attic shape
		attic.poly(h.x+h.w*.36, h.top-7, h.x+h.w*.4, h.top-26, h.x+h.w*.6, h.top-26, h.x+h.w*.64, h.top-7)
		d.fill(h.wall.lighter(.2), attic)
	}
	d.rect(h.wall, h.x, h.top, h.w, h.ground-h.top)
	d.rect(h.wall.darker(.12), h.x, h.base, h.w, h.ground-h.base)

	var trim, joints shape
	trim.rect(h.x-7, h.top-6, h.w+14, 6)
	trim.rect(h.x-3, h.top, h.w+6, 2)
	trim.rect(h.x-3, h.base-2, h.w+6, 4)
	for x := range 2 {
		trim.rect(h.x+float64(x)*(h.w-7), h.top, 7, h.base-h.top) // pilasters at the corners
	}
	if h.rows > 3 {
		trim.rect(h.x, h.top+h.storey, h.w, 2)
	}
	for y := h.base + 8; y < h.ground; y += 8 {
		joints.rect(h.x, y, h.w, 1)
	}
	d.fill(h.wall.darker(.24), joints)

	var glazing panes
	middle := h.columns / 2
	var rails shape
	h.windows(func(row, column int, x, y, w, hh float64) {
		wx, ww := x+w*.29, w*.42
		trim.rect(wx-2, y+hh*.2, ww+4, hh*.64)
		glazing.add(d, wx, y+hh*.24, ww, hh*.56)
		switch (row + h.variant) % 3 { // hoods change from floor to floor
		case 0:
			trim.poly(wx-4, y+hh*.19, wx+ww/2, y+hh*.05, wx+ww+4, y+hh*.19)
		case 1:
			trim.rect(wx-4, y+hh*.11, ww+8, hh*.06)
		}
		trim.rect(wx-3, y+hh*.84, ww+6, 2)
		if row < h.rows && row%2 == 1 && (column == middle || column == middle-h.columns%2-1 && h.columns > 6) {
			rails.rect(wx-5, y+hh*.6, ww+10, 1.5)
			for i := range 6 {
				rails.rect(wx-5+float64(i)*(ww+9)/5, y+hh*.6, 1, hh*.3)
			}
			rails.rect(wx-6, y+hh*.9, ww+12, 2.5)
		}
	})
	d.fill(p.trim, trim)
	glazing.paint(d, p.trim)
	d.fill(0x3b3f46, rails)
	d.arcade(h, p.trim)
}

// mansard is a steep roof with dormers, and a turret at one corner.
func (d *drawing) mansard(h house) {
	p := h.palette
	var roof, dormers, turret shape
	var glazing panes
	roof.poly(h.x-2, h.top-3, h.x+12, h.top-30, h.x+h.w-12, h.top-30, h.x+h.w+2, h.top-3)
	for x := range 2 {
		roof.rect(h.x+h.w*(.2+.52*float64(x)), h.top-40, 10, 14)
	}
	n := h.columns / 2
	for i := range n {
		x := h.x + h.w*(float64(i)+.5)/float64(n) - 8
		dormers.arch(x, h.top-27, 16, 22)
		glazing.add(d, x+4, h.top-20, 8, 13)
	}
	d.fill(p.roof, roof)
	d.fill(p.trim, dormers)
	glazing.paint(d, p.trim)
	if h.variant == 0 {
		x := h.x + h.w - 17
		turret.rect(x-17, h.top-34, 34, 34)
		d.fill(h.wall.lighter(.12), turret)
		turret = turret[:0]
		turret.poly(x-20, h.top-34, x, h.top-74, x+20, h.top-34)
		turret.rect(x-.8, h.top-84, 1.6, 12)
		d.fill(p.roof.darker(.2), turret)
		d.rect(home, x-5, h.top-27, 10, 16)
	}
}

// brick is a solid house with pale lintels and a bay from bottom to top.
func (d *drawing) brick(h house) {
	p := h.palette
	clay := one(d, colour(0xb4644b), 0xa85a46, 0xc17f5c, 0x9c5b4d, 0xc9976e).mixed(h.wall, .22)
	d.rect(clay, h.x, h.top, h.w, h.ground-h.top)
	var courses, stone shape
	for y := h.top + 4; y < h.ground; y += 5 {
		courses.move(h.x, y)
		courses.op('h', h.w)
	}
	d.line(clay.darker(.16), .7, courses)
	stone.rect(h.x-5, h.top-5, h.w+10, 6)
	stone.rect(h.x, h.base-2, h.w, 4)
	switch h.variant % 3 {
	case 0: // stepped gables
		for _, x := range [...]float64{h.x + h.w*.2, h.x + h.w*.8} {
			var gable shape
			gable.poly(x-24, h.top-5, x-24, h.top-12, x-14, h.top-12, x-14, h.top-20, x+14, h.top-20, x+14, h.top-12, x+24, h.top-12, x+24, h.top-5)
			d.fill(clay.darker(.08), gable)
			stone.rect(x-15, h.top-22, 30, 3)
		}
	case 1: // parapet
		d.rect(clay.darker(.1), h.x, h.top-14, h.w, 9)
		stone.rect(h.x-3, h.top-16, h.w+6, 3)
	default: // a low hipped roof
		var roof shape
		roof.poly(h.x-8, h.top-4, h.x+20, h.top-22, h.x+h.w-20, h.top-22, h.x+h.w+8, h.top-4)
		d.fill(p.roof, roof)
	}
	bay := 1 + h.variant%2
	cell := h.w / (float64(h.columns) + .5)
	var glazing panes
	for _, column := range [...]int{bay, h.columns - 1 - bay} {
		x := h.x + cell*(.25+float64(column))
		d.rect(clay.lighter(.16), x-1, h.top+h.storey*.5, cell+2, h.base-h.top-h.storey*.5)
		stone.rect(x-3, h.top+h.storey*.45, cell+6, 3)
		stone.rect(x-3, h.base-4, cell+6, 4)
	}
	h.windows(func(_, column int, x, y, w, hh float64) {
		wx, ww := x+w*.24, w*.52
		if column == bay || column == h.columns-1-bay {
			wx, ww = x+w*.12, w*.76
		}
		stone.rect(wx-2, y+hh*.16, ww+4, hh*.08)
		glazing.add(d, wx, y+hh*.24, ww, hh*.52)
		stone.rect(wx-2, y+hh*.76, ww+4, 2)
	})
	d.fill(p.trim, stone)
	glazing.paint(d, p.trim)
	d.arcade(h, p.trim)
}

// deco has a stepped middle, fins, and balconies with round corners.
func (d *drawing) deco(h house) {
	p := h.palette
	wall := h.wall.lighter(.25)
	var crown, fins, bands shape
	m := h.x + h.w/2
	crown.rect(m-h.w*.2, h.top-12, h.w*.4, 14)
	crown.rect(m-h.w*.13, h.top-22, h.w*.26, 12)
	crown.rect(m-h.w*.06, h.top-32, h.w*.12, 12)
	d.fill(wall.darker(.08), crown)
	d.rect(h.palette.roof, m-1, h.top-46, 2, 15)
	var body shape
	body.rounded(h.x, h.top, h.w, 24, 12)
	body.rect(h.x, h.top+12, h.w, h.ground-h.top-12)
	d.fill(wall, body)
	d.rect(wall.darker(.14), h.x, h.base, h.w, h.ground-h.base)

	var glazing panes
	middle := h.columns / 2
	h.windows(func(_, column int, x, y, w, hh float64) {
		if column == middle {
			glazing.add(d, x+w*.3, y+hh*.08, w*.4, hh*.8)
			return
		}
		glazing.add(d, x+w*.14, y+hh*.2, w*.72, hh*.44)
		bands.rect(x-w*.02, y+hh*.12, w*1.04, hh*.05) // a shade above each window
		if column == 0 || column == h.columns-1 {
			fins.rounded(x-w*.1, y+hh*.62, w*1.2, hh*.3, 5)
		}
	})
	glazing.paint(d, wall)
	cell := h.w / (float64(h.columns) + .5)
	x := h.x + cell*(.25+float64(middle))
	bands.rect(x+cell*.08, h.top-10, cell*.1, h.base-h.top+10)
	bands.rect(x+cell*.82, h.top-10, cell*.1, h.base-h.top+10)
	bands.rect(h.x, h.base-2, h.w, 4)
	d.fill(p.accent.mixed(wall, .3), bands)
	d.fill(p.trim, fins)
	d.arcade(h, p.trim)
}

// arcade is a ground floor with an entrance in the middle and arched or shop windows beside it.
func (d *drawing) arcade(h house, trim colour) {
	hh := h.ground - h.base
	cell := h.w / (float64(h.columns) + .5)
	var frames, awnings shape
	var glazing panes
	for column := range h.columns {
		x := h.x + cell*(.25+float64(column))
		if m := h.x + h.w/2; x+cell > m-10 && x < m+10 {
			continue
		}
		if h.variant < 3 && cell > 14 {
			frames.arch(x+cell*.18, h.base+hh*.2, cell*.64, hh*.66)
			glazing.add(d, x+cell*.26, h.base+hh*.46, cell*.48, hh*.36)
			continue
		}
		glazing.add(d, x+cell*.1, h.base+hh*.32, cell*.8, hh*.5)
		if column%2 == h.variant%2 {
			awnings.poly(x+cell*.08, h.base+hh*.2, x+cell*.92, h.base+hh*.2, x+cell*1.02, h.base+hh*.42, x-cell*.02, h.base+hh*.42)
		}
	}
	d.fill(trim, frames)
	glazing.paint(d, trim)
	d.fill(h.palette.accent, awnings)
	d.door(h, h.x+h.w/2, max(16, min(26, h.storey*.8)), hh*.74, h.variant%2 == 0)
}

// door draws an entrance round the middle x, with a canopy or under an arch.
func (d *drawing) door(h house, x, w, height float64, canopy bool) {
	var frame, leaf, steps shape
	top := h.ground - height
	frame.rect(x-w/2-3, top-3, w+6, height+3)
	leaf.rect(x-w/2, top, w, height)
	if canopy {
		frame.rect(x-w/2-8, top-6, w+16, 4)
	} else {
		frame.arch(x-w/2-3, top-w/2-3, w+6, w/2+8)
		leaf.arch(x-w/2, top-w/2+1, w, w/2+1)
	}
	steps.rect(x-w/2-6, h.ground-3, w+12, 3)
	d.fill(h.palette.trim, frame)
	d.fill(h.palette.accent.darker(.15), leaf)
	d.rect(home, x-w*.22, top+4, w*.16, height*.42)
	d.rect(home, x+w*.08, top+4, w*.16, height*.42)
	d.fill(0x9d978f, steps)
}
