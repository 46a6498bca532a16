// The view of a listing: results, market figures and pages. Filters and chips are in filters_view.go.

package handlers

import (
	"strconv"
	"time"

	"podbor/models"
	"podbor/templates"
)

func listingView(cities []models.City, city models.City, f models.Filter, facets models.Facets, cards []models.Card, now time.Time) templates.Listing {
	total := count(facets.Total, "home", "homes")
	view := templates.Listing{
		Layout: templates.Layout{
			Title:       "Apartments in " + city.Name.EN,
			Description: total + " for sale in " + city.Name.EN + ".",
			Canonical:   listingURL(city, f),
			Cities:      cityLinks(cities, city.ID),
		},
		Heading: "Apartments in " + city.Name.EN,
		Total:   total,
		TotalN:  strconv.Itoa(facets.Total),
		Shown:   shown(f.Page, len(cards), facets.Total),
		Filters: filtersView(city, f, facets),
		Chips:   chips(city, f),
		Clear:   listingURL(city, models.Filter{Sort: f.Sort}),
		Market:  market(facets.PricePerM2, city.Currency),
		Cards:   make([]templates.Card, len(cards)),
		Pages:   pageLinks(city, f, lastPage(facets.Total)),
	}
	if f.Page > 1 {
		view.Title += ", page " + strconv.Itoa(f.Page)
	}
	for i := range cards {
		view.Cards[i] = cardView(&cards[i], city.Currency, now)
	}
	return view
}

// shown writes "25–48 of 1,234"; nothing when the page holds all there is.
func shown(page, onPage, total int) string {
	if onPage == 0 || onPage == total {
		return ""
	}
	first := (page-1)*models.PageSize + 1
	return "Showing " + number(int64(first)) + "–" + number(int64(first+onPage-1)) + " of " + number(int64(total))
}

func market(p models.Percentiles, currency string) []templates.Fact {
	return []templates.Fact{
		{Name: "Cheapest tenth below", Value: perM2(p.P10, currency)},
		{Name: "Median price", Value: perM2(p.P50, currency)},
		{Name: "Dearest tenth above", Value: perM2(p.P90, currency)},
	}
}

// pageLinks returns the way to the neighbours, the first and the last page, and those around the present one.
func pageLinks(city models.City, f models.Filter, last int) []templates.PageLink {
	if last == 1 {
		return nil
	}
	current := f.Page
	at := func(page int) string {
		f.Page = page
		return listingURL(city, f)
	}
	var links []templates.PageLink
	if current > 1 {
		links = append(links, templates.PageLink{URL: at(current - 1), Text: "Previous", Rel: "prev"})
	}
	for page := 1; page <= last; page++ {
		text := strconv.Itoa(page)
		switch distance := max(page-current, current-page); {
		case page == current:
			links = append(links, templates.PageLink{Text: text, Current: true})
		case page == 1 || page == last || distance <= 1:
			links = append(links, templates.PageLink{URL: at(page), Text: text})
		case distance == 2:
			links = append(links, templates.PageLink{Text: "…"})
		}
	}
	if current < last {
		links = append(links, templates.PageLink{URL: at(current + 1), Text: "Next", Rel: "next"})
	}
	return links
}
