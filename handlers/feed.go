// The Atom feed of a search: its newest homes, for those who want to hear of the next one without an account.

package handlers

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/locale"
	"podbor/models"
)

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Author  string      `xml:"author>name"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID        string   `xml:"id"`
	Title     string   `xml:"title"`
	Link      atomLink `xml:"link"`
	Published string   `xml:"published"`
	Updated   string   `xml:"updated"`
	Summary   string   `xml:"summary"`
}

func (s *site) feed(c echo.Context) error {
	ctx := c.Request().Context()
	_, city, err := s.cityBySlug(ctx, c.Param("city"))
	if err != nil {
		return err
	}
	filter, err := models.ParseFilter(c.QueryParams(), city)
	if err != nil {
		return err
	}
	fr := s.frame(c)
	filter.Sort, filter.Page = models.Newest, 1
	if c.QueryString() != filter.Encode() {
		return c.Redirect(http.StatusFound, fr.URL(feedPath(city, filter)))
	}
	// The first page of the list: the feed shares its cache key.
	cards, err := s.store.List(ctx, city, filter)
	if err != nil {
		return err
	}
	body, err := xml.Marshal(feedOf(fr, city, filter, cards))
	if err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	return s.sendShared(c, shareFeed, "application/atom+xml; charset=utf-8", append([]byte(xml.Header), body...))
}

func feedPath(city models.City, f models.Filter) string {
	f.Sort, f.Page = models.Newest, 1
	path := "/" + city.Slug + "/feed.atom"
	if query := f.Encode(); query != "" {
		path += "?" + query
	}
	return path
}

// feedOf makes the feed of a list. Ids are the English URLs: a home stays the same one in every language.
func feedOf(fr frame, city models.City, f models.Filter, cards []models.Card) atomFeed {
	const page = "text/html"
	feed := atomFeed{
		Lang:    fr.Tag,
		ID:      fr.base + locale.English.URL(feedPath(city, f)),
		Title:   fr.T.Listing.Feed.With("title", fr.T.Listing.Title.With("city", fr.name(city.Name))),
		Updated: time.Unix(0, 0).UTC().Format(time.RFC3339), // of a feed that has no entry yet
		Links: []atomLink{
			{"self", "application/atom+xml", fr.base + fr.URL(feedPath(city, f))},
			{"alternate", page, fr.base + fr.URL(listingPath(city, f))},
		},
		Author: "podbor",
	}
	var newest time.Time
	for i := range cards {
		card := &cards[i]
		path := apartmentPath(card.ID)
		title, _ := titles(fr, card, &city)
		feed.Entries = append(feed.Entries, atomEntry{
			ID:        fr.base + locale.English.URL(path),
			Title:     title + ", " + fr.Money(card.Price, city.Currency),
			Link:      atomLink{"alternate", page, fr.base + fr.URL(path)},
			Published: card.ListedAt.UTC().Format(time.RFC3339),
			Updated:   card.UpdatedAt.UTC().Format(time.RFC3339),
			Summary: facts(fr, card) + " · " + fr.PerM2(card.PricePerM2, city.Currency) + " · " +
				fr.T.Card.Where.With("address", card.Address, "minutes", fr.Number(int64(card.MetroMinutes))),
		})
		if card.UpdatedAt.After(newest) {
			newest = card.UpdatedAt
			feed.Updated = newest.UTC().Format(time.RFC3339)
		}
	}
	return feed
}
