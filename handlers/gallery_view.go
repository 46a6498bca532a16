// The view of a home's pictures: its house, its rooms and its floor plan. All are drawn from what is known of the home.

package handlers

import (
	"math"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/templates"
)

func photos(fr frame, d *models.Detail) []templates.Photo {
	t := &fr.T.Apartment
	list := []templates.Photo{{ID: "photo-house", URL: pictureURL(&d.Card), Text: t.Picture.With("address", d.Address)}}
	for i, kind := range templates.InteriorKinds {
		if kind == "bedroom" && d.Rooms < 2 {
			continue // one sleeps in the living room
		}
		room := templates.Interior{
			Kind: kind, Flat: int(d.ID), Floor: min(max(int(d.Floor), 0), 200), District: int(d.DistrictID),
		}
		list = append(list, templates.Photo{
			ID: "photo-" + kind, URL: "/art/interior/" + interiorName(room) + "?v=" + templates.DrawingVersion, Text: t.Interiors[i],
		})
	}
	return list
}

// planOf returns the floor plan and its rooms, neither where the home is too small or too large to be drawn.
func planOf(fr frame, d *models.Detail) (templates.Photo, []templates.Fact) {
	p := templates.Plan{Rooms: min(int(d.Rooms), models.MaxRooms), Tenths: int(math.Round(d.Area * 10)), Flat: int(d.ID)}
	if !canPlan(p) {
		return templates.Photo{}, nil
	}
	divided, _, _ := p.Divide()
	rooms := make([]templates.Fact, len(divided))
	for i, r := range divided {
		rooms[i] = templates.Fact{Name: fr.T.Apartment.PlanRooms[r.Kind], Value: area(fr, float64(r.Tenths)/10)}
	}
	return templates.Photo{
		ID:   "plan",
		URL:  "/art/plan/" + planName(fr.Locale, p) + "?v=" + templates.DrawingVersion,
		Text: planTitle(fr.Locale, p),
	}, rooms
}

func planTexts(l *locale.Locale, p templates.Plan) templates.PlanTexts {
	return templates.PlanTexts{
		Title: planTitle(l, p),
		Rooms: l.T.Apartment.PlanRooms,
		Area:  func(tenths int) string { return l.Decimal(float64(tenths) / 10) },
		Metre: l.T.Apartment.Metre,
	}
}

func planTitle(l *locale.Locale, p templates.Plan) string {
	return l.T.Apartment.PlanTitle.With(
		"rooms", l.T.Common.Rooms[p.Rooms], "area", l.T.Common.Area.With("area", l.Decimal(float64(p.Tenths)/10)))
}
