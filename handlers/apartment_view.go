// The view of one apartment, with its price history as a chart and a table.

package handlers

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"podbor/models"
	"podbor/templates"
)

func apartmentView(cities []models.City, city models.City, d models.Detail, now time.Time) templates.Apartment {
	view := templates.Apartment{
		Layout: templates.Layout{
			Title:       d.Title + ", " + d.Address,
			Description: facts(&d.Card) + ", " + money(d.Price, city.Currency) + ", " + d.Address + ", " + city.Name.EN + ".",
			Canonical:   apartmentURL(d.ID),
			Cities:      cityLinks(cities, city.ID),
		},
		Crumbs:      []templates.Link{{URL: "/" + city.Slug, Text: city.Name.EN}},
		ID:          strconv.FormatInt(d.ID, 10),
		Picture:     pictureURL(&d.Card),
		Title:       d.Title,
		Price:       money(d.Price, city.Currency),
		PricePerM2:  perM2(d.PricePerM2, city.Currency),
		Address:     d.Address,
		Since:       listed(d.ListedAt, now),
		SinceDate:   isoDate(d.ListedAt),
		Description: d.Description,
		Chart:       chart(d.History, city.Currency, now),
		History:     priceSteps(d.History, city.Currency),
	}
	view.OldPrice, view.Dropped = dropped(&d.Card, city.Currency)
	for _, slug := range d.Amenities {
		view.Amenities = append(view.Amenities, amenityName(slug))
	}
	view.Facts = []templates.Fact{
		{Name: "Rooms", Value: roomsShort(min(int(d.Rooms), models.MaxRooms))},
		{Name: "Area", Value: decimal(d.Area) + " m²"},
		{Name: "Floor", Value: strconv.Itoa(int(d.Floor)) + " of " + strconv.Itoa(int(d.Floors))},
		{Name: "Built", Value: strconv.Itoa(int(d.YearBuilt))},
		{Name: "Metro", Value: d.Metro},
		{Name: "Walk to it", Value: strconv.Itoa(int(d.MetroMinutes)) + " min"},
	}
	i := slices.IndexFunc(city.Districts, func(x models.District) bool { return x.ID == d.DistrictID })
	if i >= 0 {
		district := city.Districts[i]
		url := listingURL(city, models.Filter{Districts: []string{district.Slug}})
		view.Crumbs = append(view.Crumbs, templates.Link{URL: url, Text: district.Name.EN})
		view.Facts = append(view.Facts, templates.Fact{Name: "District", Value: district.Name.EN})
	}
	return view
}

// amenityName turns a slug into words: "air-conditioning" becomes "Air conditioning".
func amenityName(slug string) string {
	words := strings.ReplaceAll(slug, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// priceSteps lists a history, newest first.
func priceSteps(history []models.PricePoint, currency string) []templates.PriceStep {
	steps := make([]templates.PriceStep, 0, len(history))
	for i, p := range slices.Backward(history) {
		step := templates.PriceStep{Date: date(p.At), DateISO: isoDate(p.At), Price: money(p.Price, currency)}
		if i > 0 && history[i-1].Price > 0 {
			step.Change = change(history[i-1].Price, p.Price)
		}
		steps = append(steps, step)
	}
	return steps
}

const chartWidth, chartHeight, chartMargin = 400, 112, 12

// chart draws a history as steps from its first day until now. The lowest price is drawn above the ground line, because
// the axis does not begin at zero; the table beside it has the figures.
func chart(history []models.PricePoint, currency string, now time.Time) templates.Chart {
	if len(history) < 2 {
		return templates.Chart{}
	}
	byPrice := func(a, b models.PricePoint) int { return int(min(max(a.Price-b.Price, -1), 1)) }
	low, high := slices.MinFunc(history, byPrice).Price, slices.MaxFunc(history, byPrice).Price
	first, span := history[0].At, max(now.Sub(history[0].At), time.Hour)
	x := func(t time.Time) int64 { return int64(t.Sub(first)) * chartWidth / int64(span) }
	y := func(price int64) int64 {
		return chartMargin + (high-price)*(chartHeight-3*chartMargin)/max(high-low, 1)
	}

	line := appendPair(nil, "M", 0, y(history[0].Price))
	for _, p := range history[1:] {
		line = strconv.AppendInt(append(line, 'H'), x(p.At), 10)
		line = strconv.AppendInt(append(line, 'V'), y(p.Price), 10)
	}
	line = strconv.AppendInt(append(line, 'H'), chartWidth, 10)
	area := strconv.AppendInt(append(slices.Clone(line), 'V'), chartHeight, 10)
	return templates.Chart{
		Summary: "Price history: " + count(len(history)-1, "change", "changes") + ", between " +
			money(low, currency) + " and " + money(high, currency),
		Line: string(line),
		Area: string(append(area, "H0z"...)),
	}
}

func appendPair(b []byte, command string, x, y int64) []byte {
	b = strconv.AppendInt(append(b, command...), x, 10)
	return strconv.AppendInt(append(b, ' '), y, 10)
}
