// The view of one apartment, with its price history as a chart and a table.

package handlers

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"podbor/models"
	"podbor/templates"
)

func apartmentView(fr frame, cities []models.City, city models.City, d models.Detail, now time.Time) templates.Apartment {
	t := &fr.T.Apartment
	view := templates.Apartment{
		Layout:     fr.layout(apartmentPath(d.ID), cities, city.ID),
		Crumbs:     []templates.Link{{URL: fr.URL("/" + city.Slug), Text: fr.name(city.Name)}},
		ID:         strconv.FormatInt(d.ID, 10),
		Ask:        fr.URL(enquiryPath(d.ID)),
		Photos:     photos(fr, &d),
		Price:      fr.Money(d.Price, city.Currency),
		PricePerM2: fr.PerM2(d.PricePerM2, city.Currency),
		Address:    d.Address,
		Since:      fr.Listed(d.ListedAt, now),
		SinceDate:  isoDate(d.ListedAt),
		Facts:      factsOf(fr, &d),
		Text:       d.Description,
		Chart:      chart(fr, d.History, city.Currency, now),
		History:    priceSteps(fr, d.History, city.Currency),
	}
	view.Script = "share.js"
	view.Mine += "?seen=" + view.ID
	view.Heading, view.Headline = titles(fr, &d.Card, &city)
	view.Title = view.Heading + ", " + d.Address
	view.Description = facts(fr, &d.Card) + ", " + view.Price + ", " + d.Address + ", " + fr.name(city.Name)
	view.Mail = "mailto:?subject=" + url.PathEscape(view.Title) + "&body=" + url.PathEscape(view.Canonical)
	view.Plan, view.PlanRooms = planOf(fr, &d)
	view.Data = structured(fr, &view, &d, city)
	view.OldPrice, view.Dropped = dropped(fr, &d.Card, city.Currency)
	for _, slug := range d.Amenities {
		view.Amenities = append(view.Amenities, fr.T.Common.Amenities[slug])
	}
	if district := districtOf(&d.Card, &city); district != nil {
		there := fr.URL(listingPath(city, models.Filter{Districts: []string{district.Slug}}))
		view.Crumbs = append(view.Crumbs, templates.Link{URL: there, Text: fr.name(district.Name)})
		view.Facts = append(view.Facts, templates.Fact{Name: t.District, Value: fr.name(district.Name)})
	}
	return view
}

func factsOf(fr frame, d *models.Detail) []templates.Fact {
	t := &fr.T.Apartment
	floor := t.FloorOf.With("floor", strconv.Itoa(int(d.Floor)), "floors", strconv.Itoa(int(d.Floors)))
	return []templates.Fact{
		{Name: t.Rooms, Value: roomsShort(fr, min(int(d.Rooms), models.MaxRooms))},
		{Name: t.Area, Value: area(fr, d.Area)},
		{Name: t.Floor, Value: floor},
		{Name: t.Built, Value: strconv.Itoa(int(d.YearBuilt))},
		{Name: t.Metro, Value: d.Metro},
		{Name: t.Walk, Value: fr.T.Common.Minutes.With("n", strconv.Itoa(int(d.MetroMinutes)))},
	}
}

func area(fr frame, m2 float64) string { return fr.T.Common.Area.With("area", fr.Decimal(m2)) }

// priceSteps lists a history, newest first.
func priceSteps(fr frame, history []models.PricePoint, currency string) []templates.PriceStep {
	steps := make([]templates.PriceStep, 0, len(history))
	for i, p := range slices.Backward(history) {
		step := templates.PriceStep{Date: fr.Date(p.At), DateISO: isoDate(p.At), Price: fr.Money(p.Price, currency)}
		if i > 0 && history[i-1].Price > 0 {
			step.Change = fr.Change(history[i-1].Price, p.Price)
		}
		steps = append(steps, step)
	}
	return steps
}

const chartWidth, chartHeight, chartMargin = 400, 112, 12

// chart draws a history as steps from its first day until now. The lowest price is drawn above the ground line, because
// the axis does not begin at zero; the table beside it has the figures.
func chart(fr frame, history []models.PricePoint, currency string, now time.Time) templates.Chart {
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
		Summary: fr.T.Apartment.Summary.With(
			"changes", fr.Count(len(history)-1, fr.T.Apartment.Changes),
			"low", fr.Money(low, currency), "high", fr.Money(high, currency)),
		High: fr.ShortMoney(high, currency),
		Low:  fr.ShortMoney(low, currency),
		From: fr.Date(first),
		To:   fr.Date(now),
		Line: string(line),
		Area: string(append(area, "H0z"...)),
	}
}

func appendPair(b []byte, command string, x, y int64) []byte {
	b = strconv.AppendInt(append(b, command...), x, 10)
	return strconv.AppendInt(append(b, ' '), y, 10)
}

func isoDate(t time.Time) string { return t.Format(time.DateOnly) }
