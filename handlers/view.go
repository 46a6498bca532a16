// From models to view models: what all pages share, and the home page. Pure functions; time comes in as an argument.

package handlers

import (
	"strconv"
	"time"

	"podbor/models"
	"podbor/templates"
)

// newFor is how long a home counts as new.
const newFor = 3 * 24 * time.Hour

func homeView(cities []models.City, home models.Home, now time.Time) templates.Home {
	view := templates.Home{
		Layout: templates.Layout{
			Title:       "Find the home that fits",
			Description: "Apartments for sale by district, size and price.",
			Canonical:   "/",
			Cities:      cityLinks(cities, 0),
		},
		Latest: make([]templates.Card, len(home.Latest)),
	}
	byID := make(map[int16]models.City, len(cities))
	for _, city := range cities {
		byID[city.ID] = city
		view.Cities = append(view.Cities, templates.CityTile{
			URL:     "/" + city.Slug,
			Picture: "/art/skyline/" + city.Slug + ".svg?v=" + templates.DrawingVersion,
			Name:    city.Name.EN,
			Homes:   count(home.Homes[city.ID], "home", "homes"),
		})
	}
	for i := range home.Latest {
		card := &home.Latest[i]
		city := byID[card.CityID]
		view.Latest[i] = cardView(card, city.Currency, now)
		view.Latest[i].Where = city.Name.EN + ", " + view.Latest[i].Where
	}
	return view
}

// cityLinks is the navigation; current is the id of the city the page belongs to, 0 for none.
func cityLinks(cities []models.City, current int16) []templates.Link {
	links := make([]templates.Link, len(cities))
	for i, city := range cities {
		links[i] = templates.Link{URL: "/" + city.Slug, Text: city.Name.EN, Current: city.ID == current}
	}
	return links
}

func cardView(c *models.Card, currency string, now time.Time) templates.Card {
	view := templates.Card{
		ID:         strconv.FormatInt(c.ID, 10),
		URL:        apartmentURL(c.ID),
		Picture:    pictureURL(c),
		New:        now.Sub(c.ListedAt) < newFor,
		Price:      money(c.Price, currency),
		PricePerM2: perM2(c.PricePerM2, currency),
		Title:      c.Title,
		Facts:      facts(c),
		Where:      c.Address + " · " + strconv.Itoa(int(c.MetroMinutes)) + " min to metro",
		Since:      listed(c.ListedAt, now),
	}
	view.OldPrice, view.Dropped = dropped(c, currency)
	return view
}

// dropped returns the old price and the change, empty unless the price fell.
func dropped(c *models.Card, currency string) (oldPrice, percent string) {
	if c.OldPrice <= c.Price {
		return "", ""
	}
	return money(c.OldPrice, currency), change(c.OldPrice, c.Price)
}

// facts writes "2 rooms · 54.5 m² · floor 3 of 9" in one allocation: a listing has 24 of them.
func facts(c *models.Card) string {
	b := append(make([]byte, 0, 64), roomsName(int(c.Rooms))...)
	b = append(b, " · "...)
	b = appendDecimal(b, c.Area)
	b = append(b, " m² · floor "...)
	b = strconv.AppendInt(b, int64(c.Floor), 10)
	b = append(b, " of "...)
	return string(strconv.AppendInt(b, int64(c.Floors), 10))
}

func roomsName(rooms int) string {
	names := [...]string{"Studio", "1 room", "2 rooms", "3 rooms", "4 rooms", models.MaxRooms: "5+ rooms"}
	return names[min(rooms, models.MaxRooms)]
}

func pictureURL(c *models.Card) string {
	b := append(make([]byte, 0, 48), "/art/facade/"...)
	b = strconv.AppendInt(b, int64(c.BuildingID), 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(c.Floors), 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(c.DistrictID), 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(c.YearBuilt), 10)
	return string(append(b, ".svg?v="+templates.DrawingVersion...))
}
