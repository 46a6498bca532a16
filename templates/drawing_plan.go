// Floor plans: a flat of so many rooms and square metres divided into rooms that add up to it.
//
// There are two kinds. A small flat has its rooms at the windows and hall and bath behind them. A larger one has a hall
// from side to side with rooms along both of its walls. Either way every room has a wall in common with the hall, so
// every door is there.

package templates

import (
	"math"
	"math/rand/v2"
)

// A Plan describes a flat. Equal plans give equal drawings.
type Plan struct {
	Rooms  int // 0 is a studio, 5 means that many or more
	Tenths int // of a square metre
	Flat   int // chooses the proportions
}

// A RoomKind is what a room is for.
type RoomKind int

// The rooms of a flat.
const (
	Hall RoomKind = iota
	Living
	Kitchen
	Bedroom
	Bath
	Toilet
	Storage
	Study
	RoomKinds // how many kinds there are
)

// A Room is one part of a plan, placed in metres.
type Room struct {
	Kind       RoomKind
	Tenths     int // of a square metre
	x, y, w, h float64
}

// share is a room and its part of the flat.
type share struct {
	kind RoomKind
	part float64
}

// programs lists, by the number of rooms, what lies at the windows on one side, in the middle and on the other side.
var programs = [...]struct{ front, middle, back []share }{
	{[]share{{Living, .68}}, nil, []share{{Bath, .14}, {Hall, .18}}},
	{[]share{{Living, .44}, {Kitchen, .26}}, nil, []share{{Bath, .11}, {Hall, .14}, {Storage, .05}}},
	{[]share{{Bedroom, .22}, {Living, .32}}, []share{{Hall, .13}, {Storage, .03}}, []share{{Bath, .08}, {Kitchen, .22}}},
	{[]share{{Bedroom, .16}, {Bedroom, .15}, {Living, .25}}, []share{{Hall, .11}, {Storage, .02}}, []share{{Bath, .07}, {Toilet, .04}, {Kitchen, .20}}},
	{[]share{{Bedroom, .14}, {Bedroom, .12}, {Living, .24}}, []share{{Hall, .09}, {Storage, .02}}, []share{{Bedroom, .13}, {Bath, .06}, {Toilet, .03}, {Kitchen, .17}}},
	{[]share{{Study, .10}, {Bedroom, .11}, {Bedroom, .13}, {Living, .22}}, []share{{Hall, .08}, {Storage, .02}}, []share{{Bedroom, .13}, {Bath, .05}, {Toilet, .03}, {Kitchen, .13}}},
}

// Divide places the rooms. Their areas add up to the flat's, to the tenth of a square metre.
func (p Plan) Divide() (rooms []Room, width, depth float64) {
	rnd := rand.New(rand.NewPCG(uint64(p.Flat), 11))
	program := programs[min(p.Rooms, len(programs)-1)]
	area := float64(p.Tenths) / 10
	width = math.Sqrt(area * (1.08 + .2*rnd.Float64()))
	depth = area / width

	left := p.Tenths // what is not given to a room is the hall's
	hall := 0
	y := 0.0
	for _, strip := range [...][]share{program.front, program.middle, program.back} {
		first, sum := len(rooms), 0.0
		for _, s := range strip {
			tenths := int(math.Round(float64(p.Tenths) * s.part * (.96 + .08*rnd.Float64())))
			if s.kind == Hall {
				hall, tenths = len(rooms), int(math.Round(float64(p.Tenths)*s.part))
			}
			rooms = append(rooms, Room{Kind: s.kind, Tenths: tenths})
			left -= tenths
			sum += s.part
		}
		// Drawn to the shares of the program: a few per cent are less than the walls.
		x, h := 0.0, sum*depth
		for i, s := range strip {
			room := &rooms[first+i]
			room.x, room.y, room.w, room.h = x, y, s.part/sum*width, h
			x += room.w
		}
		y += h
	}
	rooms[hall].Tenths += left
	mirror := rnd.IntN(4)
	for i := range rooms {
		room := &rooms[i]
		if mirror&1 != 0 {
			room.x = width - room.x - room.w
		}
		if mirror&2 != 0 {
			room.y = depth - room.y - room.h
		}
	}
	return rooms, width, depth
}
