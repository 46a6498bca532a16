// Furniture in floor plans: as much as tells what a room is for and how large it is.

package templates

// furnish puts furniture along the wall of the window, or that away from the hall.
func (f *floorPlan) furnish(r Room) {
	side := f.outside(r)
	// at places a piece of furniture: x from the room's left, y from its outer wall, in metres.
	var s shape
	at := func(x, y, w, h, round float64) {
		top := r.y + y
		if side > 0 {
			top = r.y + r.h - y - h
		}
		s.rounded(f.x(r.x+x), f.y(top), w*f.scale, h*f.scale, round*f.scale)
	}
	const gap = .15 // from the wall
	switch r.Kind {
	case Living:
		long := min(2.2, r.w*.5)
		x := r.w - long - gap
		at(x, gap, long, .85, .12) // a sofa
		at(x+.2, gap+.25, long-.4, .6, .08)
		at(x+long/2-.45, gap+1.1, .9, min(.5, r.h*.12), .06) // its table
		at(gap, gap, .4, min(1.6, r.h*.4), .02)              // shelves
	case Bedroom:
		w := min(1.6, r.w*.55)
		x := (r.w - w) / 2
		length := min(1.95, r.h*.55)
		at(x, gap, w, length, .08)
		at(x+.1, gap+.1, w/2-.15, .4, .1) // pillows
		at(x+w/2+.05, gap+.1, w/2-.15, .4, .1)
		at(x, gap+.65, w, length-.65, .08) // the blanket
		if x > .6 {
			at(x-.5, gap, .42, .42, .04)
			at(x+w+.08, gap, .42, .42, .04)
		}
	case Study:
		at(gap, gap, min(1.5, r.w*.5), .65, .04)
		at(gap+.4, gap+.75, .5, .5, .2)
	case Kitchen:
		long := min(3, r.w*.62)
		at(gap, gap, long, .6, .02)
		at(gap+.15, gap+.12, .6, .36, .08) // sink
		for i := range 4 {                 // rings
			at(gap+long-.62+.28*float64(i%2), gap+.06+.26*float64(i/2), .22, .22, .11)
		}
		at(r.w-.9-gap, gap+.1, .85, min(.85, r.h*.4), .42) // a round table
	case Bath:
		at(gap, gap, min(1.6, r.w-.3), .7, .08)
		at(gap+.08, gap+.08, min(1.6, r.w-.3)-.16, .54, .25)
		at(r.w-gap-.5, max(.9, r.h-.75), .5, .4, .1)
	case Toilet:
		at(r.w/2-.2, gap, .4, .2, .04)
		at(r.w/2-.18, gap+.2, .36, .5, .18)
	case Storage:
		at(gap, gap, r.w-2*gap, .3, .02)
	}
	f.line(furniture, 1, s)
}
