// Floor plans as pictures: walls, windows, doors, some furniture, and what the rooms are called.

package templates

import (
	"html"
	"math"
)

// PlanTexts are the words of a plan in the visitor's language.
type PlanTexts struct {
	Title string
	Rooms [RoomKinds]string
	Area  func(tenths int) string // "17.4"
	Metre string                  // "m"
}

const (
	paper     colour = 0xfffdf9
	walls     colour = 0x343b44
	furniture colour = 0x9aa1a8
	ink       colour = 0x1f252b
)

// A floorPlan is a plan under way, in pixels from metres.
type floorPlan struct {
	*drawing
	left, top    float64
	scale        float64 // pixels per metre
	width, depth float64 // metres
}

// Draw returns the plan as an SVG of 480 × 360.
func (p Plan) Draw(texts PlanTexts) []byte {
	rooms, width, depth := p.Divide()
	f := &floorPlan{drawing: draw(480, 360, uint64(p.Flat)), width: width, depth: depth}
	f.scale = min(436/width, 292/depth)
	f.left, f.top = (480-width*f.scale)/2, (324-depth*f.scale)/2
	f.b = append(append(append(f.b, "<title>"...), html.EscapeString(texts.Title)...), "</title>"...)
	f.tone(paper, 0x1d2226)
	f.tone(walls, 0xc3ccd4)
	f.tone(furniture, 0x76808a)
	f.tone(ink, 0xf0f3f5)

	f.rect(paper, 0, 0, 480, 360)
	var hall Room
	var inner shape
	for _, r := range rooms {
		if r.Kind == Hall {
			hall = r
		}
		f.floor(r)
		f.box(&inner, r.x, r.y, r.w, r.h)
	}
	var outer shape
	f.box(&outer, 0, 0, width, depth)
	f.line(walls, 4, inner)
	f.line(walls, 8, outer)
	for _, r := range rooms {
		f.furnish(r)
		f.window(r)
		if r.Kind != Hall {
			f.door(r, hall)
		}
	}
	f.entrance(hall)
	for _, r := range rooms {
		f.label(r, texts)
	}
	f.scaleBar(texts.Metre)
	return f.end()
}

func (f *floorPlan) x(m float64) float64 { return f.left + m*f.scale }
func (f *floorPlan) y(m float64) float64 { return f.top + m*f.scale }

// box appends the four sides of a rectangle in metres.
func (f *floorPlan) box(s *shape, x, y, w, h float64) {
	s.rect(f.x(x), f.y(y), w*f.scale, h*f.scale)
	s.op('z')
}

func (f *floorPlan) floor(r Room) {
	tint := [RoomKinds]colour{
		Hall: 0xf1ece3, Living: 0xf6e8cf, Kitchen: 0xf3e3d6, Bedroom: 0xf7ecd9, Bath: 0xdcebf0, Toilet: 0xdcebf0, Storage: 0xe9e6df, Study: 0xeeead6,
	}[r.Kind]
	f.tone(tint, tint.mixed(night, .78))
	f.rect(tint, f.x(r.x), f.y(r.y), r.w*f.scale, r.h*f.scale)
}

// outside tells where a room meets the outer wall in front or behind: −1 above, 1 below, 0 nowhere.
func (f *floorPlan) outside(r Room) float64 {
	switch {
	case r.y < .01:
		return -1
	case r.y+r.h > f.depth-.01:
		return 1
	}
	return 0
}

// window opens the outer wall of a room that has daylight.
func (f *floorPlan) window(r Room) {
	side := f.outside(r)
	if side == 0 || r.Kind == Hall || r.Kind == Bath || r.Kind == Toilet || r.Kind == Storage {
		return
	}
	y := f.y(0)
	if side > 0 {
		y = f.y(f.depth)
	}
	panes := max(1, math.Floor(r.w/3))
	var gap, frame shape
	for i := range int(panes) {
		w := min(1.7, r.w/panes*.55) * f.scale
		x := f.x(r.x+r.w*(float64(i)+.5)/panes) - w/2
		gap.rect(x, y-4, w, 8)
		frame.rect(x, y-4, w, 8)
		frame.op('z')
		frame.move(x, y)
		frame.op('h', w)
	}
	f.fill(paper, gap)
	f.line(walls, 1.2, frame)
}

// door opens the wall that a room shares with the hall, near the end of what they share.
func (f *floorPlan) door(r, hall Room) {
	w := .8
	if r.Kind == Bath || r.Kind == Toilet || r.Kind == Storage {
		w = .65
	}
	var gap, leaf shape
	from, to := max(r.x, hall.x), min(r.x+r.w, hall.x+hall.w)
	if to-from > w { // one lies above the other
		edge, into := r.y+r.h, -1.0
		if r.y > hall.y {
			edge, into = r.y, 1
		}
		at := min(from+.3, to-w)
		gap.rect(f.x(at), f.y(edge)-3, w*f.scale, 6)
		leaf.move(f.x(at), f.y(edge))
		leaf.op('v', into*w*f.scale)
		leaf.op('a', w*f.scale, w*f.scale, 0, 0, (1-into)/2, w*f.scale, -into*w*f.scale)
	} else {
		from, to = max(r.y, hall.y), min(r.y+r.h, hall.y+hall.h)
		edge, into := r.x+r.w, -1.0
		if r.x > hall.x {
			edge, into = r.x, 1
		}
		w = min(w, (to-from)*.8)
		at := from + (to-from-w)/2
		gap.rect(f.x(edge)-3, f.y(at), 6, w*f.scale)
		leaf.move(f.x(edge), f.y(at))
		leaf.op('h', into*w*f.scale)
		leaf.op('a', w*f.scale, w*f.scale, 0, 0, (1+into)/2, -into*w*f.scale, w*f.scale)
	}
	f.fill(paper, gap)
	f.line(walls, 1, leaf)
}

// entrance opens the hall's outer wall, and marks it with an arrow.
func (f *floorPlan) entrance(hall Room) {
	const w = .9
	var gap, arrow shape
	switch {
	case hall.x < .01 || hall.x+hall.w > f.width-.01:
		x, in := f.x(0), 1.0
		if hall.x > .01 {
			x, in = f.x(f.width), -1
		}
		y := f.y(hall.y + hall.h/2)
		gap.rect(x-5, y-w/2*f.scale, 10, w*f.scale)
		arrow.poly(x-in*14, y-5, x-in*6, y, x-in*14, y+5)
	default:
		y, in := f.y(0), 1.0
		if f.outside(hall) > 0 {
			y, in = f.y(f.depth), -1
		}
		x := f.x(hall.x + hall.w/2)
		gap.rect(x-w/2*f.scale, y-5, w*f.scale, 10)
		arrow.poly(x-5, y-in*14, x, y-in*6, x+5, y-in*14)
	}
	f.fill(paper, gap)
	f.fill(0x0e6a62, arrow)
}

// label writes a room's name, where there is room for it, and its area.
func (f *floorPlan) label(r Room, texts PlanTexts) {
	name, area := texts.Rooms[r.Kind], texts.Area(r.Tenths)
	x, y := f.x(r.x+r.w/2), f.y(r.y+r.h/2)
	if side := f.outside(r); r.Kind != Bath && r.Kind != Hall && r.Kind != Toilet {
		y -= side * r.h * f.scale * .1 // the furniture is at the window
	}
	if wide := float64(len([]rune(name))) * 6.4; wide < r.w*f.scale-8 && r.h*f.scale > 34 {
		f.text(x, y-3, 11, 600, name)
		f.text(x, y+12, 12, 400, area)
		return
	}
	f.text(x, y+4, min(11, r.w*f.scale*.34), 400, area)
}

func (f *floorPlan) text(x, y, size, weight float64, s string) {
	f.b = appendNumber(append(f.b, `<text x="`...), x)
	f.b = appendNumber(append(f.b, `" y="`...), y)
	f.b = appendNumber(append(f.b, `" font-size="`...), size)
	f.b = appendNumber(append(f.b, `" font-weight="`...), weight)
	f.use(ink)
	f.b = ink.appendTo(append(f.b, `" font-family="system-ui,sans-serif" text-anchor="middle" fill="`...))
	f.b = append(append(append(f.b, `">`...), html.EscapeString(s)...), "</text>"...)
}

// scaleBar shows how long a few metres are.
func (f *floorPlan) scaleBar(metre string) {
	metres := 2.0
	if f.scale < 30 {
		metres = 5
	}
	var bar shape
	x, w := 240-metres*f.scale/2, metres*f.scale
	bar.move(x, 336)
	bar.op('v', 5)
	bar.op('h', w)
	bar.op('v', -5)
	f.line(walls, 1.4, bar)
	f.text(240, 355, 11, 400, string(appendNumber(nil, metres))+" "+metre)
}
