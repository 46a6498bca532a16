// Styles since about 1958: panels, towers of glass, stacked blocks.

package templates

// panel is a slab of concrete panels with seams, stacked balconies and several entrances.
func (d *drawing) panel(h house) {
	p := h.palette
	concrete := one(d, colour(0xd9d5cc), 0xcfd3d4, 0xe2dccf).mixed(h.wall, .22)
	d.rect(concrete, h.x, h.top, h.w, h.ground-h.top)
	d.rect(concrete.darker(.3), h.x-2, h.top-4, h.w+4, 5)
	d.rect(concrete.darker(.2), h.x, h.ground-7, h.w, 7)
	var boxes, seams, stair shape
	for _, at := range [...]float64{.22, .68} {
		boxes.rect(h.x+h.w*at, h.top-15, 30, 12)
	}
	boxes.rect(h.x+h.w*.5, h.top-18, 1.5, 15)
	d.fill(concrete.darker(.22), boxes)

	h.rows++ // people live on the ground floor too
	h.storey = (h.ground - 7 - h.top) / float64(h.rows)
	cell := h.w / (float64(h.columns) + .5)
	for column := range h.columns + 1 {
		seams.move(h.x+cell*(.25+float64(column)), h.top)
		seams.op('v', h.ground-h.top-7)
	}
	for row := 1; row < h.rows; row++ {
		seams.move(h.x, h.top+float64(row)*h.storey)
		seams.op('h', h.w)
	}
	d.line(concrete.darker(.12), 1, seams)

	// One column in four is a stair with narrow windows, its neighbours have the balconies.
	var glazing panes
	var loggias, rails shape
	first := h.variant % 3
	h.windows(func(_, column int, x, y, w, hh float64) {
		switch (column + first) % 4 {
		case 1:
			stair.rect(x+w*.34, y+hh*.1, w*.32, hh*.34)
		case 2:
			loggias.rect(x+w*.06, y+hh*.12, w*.9, hh*.8)
			glazing.add(d, x+w*.2, y+hh*.18, w*.62, hh*.4)
			rails.rect(x+w*.04, y+hh*.55, w*.92, hh*.38)
		default:
			glazing.add(d, x+w*.2, y+hh*.2, w*.6, hh*.48)
		}
	})
	d.fill(concrete.darker(.26), loggias)
	glazing.paint(d, 0xf3f1ec)
	d.fill(one(d, p.accent, h.wall, p.roof).mixed(concrete, .2), rails)
	d.fill(shine, stair)
	for column := range h.columns {
		if (column+first)%4 == 1 {
			d.door(h, h.x+cell*(.75+float64(column)), min(16, cell*.7), min(26, h.storey*.9), true)
		}
	}
	d.bushes(p.leaf, h.x+h.w*.05, h.x+h.w*.2, h.ground)
	d.bushes(p.leaf, h.x+h.w*.78, h.x+h.w*.95, h.ground)
}

// tower is glass behind the edges of floors, a higher and a lower part on a common base.
func (d *drawing) tower(h house) {
	p := h.palette
	frame := one(d, colour(0xf1efea), 0xd5dade, 0xc3ccd2).mixed(h.wall, .12)
	split := h.w * one(d, .58, .64, .4)
	low := h.top + float64(h.rows)*h.storey*d.between(.18, .34)
	parts := [2][3]float64{{h.x, split, h.top}, {h.x + split, h.w - split, low}}
	if split < h.w/2 {
		parts[0][2], parts[1][2] = low, h.top
	}
	for i, part := range parts {
		x, w, top := part[0], part[1], part[2]
		d.rect([...]colour{frame, frame.darker(.14)}[i], x, top-4, w, h.ground-top)
		var glazing panes
		var slabs, fins, green shape
		rows := int((h.base-top)/h.storey + .01)
		storey := (h.base - top) / float64(rows)
		n := max(2, int(w/18))
		for row := range rows {
			y := top + float64(row)*storey
			for column := range n {
				cell := (w - 6) / float64(n)
				if (row*3+column*5+h.variant)%7 == 0 { // here and there a wall instead
					continue
				}
				glazing.add(d, x+3+float64(column)*cell+.8, y+storey*.18, cell-1.6, storey*.74)
			}
			slabs.rect(x-1.5, y+storey*.9, w+3, storey*.14)
		}
		glazing.paint(d, shine)
		d.fill(frame.lighter(.35), slabs)
		for at := x + w*.33; at < x+w-4; at += w * .34 {
			fins.rect(at, top-4, 2.5, h.base-top+4)
		}
		d.fill(p.accent.mixed(frame, .35), fins)
		for at := x + 6; at < x+w-4; at += d.between(7, 11) {
			green.circle(at, top-5, d.between(2, 4.5))
		}
		d.fill(p.leaf, green)
		d.rect(frame.lighter(.2), x-1, top-4, w+2, 3)
	}
	d.podium(h, frame)
}

// blocks is a stack of white, wooden and dark volumes with windows out of line.
func (d *drawing) blocks(h house) {
	p := h.palette
	tones := [...]colour{0xf3efe7, colour(0xc39a6b).mixed(h.wall, .3), h.wall, 0x5b636c}
	first := d.rnd.IntN(len(tones))
	per := max(2, (h.rows+2)/3)
	var shade shape
	for from, i := 0, 0; from < h.rows; from, i = from+per, i+1 {
		n := min(per, h.rows-from)
		y, hh := h.top+float64(from)*h.storey, float64(n)*h.storey
		x, w := h.x+[...]float64{0, 10, -6}[(i+h.variant)%3], h.w-[...]float64{14, 4, 0}[(i+h.variant)%3]
		tone := tones[(first+i)%len(tones)]
		d.rect(tone, x, y, w, hh)
		shade.rect(x, y+hh-1.5, w, 1.5)
		d.rect(tone.lighter(.3), x, y, w, 2)
		var glazing panes
		var loggias, rails shape
		cell := w / float64(h.columns)
		for row := range n {
			for column := range h.columns {
				cx, cy := x+float64(column)*cell, y+float64(row)*h.storey
				switch shift := (column*2 + row*3 + i + h.variant) % 5; {
				case column == h.columns-1-i%2 && h.storey > 9:
					loggias.rect(cx+cell*.04, cy+h.storey*.12, cell*.92, h.storey*.8)
					glazing.add(d, cx+cell*.12, cy+h.storey*.18, cell*.5, h.storey*.7)
					rails.rect(cx+cell*.02, cy+h.storey*.58, cell*.96, h.storey*.36)
				case shift == 0:
					glazing.add(d, cx+cell*.12, cy+h.storey*.16, cell*.76, h.storey*.7)
				default:
					glazing.add(d, cx+cell*(.2+.08*float64(shift%3)), cy+h.storey*.16, cell*.4, h.storey*.7)
				}
			}
		}
		d.fill(tone.darker(.35), loggias)
		glazing.paint(d, tone.lighter(.25))
		d.fill(shine.lighter(.2), rails)
	}
	d.fill(p.roof.darker(.3), shade)
	d.rect(tones[3].darker(.2), h.x+h.w*.3, h.top-11, h.w*.26, 11)
	var green shape
	for x := h.x + h.w*.6; x < h.x+h.w-12; x += d.between(6, 10) {
		green.circle(x, h.top-2, d.between(3, 5))
	}
	d.fill(p.leaf, green)
	d.podium(h, tones[first].darker(.1))
}

// podium is a ground floor of shops behind glass, with an entrance and a sign.
func (d *drawing) podium(h house, wall colour) {
	hh := h.ground - h.base
	d.rect(wall.darker(.3), h.x-4, h.base, h.w+8, hh)
	d.rect(h.palette.accent, h.x-6, h.base, h.w+12, max(2, hh*.12))
	var lit, dark, frames shape
	n := max(4, int(h.w/30))
	cell := h.w / float64(n)
	for i := range n {
		pane := &lit
		if i%3 == h.variant%3 {
			pane = &dark
		}
		pane.rect(h.x+cell*float64(i)+2, h.base+hh*.28, cell-4, hh*.62)
		frames.rect(h.x+cell*(float64(i)+.5), h.base+hh*.28, 1, hh*.62)
	}
	d.fill(home, lit)
	d.fill(glass, dark)
	d.fill(wall, frames)
	d.door(h, h.x+h.w*.5, 14, hh*.72, true)
}
