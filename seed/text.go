// Titles and descriptions: a sentence or two each, true to the flat they describe.

package seed

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"podbor/models"
)

// describe draws from a sequence of a's own, so that only those who need texts pay for them.
func (b *building) describe(a *apartment) (title, description string) {
	rnd := rand.New(rand.NewPCG(number, uint64(a.id)<<32))
	pick := func(words ...string) string { return words[rnd.IntN(len(words))] }

	kind := [models.MaxRooms + 1]string{
		"studio", "one-room flat", "two-room flat", "three-room flat", "four-room flat", "flat with five rooms or more",
	}[a.rooms]
	adjective := pick("Bright", "Quiet", "Sunny", "Well-kept", "Airy", "Cosy", "Freshly painted", "Tidy", "Light", "Comfortable")
	place := pick("near "+b.metro, "on "+b.street, "in "+b.district.name.en, "close to "+b.metro)
	switch {
	case a.floor == b.floors && b.floors >= 12:
		place = pick("on the top floor", "high above "+b.district.name.en)
	case b.year >= 2015 && chance(rnd, 0.4):
		place = pick("in a new building", "in a recent building")
	case b.year < 1918 && chance(rnd, 0.4):
		place = "in a historic house"
	}
	title = adjective + " " + kind + " " + place

	house := fmt.Sprintf(pick("A %s house of %d.", "In a %s building from %d."), material(b.year), b.year)
	if b.year < 1918 {
		house = fmt.Sprintf(pick("A tenement of %d with high ceilings.", "An old house of %d, thick walls, tall windows."), b.year)
	}
	inside := pick(
		"Windows on both sides.", "Kitchen and living room face south.", "Bathroom redone two years ago.",
		"Oak floor throughout.", "Large kitchen, plenty of storage.", "Windows to the quiet courtyard.",
		"Separate kitchen, wide hallway.", "New wiring and pipes.", "Good light until evening.", "Walk-in wardrobe by the door.",
	)
	walk := fmt.Sprintf(pick("%s is %d minutes on foot.", "To %s it is a walk of %d minutes."), b.metro, b.metroMinutes)
	sale := pick("One owner, documents ready.", "Free from next month.", "Viewings at weekends.", "No commission.", "Keys on the day of the deal.")
	sentences := []string{house, inside, walk}
	if extra := b.extra(rnd, a); extra != "" {
		sentences = append(sentences, extra)
	}
	if chance(rnd, 0.5) {
		sentences = append(sentences, sale)
	}
	return title, strings.Join(sentences, " ")
}

// extra mentions one thing that the flat has.
func (b *building) extra(rnd *rand.Rand, a *apartment) string {
	sentences := [...]string{ // in the order of models.AllAmenities
		"Glazed balcony.", "The lift stops at the flat's own landing.", "A parking space comes with it.", "The dishwasher stays.",
		"Sold with the furniture.", "Air conditioning in the bedroom.", "Pets were always welcome here.", "A concierge at the entrance.",
	}
	first := rnd.IntN(len(sentences))
	for i := range sentences {
		if bit := (first + i) % len(sentences); a.amenities&(1<<bit) != 0 {
			return sentences[bit]
		}
	}
	return ""
}

func material(year int) string {
	switch {
	case year < 1958:
		return "solid brick"
	case year < 1976:
		return "panel"
	case year < 1996:
		return "block"
	default:
		return "monolithic"
	}
}
