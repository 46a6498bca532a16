// A home as search engines read it: the offer of an apartment in the words of schema.org.

package handlers

import (
	"podbor/models"
	"podbor/templates"
)

type offer struct {
	Context      string   `json:"@context"`
	Type         string   `json:"@type"`
	URL          string   `json:"url"`
	Price        int64    `json:"price"`
	Currency     string   `json:"priceCurrency"`
	Availability string   `json:"availability"`
	Item         dwelling `json:"itemOffered"`
}

type dwelling struct {
	Type        string   `json:"@type"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Image       string   `json:"image"`
	Rooms       int16    `json:"numberOfRooms"`
	Floor       int16    `json:"floorLevel"`
	Year        int16    `json:"yearBuilt"`
	Size        quantity `json:"floorSize"`
	Address     place    `json:"address"`
}

type quantity struct {
	Type  string  `json:"@type"`
	Value float64 `json:"value"`
	Unit  string  `json:"unitCode"`
}

type place struct {
	Type     string `json:"@type"`
	Street   string `json:"streetAddress"`
	Locality string `json:"addressLocality"`
}

// structured says what the page says. In schema.org a studio is one room.
func structured(fr frame, page *templates.Apartment, d *models.Detail, city models.City) any {
	return offer{
		Context: "https://schema.org", Type: "Offer", URL: page.Canonical,
		Price: d.Price, Currency: city.Currency, Availability: "https://schema.org/InStock",
		Item: dwelling{
			Type: "Apartment", Name: page.Heading, Description: d.Description, Image: fr.base + page.Photos[0].URL,
			Rooms: max(d.Rooms, 1), Floor: d.Floor, Year: d.YearBuilt,
			Size:    quantity{Type: "QuantitativeValue", Value: d.Area, Unit: "MTK"}, // UN/CEFACT's square metre
			Address: place{Type: "PostalAddress", Street: d.Address, Locality: fr.name(city.Name)},
		},
	}
}
