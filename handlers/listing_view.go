// The view of a listing: results, market figures and pages. Filters and chips are in filters_view.go.

package handlers

import (
	"strconv"
	"time"

	"podbor/models"
	"podbor/templates"
)

func listingView(fr frame, cities []models.City, city models.City, f models.Filter, facets models.Facets, cards []models.Card, now time.Time) templates.Listing {
	t, name := &fr.T.Listing, fr.name(city.Name)
	view := templates.Listing{
		Layout:  fr.layout(listingPath(city, f), cities, city.ID),
		Map:     fr.URL(districtsPath(city)),
		Heading: t.Title.With("city", name),
		Total:   fr.Count(facets.Total, fr.T.Common.Homes),
		TotalN:  strconv.Itoa(facets.Total),
		Shown:   shown(fr, f.Page, len(cards), facets.Total),
		Filters: filtersView(fr, city, f, facets),
		Chips:   chips(fr, city, f),
		Clear:   fr.URL(listingPath(city, models.Filter{Sort: f.Sort})),
		Market:  market(fr, facets.PricePerM2, city.Currency),
		Cards:   grouped(fr, &city, cards, now),
		Pages:   pageLinks(fr, city, f, lastPage(facets.Total)),
	}
	view.Title = view.Heading
	if f.Page > 1 {
		view.Title = t.TitleOfPage.With("title", view.Heading, "page", strconv.Itoa(f.Page))
	}
	view.Description = t.Description.With("homes", view.Total, "city", name)
	view.NoIndex = len(inUse(f)) > 1 || f.Sort != models.Newest
	view.Feed = templates.Link{URL: fr.URL(feedPath(city, f)), Text: t.Feed.With("title", view.Heading)}
	view.Script = "listing.js"
	for _, link := range view.Pages {
		switch link.Rel {
		case "prev":
			view.Prev = fr.base + link.URL
		case "next":
			view.Next = fr.base + link.URL
		}
	}
	return view
}

// grouped makes cards of a page. Homes in one building share the card of the first of them: to a visitor they are one
// place. They stay on the page that they are on, so that each home is on exactly one.
func grouped(fr frame, city *models.City, cards []models.Card, now time.Time) []templates.Card {
	views := make([]templates.Card, 0, len(cards))
	at := make(map[int32]int, len(cards))
	for i := range cards {
		c := &cards[i]
		first, known := at[c.BuildingID]
		if !known {
			at[c.BuildingID] = len(views)
			views = append(views, cardView(fr, c, city, now))
			continue
		}
		name, _ := titles(fr, c, city)
		view := &views[first]
		view.Others = append(view.Others, templates.Other{
			ID: strconv.FormatInt(c.ID, 10), URL: fr.URL(apartmentPath(c.ID)),
			Name: name, Facts: facts(fr, c), Price: fr.Money(c.Price, city.Currency),
		})
		view.Same = fr.Count(len(view.Others), fr.T.Card.InBuilding)
	}
	return views
}

// shown writes "25–48 of 1,234"; nothing when the page holds all there is.
func shown(fr frame, page, onPage, total int) string {
	if onPage == 0 || onPage == total {
		return ""
	}
	first := (page-1)*models.PageSize + 1
	return fr.T.Listing.Shown.With(
		"first", fr.Number(int64(first)), "last", fr.Number(int64(first+onPage-1)), "total", fr.Number(int64(total)))
}

func market(fr frame, p models.Percentiles, currency string) []templates.Fact {
	return []templates.Fact{
		{Name: fr.T.Listing.Cheap, Value: fr.PerM2(p.P10, currency)},
		{Name: fr.T.Listing.Median, Value: fr.PerM2(p.P50, currency)},
		{Name: fr.T.Listing.Dear, Value: fr.PerM2(p.P90, currency)},
	}
}

// pageLinks returns the way to the neighbours, the first and the last page, and those around the present one.
func pageLinks(fr frame, city models.City, f models.Filter, last int) []templates.PageLink {
	if last == 1 {
		return nil
	}
	current := f.Page
	at := func(page int) string {
		f.Page = page
		return fr.URL(listingPath(city, f))
	}
	label := func(page string) string { return fr.T.Listing.Page.With("page", page) }
	var links []templates.PageLink
	if current > 1 {
		links = append(links, templates.PageLink{URL: at(current - 1), Text: fr.T.Listing.Back, Rel: "prev"})
	}
	for page := 1; page <= last; page++ {
		text := strconv.Itoa(page)
		switch distance := max(page-current, current-page); {
		case page == current:
			links = append(links, templates.PageLink{Text: text, Label: label(text), Current: true})
		case page == 1 || page == last || distance <= 1:
			links = append(links, templates.PageLink{URL: at(page), Text: text, Label: label(text)})
		case distance == 2:
			links = append(links, templates.PageLink{Text: "…"})
		}
	}
	if current < last {
		links = append(links, templates.PageLink{URL: at(current + 1), Text: fr.T.Listing.On, Rel: "next"})
	}
	return links
}
