// From models to view models: what all pages share, and the home page. Pure functions; time comes in as an argument.

package handlers

import (
	"slices"
	"strconv"
	"time"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/templates"
)

// newFor is how long a home counts as new.
const newFor = 3 * 24 * time.Hour

func homeView(fr frame, cities []models.City, home models.Home, now time.Time) templates.Home {
	view := templates.Home{
		Layout: fr.layout("/", cities, 0),
		Latest: make([]templates.Card, len(home.Latest)),
	}
	view.Search = fr.URL("/search")
	view.Title, view.Description = fr.T.Home.Title, fr.T.Home.Description
	byID := make(map[int16]*models.City, len(cities))
	for i := range cities {
		city := &cities[i]
		byID[city.ID] = city
		view.CityTiles = append(view.CityTiles, templates.CityTile{
			URL:     fr.URL("/" + city.Slug),
			Picture: "/art/skyline/" + city.Slug + ".svg?v=" + templates.DrawingVersion,
			Name:    fr.name(city.Name),
			Homes:   fr.Count(home.Homes[city.ID], fr.T.Common.Homes),
			Map:     fr.URL(districtsPath(*city)),
			Slug:    city.Slug,
		})
		if median := home.PerM2[city.ID]; median > 0 {
			view.CityTiles[i].PerM2 = fr.T.Home.PerM2.With("price", fr.PerM2(median, city.Currency))
		}
	}
	for i := range home.Latest {
		card := &home.Latest[i]
		city := byID[card.CityID]
		view.Latest[i] = cardView(fr, card, city, now)
		view.Latest[i].Where = fr.name(city.Name) + ", " + view.Latest[i].Where
	}
	return view
}

func cardView(fr frame, c *models.Card, city *models.City, now time.Time) templates.Card {
	view := templates.Card{
		ID:         strconv.FormatInt(c.ID, 10),
		URL:        fr.URL(apartmentPath(c.ID)),
		Picture:    pictureURL(c),
		New:        now.Sub(c.ListedAt) < newFor,
		Price:      fr.Money(c.Price, city.Currency),
		PricePerM2: fr.PerM2(c.PricePerM2, city.Currency),
		Facts:      facts(fr, c),
		Where:      fr.T.Card.Where.With("address", c.Address, "minutes", strconv.Itoa(int(c.MetroMinutes))),
		Since:      since(fr, c, now),
	}
	view.Title, view.Headline = titles(fr, c, city)
	view.OldPrice, view.Dropped = dropped(fr, c, city.Currency)
	return view
}

// since writes "Listed 3 days ago · changed today".
func since(fr frame, c *models.Card, now time.Time) string {
	listed := fr.Listed(c.ListedAt, now)
	if c.UpdatedAt.Sub(c.ListedAt) < time.Hour {
		return listed
	}
	return listed + " · " + fr.Changed(c.UpdatedAt, now)
}

// titles returns the heading of a home and, where that is not what the seller wrote, the seller's. Homes are advertised
// in English; in other languages facts make the heading.
func titles(fr frame, c *models.Card, city *models.City) (heading, headline string) {
	if fr.Locale == locale.English {
		return c.Title, ""
	}
	heading = fr.T.Common.Kinds[min(c.Rooms, models.MaxRooms)]
	if d := districtOf(c, city); d != nil {
		heading += ", " + fr.name(d.Name)
	}
	return heading, c.Title
}

// districtOf returns nil when the city's list is older than the home.
func districtOf(c *models.Card, city *models.City) *models.District {
	i := slices.IndexFunc(city.Districts, func(d models.District) bool { return d.ID == c.DistrictID })
	if i < 0 {
		return nil
	}
	return &city.Districts[i]
}

// dropped returns the old price and the change, empty unless the price fell.
func dropped(fr frame, c *models.Card, currency string) (oldPrice, percent string) {
	if c.OldPrice <= c.Price {
		return "", ""
	}
	return fr.Money(c.OldPrice, currency), fr.Change(c.OldPrice, c.Price)
}

// facts writes "2 rooms · 54.5 m² · floor 3 of 9".
func facts(fr frame, c *models.Card) string {
	return fr.T.Card.Facts.With(
		"rooms", fr.T.Common.Rooms[min(c.Rooms, models.MaxRooms)],
		"area", fr.Decimal(c.Area),
		"floor", strconv.Itoa(int(c.Floor)),
		"floors", strconv.Itoa(int(c.Floors)))
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
