// The rooms of drawing_interior.go, each with its furniture.

package templates

func (s *scene) living() {
	left := s.chance(.5)
	wx, sx := 250.0, 40.0
	if left {
		wx, sx = 46, 190
	}
	s.window(wx, 46, 104, 112, true)
	if s.chance(.5) {
		s.picture(sx+22, 62, 54, 66)
		s.picture(sx+92, 62, 54, 66)
	} else {
		s.picture(sx+34, 58, 104, 68)
	}
	// A rug, the sofa with its cushions, a table before it.
	var rug shape
	rug.poly(sx+6, 236, sx+158, 236, sx+186, 284, sx-22, 284)
	s.fill(s.second.lighter(.25), rug)
	var stripe shape
	stripe.poly(sx+2, 243, sx+162, 243, sx+165, 249, sx-2, 249)
	stripe.poly(sx-13, 270, sx+177, 270, sx+180, 276, sx-16, 276)
	s.fill(s.main.lighter(.2), stripe)
	var back, seat, cushions, legs shape
	back.rounded(sx, 150, 164, 62, 12)
	s.fill(s.main.darker(.12), back)
	seat.rounded(sx+14, 186, 68, 38, 8)
	seat.rounded(sx+83, 186, 68, 38, 8)
	seat.rounded(sx-10, 172, 26, 58, 10)
	seat.rounded(sx+148, 172, 26, 58, 10)
	s.fill(s.main, seat)
	cushions.rounded(sx+22, 164, 30, 28, 6)
	cushions.rounded(sx+112, 164, 30, 28, 6)
	s.fill(s.second, cushions)
	legs.rect(sx-4, 230, 5, 8)
	legs.rect(sx+163, 230, 5, 8)
	s.fill(s.wood.darker(.2), legs)
	var top, feet shape
	top.rounded(sx+44, 244, 78, 7, 3)
	feet.rect(sx+52, 251, 4, 22)
	feet.rect(sx+110, 251, 4, 22)
	s.fill(s.wood, feet)
	s.fill(s.wood.lighter(.15), top)
	s.rect(0xf7f3ea, sx+62, 236, 14, 8)
	s.rect(s.main, sx+88, 240, 22, 4)

	fx := sx + 186.0
	if left {
		fx = sx - 26
	}
	if s.chance(.5) {
		s.plant(fx, 232, 96)
	} else { // a lamp on a long foot
		s.rect(s.metal, fx-1.2, 110, 2.4, 118)
		s.rect(s.metal, fx-12, 226, 24, 4)
		var shade shape
		shade.poly(fx-10, 88, fx+10, 88, fx+20, 118, fx-20, 118)
		s.light(shade)
	}
	if s.chance(.6) {
		s.pendant(200, 26)
	}
}

func (s *scene) kitchen() {
	front := one(s.drawing, s.main, s.main.lighter(.55), 0xf6f2ea)
	s.rect(s.wall.lighter(.5), 0, 92, 400, 62) // tiles between the cupboards
	var joints shape
	for y := 104.0; y < 154; y += 12 {
		joints.move(0, y)
		joints.op('h', 400)
	}
	for x := 8.0; x < 400; x += 20 {
		joints.move(x, 92)
		joints.op('v', 62)
	}
	s.line(s.wall.darker(.08), 1, joints)
	s.window(150, 34, 96, 92, false)

	var doors, gaps, handles shape
	for _, x := range [...]float64{12, 68, 278} { // above
		doors.rounded(x, 28, 54, 64, 2)
		handles.rect(x+44, 78, 3, 9)
	}
	for x := 12.0; x < 320; x += 56 { // below
		doors.rounded(x, 164, 54, 62, 2)
		handles.rect(x+17, 170, 20, 3)
	}
	s.rect(front.darker(.3), 12, 164, 334, 62)
	s.fill(front, doors)
	s.fill(s.metal, handles)
	s.rect(s.metal.darker(.2), 12, 226, 334, 6)
	s.rect(s.wood, 8, 156, 342, 8)
	s.rect(s.wood.lighter(.25), 8, 156, 342, 2)
	// Tap and sink, oven with rings, hood, refrigerator.
	gaps.rect(194, 134, 4, 22)
	gaps.rect(194, 134, 16, 4)
	s.fill(0xb9c0c6, gaps)
	s.rect(0x3a3f47, 292, 172, 50, 46)
	s.rect(home, 298, 182, 38, 26)
	var hood shape
	hood.poly(284, 78, 340, 78, 352, 94, 272, 94)
	s.fill(0xc6ccd1, hood)
	s.rect(s.metal, 296, 150, 16, 6)
	s.rect(s.second, 318, 142, 20, 14)
	var fridge shape
	fridge.rounded(350, 66, 62, 166, 5)
	s.fill(0xe6e9ea, fridge)
	s.rect(0xb9c0c6, 350, 126, 50, 2)
	s.rect(0x9aa3aa, 356, 96, 3, 22)
	s.rect(0x9aa3aa, 356, 136, 3, 30)
	s.plant(34, 156, 50)
	var jars shape
	jars.rounded(76, 138, 13, 18, 3)
	jars.rounded(94, 132, 13, 24, 3)
	s.fill(s.second, jars)

	// A table in front, with stools under a lamp.
	var top, legs, stools shape
	top.rounded(88, 246, 164, 9, 4)
	legs.rect(104, 255, 6, 45)
	legs.rect(230, 255, 6, 45)
	for _, x := range [...]float64{56, 262} {
		stools.rounded(x, 262, 34, 7, 3)
		stools.rect(x+4, 269, 4, 31)
		stools.rect(x+26, 269, 4, 31)
	}
	s.fill(s.wood.darker(.15), legs)
	s.fill(s.wood.lighter(.1), top)
	s.fill(s.main.darker(.15), stools)
	var bowl, fruit shape
	for _, x := range [...]float64{158, 170, 182} {
		fruit.circle(x, 237, 7)
	}
	s.fill(s.second.mixed(0xd0543c, .5), fruit)
	bowl.poly(146, 237, 194, 237, 182, 247, 158, 247)
	s.fill(0xf8f5ee, bowl)
}

func (s *scene) bedroom() {
	wx, bx := 278.0, 62.0
	if s.chance(.5) {
		wx, bx = 30, 148
	}
	s.window(wx, 44, 92, 112, true)
	s.rect(s.wall.mixed(s.main, .18), bx-22, 8, 226, skirting-15)
	if s.chance(.5) {
		s.picture(bx+58, 44, 66, 52)
	} else {
		s.picture(bx+36, 46, 44, 52)
		s.picture(bx+102, 46, 44, 52)
	}
	var head, sheet, pillows, blanket, fold, legs shape
	head.rounded(bx-6, 118, 194, 92, 10)
	s.fill(s.wood, head)
	sheet.rounded(bx, 168, 182, 62, 8)
	s.fill(0xfbf8f2, sheet)
	pillows.rounded(bx+14, 146, 70, 34, 12)
	pillows.rounded(bx+98, 146, 70, 34, 12)
	s.fill(0xf1ece2, pillows)
	fold.rounded(bx+54, 158, 74, 26, 10)
	s.fill(s.second, fold)
	blanket.poly(bx-4, 192, bx+186, 192, bx+196, 262, bx-14, 262)
	s.fill(s.main, blanket)
	fold = fold[:0]
	fold.poly(bx-5, 190, bx+187, 190, bx+188, 204, bx-6, 204)
	s.fill(s.main.lighter(.3), fold)
	legs.rect(bx-8, 262, 8, 10)
	legs.rect(bx+182, 262, 8, 10)
	s.fill(s.wood.darker(.25), legs)
	for _, x := range [...]float64{bx - 46, bx + 194} {
		var table, shade shape
		table.rounded(x, 184, 38, 46, 3)
		s.fill(s.wood.lighter(.1), table)
		s.rect(s.wood.darker(.2), x+4, 204, 30, 2)
		s.rect(s.metal, x+17.5, 162, 3, 22)
		shade.poly(x+11, 142, x+27, 142, x+33, 164, x+5, 164)
		s.light(shade)
	}
	var rug shape
	rug.poly(bx-34, 276, bx+216, 276, bx+226, 292, bx-44, 292)
	s.fill(s.second.lighter(.3), rug)
	if s.chance(.5) {
		s.plant(wx+46, 262, 64)
	}
}

func (s *scene) bathroom() {
	tile := s.wall.mixed(s.main, .22)
	s.rect(tile, 0, 84, 400, skirting-84)
	var joints shape
	for y := 84.0; y < skirting; y += 18 {
		joints.move(0, y)
		joints.op('h', 400)
	}
	for x := 10.0; x < 400; x += 26 {
		joints.move(x, 84)
		joints.op('v', skirting-84)
	}
	s.line(tile.lighter(.4), 1.2, joints)
	s.rect(s.main, 0, 80, 400, 5)

	// The bath with its shower.
	var tub, rim, feet, pipe shape
	tub.move(18, 176)
	tub.op('h', 190)
	tub.op('c', 0, 46, -12, 66, -34, 66)
	tub.op('h', -122)
	tub.op('c', -22, 0, -34, -20, -34, -66)
	s.fill(0xf8f7f3, tub)
	rim.rounded(10, 170, 206, 10, 5)
	s.fill(0xffffff, rim)
	feet.rect(48, 240, 12, 10)
	feet.rect(164, 240, 12, 10)
	s.fill(s.metal, feet)
	pipe.rect(34, 62, 4, 108)
	pipe.rect(34, 62, 40, 4)
	pipe.poly(62, 66, 86, 66, 92, 76, 56, 76)
	s.fill(0xaeb6bd, pipe)
	var cloth, stripes shape
	cloth.poly(150, 172, 196, 172, 194, 214, 152, 214)
	stripes.rect(152, 200, 42, 4)
	s.fill(s.second, cloth)
	s.fill(0xfbf8f2, stripes)

	// The basin on its cupboard, below a mirror with lamps.
	var cupboard, basin, mirror, gleam, lamps shape
	cupboard.rounded(256, 178, 108, 56, 4)
	s.fill(s.wood, cupboard)
	s.rect(s.wood.darker(.25), 309, 184, 2, 46)
	basin.rounded(250, 166, 120, 14, 6)
	s.fill(0xffffff, basin)
	s.rect(0xaeb6bd, 308, 146, 4, 20)
	s.rect(0xaeb6bd, 300, 146, 12, 4)
	if s.chance(.5) {
		mirror.circle(310, 92, 44)
	} else {
		mirror.rounded(262, 48, 96, 84, 8)
	}
	s.fill(s.metal, mirror)
	mirror = mirror[:0]
	mirror.circle(310, 92, 39)
	s.fill(0xcfdfe6, mirror)
	gleam.poly(290, 108, 316, 62, 324, 66, 298, 114)
	s.fill(0xe9f2f5, gleam)
	lamps.rounded(246, 74, 9, 34, 4)
	lamps.rounded(365, 74, 9, 34, 4)
	s.light(lamps)
	s.plant(352, 166, 46)
	var bottles shape
	bottles.rounded(262, 148, 9, 18, 3)
	bottles.rounded(276, 142, 9, 24, 3)
	s.fill(s.main, bottles)
	var mat shape
	mat.poly(244, 256, 372, 256, 384, 278, 232, 278)
	s.fill(s.second.lighter(.3), mat)
}

// view looks out of the window: more sky the higher it is.
func (s *scene) view() {
	p := s.outside
	s.sky(p, 300)
	high := min(float64(s.storey), 24) / 24
	s.farHouses(p, 300, 190-110*high)
	var walls, roofs, lights, trees shape
	for x := s.between(-30, 0); x < 400; {
		w, h := s.between(60, 100), s.between(60, 120)*(1-.7*high)
		walls.rect(x, 282-h, w, h+20)
		roofs.rect(x-3, 279-h, w+6, 5)
		for y := 292 - h; y < 280; y += 15 {
			for wx := x + 8; wx < x+w-10; wx += 14 {
				lights.rect(wx, y, 7, 8)
			}
		}
		x += w + s.between(4, 22)
	}
	s.fill(one(s.drawing, p.walls[:]...).mixed(p.haze, .2), walls)
	s.fill(p.roof, roofs)
	s.fill(home, lights)
	for x := 0.0; x < 400; x += s.between(16, 34) {
		trees.circle(x, 284, s.between(9, 20)*(1-.4*high))
	}
	s.fill(p.leaf, trees)

	// The frame, the sill, and what stands on it.
	var frame, cloth, folds shape
	frame.rect(0, 0, 400, 16)
	frame.rect(194, 0, 12, 262)
	frame.rect(40, 0, 14, 262)
	frame.rect(346, 0, 14, 262)
	s.fill(0xfcfbf7, frame)
	for _, x := range [...]float64{0, 352} {
		cloth.rect(x, 0, 48, 300)
		for fold := x + 8; fold < x+44; fold += 11 {
			folds.rect(fold, 0, 2, 300)
		}
	}
	s.rect(0xf3efe6, 0, 258, 400, 42)
	s.rect(0xffffff, 0, 256, 400, 6)
	s.rect(0xdcd6ca, 0, 274, 400, 3)
	s.fill(s.second, cloth)
	s.fill(s.second.darker(.12), folds)
	s.plant(110, 258, 70)
	var mug shape
	mug.rounded(268, 236, 22, 22, 4)
	mug.rounded(286, 241, 10, 11, 5)
	s.fill(s.main, mug)
	s.rect(s.wood, 232, 250, 26, 8)
	s.rect(s.second.darker(.2), 234, 243, 22, 7)
}
