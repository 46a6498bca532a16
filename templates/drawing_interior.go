// Interiors: what a flat looks like inside, as far as can be told from its number, its floor and its district.

package templates

// An Interior is one room of a flat. Equal interiors give equal drawings.
type Interior struct {
	Kind     string // one of InteriorKinds
	Flat     int    // chooses colours and furniture
	Floor    int    // how much of the city lies below the window
	District int    // the colours outside
}

// InteriorKinds lists the rooms that can be drawn.
var InteriorKinds = [...]string{"living", "kitchen", "bedroom", "bathroom", "view"}

// decor holds the colours of one flat.
type decor struct{ wall, floor, main, second, wood, metal colour }

var decors = [...]decor{
	{0xf1e9dc, 0xc99c6b, 0x2f7d74, 0xe0a458, 0x9a6a42, 0x4a4f57},
	{0xe4ebe6, 0xb88a5e, 0xc4694c, 0xf0d9b0, 0x7d5638, 0x50565e},
	{0xe9e4ee, 0xcaa57c, 0x5a6fa6, 0xe6b7a4, 0xa57a54, 0x4b4d5c},
	{0xf4ead2, 0xa97852, 0x7f9a5a, 0xd77f53, 0x6e4a30, 0x54554f},
	{0xdfe8ec, 0xd3b48c, 0xb5573c, 0x7fa7b5, 0xb08a62, 0x454d55},
	{0xf2e2d9, 0xb98d66, 0x4f6f78, 0xd9a441, 0x8a5c3c, 0x4e4a4a},
	{0xe6e9dc, 0x9f7450, 0x8a5a83, 0xe8cf9a, 0x74512f, 0x4d5148},
}

// A scene is an interior under way.
type scene struct {
	*drawing
	decor
	outside palette
	storey  int
}

const skirting = 208 // where walls meet the floor

// Draw returns the room as an SVG of 400 × 300. Kind must be one of InteriorKinds.
func (i Interior) Draw() []byte {
	// The colours are the flat's, the furniture is the room's.
	flat := draw(0, 0, uint64(i.Flat)+77)
	s := &scene{drawing: draw(400, 300, uint64(i.Flat)<<4+uint64(i.Kind[0])), outside: paletteOf(i.District), storey: i.Floor}
	s.decor = one(flat, decors[:]...)
	if i.Kind == "view" {
		s.view()
		return s.end()
	}
	s.room(i.Kind == "bathroom" || i.Kind == "kitchen" && flat.chance(.5))
	switch i.Kind {
	case "living":
		s.living()
	case "kitchen":
		s.kitchen()
	case "bedroom":
		s.bedroom()
	case "bathroom":
		s.bathroom()
	}
	return s.end()
}

// room paints wall and floor, of boards or of tiles.
func (s *scene) room(tiles bool) {
	s.rect(s.wall, 0, 0, 400, skirting)
	s.rect(s.wall.darker(.05), 0, 0, 400, 8)
	floor := s.floor
	if tiles {
		floor = s.wall.mixed(s.metal, .3)
	}
	s.rect(floor, 0, skirting, 400, 300-skirting)
	var joints shape
	for y, step := skirting+10.0, 12.0; y < 300; y, step = y+step, step+5 {
		joints.move(0, y)
		joints.op('h', 400)
	}
	for x := -200.0; x <= 600; x += 50 { // towards a point behind the wall
		joints.move(200+(x-200)*.55, skirting)
		joints.op('L', x, 300)
	}
	s.line(floor.darker(.13), 1, joints)
	s.rect(s.wall.lighter(.6), 0, skirting-7, 400, 7)
}

// window shows the city in a frame, between curtains.
func (s *scene) window(x, y, w, h float64, curtains bool) {
	s.pane(x, y, w, h)
	var frame shape
	frame.rect(x-4, y-4, w+8, 5)
	frame.rect(x-4, y+h-1, w+8, 5)
	frame.rect(x-4, y, 5, h)
	frame.rect(x+w-1, y, 5, h)
	frame.rect(x+w/2-2, y, 4, h)
	frame.rect(x, y+h*.3, w, 3)
	s.fill(0xfcfbf7, frame)
	s.rect(0xe7e2d8, x-10, y+h+3, w+20, 6)
	if !curtains {
		return
	}
	var cloth, folds shape
	for _, left := range [...]float64{x - 24, x + w + 2} {
		cloth.rect(left, y-14, 24, skirting-y+4)
		for fold := left + 6; fold < left+22; fold += 7 {
			folds.rect(fold, y-12, 1.5, skirting-y)
		}
	}
	s.fill(s.second, cloth)
	s.fill(s.second.darker(.14), folds)
	s.rect(s.metal, x-32, y-17, w+64, 4)
}

// pane is the city as seen through glass: the higher the floor, the lower the roofs.
func (s *scene) pane(x, y, w, h float64) {
	p := s.outside
	s.tone(p.sky, p.sky.mixed(night, .84))
	s.rect(p.sky, x, y, w, h)
	dusk := p.sky.mixed(p.haze, .7)
	s.tone(dusk, dusk.mixed(night, .74))
	s.rect(dusk, x, y+h*.45, w, h*.55)
	high := min(float64(s.storey), 24) / 24
	var lights shape
	for layer, tone := range [...]colour{p.haze.mixed(p.roof, .35), p.haze.mixed(p.roof, .6)} {
		var roofs shape
		for at := x; at < x+w; {
			wide := min(s.between(w*.1, w*.22), x+w-at)
			tall := h * s.between(.28, .62) * (1 - .62*high) * (1 - .3*float64(layer))
			roofs.rect(at, y+h-tall, wide, tall)
			for wy := y + h - tall + 5; wy < y+h-5 && layer == 1; wy += 9 {
				for wx := at + 4; wx < at+wide-5; wx += 8 {
					lights.rect(wx, wy, 3.5, 4.5)
				}
			}
			at += wide
		}
		s.fill(tone, roofs)
	}
	s.fill(home, lights)
}

// light is a lamp shade: pale by day, warm at night.
func (s *scene) light(shade shape) {
	s.tone(0xfbf0d6, 0xffd98f)
	s.fill(0xfbf0d6, shade)
}

// picture hangs a picture with a little landscape.
func (s *scene) picture(x, y, w, h float64) {
	s.rect(s.wood, x-3, y-3, w+6, h+6)
	s.rect(0xf8f3e8, x, y, w, h)
	a, b := s.main, s.second
	if s.chance(.5) {
		a, b = b, a
	}
	var hills, sun shape
	hills.poly(x+4, y+h-4, x+4, y+h*.6, x+w*.35, y+h*.4, x+w*.6, y+h*.65, x+w-4, y+h*.45, x+w-4, y+h-4)
	sun.circle(x+w*.66, y+h*.3, min(w, h)*.13)
	s.fill(a, hills)
	s.fill(b, sun)
}

// plant stands in a pot whose foot is at x, y.
func (s *scene) plant(x, y, height float64) {
	var pot, leaves, veins shape
	pot.poly(x-11, y-22, x+11, y-22, x+8, y, x-8, y)
	for _, tip := range [...][2]float64{{-26, .62}, {-16, .95}, {0, 1.1}, {17, .9}, {27, .58}, {-8, .7}, {10, .66}} {
		dx, dy := tip[0]*height/90, -22-tip[1]*(height-22)
		leaves.move(x, y-20)
		leaves.op('Q', x+dx*1.3-5, y+dy*.6, x+dx, y+dy)
		leaves.op('Q', x+dx*.5+9, y+dy*.5, x, y-20)
		veins.move(x, y-20)
		veins.op('Q', x+dx*.8, y+dy*.55, x+dx, y+dy)
	}
	s.fill(s.outside.leaf, leaves)
	s.line(s.outside.leaf.darker(.2), .8, veins)
	s.fill(one(s.drawing, s.main, s.second, colour(0xf2ede3)), pot)
}

// pendant hangs a lamp from the ceiling.
func (s *scene) pendant(x, y float64) {
	s.rect(s.metal, x-.8, 0, 1.6, y)
	var shade shape
	shade.poly(x-7, y, x+7, y, x+20, y+20, x-20, y+20)
	s.light(shade)
}
