// The visitor's own page: the shortlist, the homes looked at last, and the hidden ones.

package handlers

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/errgroup"

	"podbor/models"
	"podbor/templates"
)

func (s *site) favourites(c echo.Context) error {
	ctx := c.Request().Context()
	m := readMine(c)
	cities, err := s.store.Cities(ctx)
	var homes map[int64]models.Detail
	if err == nil {
		var unknown []int64
		homes, unknown, err = s.homes(ctx, slices.Concat(m.saved, m.seen, m.hidden))
		if m.forget(unknown) {
			m.write(c)
		}
	}
	fr, now := s.frame(c), time.Now()
	t := &fr.T.Mine
	others := slices.DeleteFunc(slices.Clone(m.seen), func(id int64) bool {
		return slices.Contains(m.saved, id) || slices.Contains(m.hidden, id)
	})
	view := templates.Favourites{
		Layout: fr.layout("/favourites", cities, 0),
		Empty:  len(m.saved) == 0,
		Saved:  kept(fr, cities, homes, m.saved, now),
		Seen:   kept(fr, cities, homes, others, now),
		Hidden: kept(fr, cities, homes, m.hidden, now),
	}
	view.Title, view.NoIndex = t.Title, true
	view.Compare = fr.URL("/compare")
	_, view.Notice = fresh(fr, models.Lookups(ctx), now)
	switch {
	case err != nil:
		s.log.LogAttrs(ctx, slogWarn, "homes cannot be looked up", errAttr(err))
		view.Notice = t.Missing
	case c.QueryParam("full") != "":
		view.Notice = fr.Count(mostSaved, t.Full)
	}
	return s.render(c, http.StatusOK, templates.FavouritesPage(view))
}

// atOnce bounds how many homes one request looks up at the same time.
const atOnce = 4

// homes looks up homes by id, tells which do not exist, and has an error when some cannot be had just now.
func (s *site) homes(ctx context.Context, ids []int64) (homes map[int64]models.Detail, unknown []int64, failed error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	details, errs := make([]models.Detail, len(ids)), make([]error, len(ids))
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i, id := range ids {
		group.Go(func() error {
			details[i], errs[i] = s.store.Apartment(ctx, id)
			return nil
		})
	}
	_ = group.Wait() // errs has them
	homes = map[int64]models.Detail{}
	for i, id := range ids {
		switch {
		case errs[i] == nil:
			homes[id] = details[i]
		case errors.Is(errs[i], models.ErrNotFound):
			unknown = append(unknown, id)
		default:
			failed = errs[i] // one of them tells enough
		}
	}
	return homes, unknown, failed
}

// kept makes cards of the homes with the given ids, in that order.
func kept(fr frame, cities []models.City, homes map[int64]models.Detail, ids []int64, now time.Time) []templates.Card {
	var cards []templates.Card
	for _, id := range ids {
		home, ok := homes[id]
		i := slices.IndexFunc(cities, func(city models.City) bool { return city.ID == home.CityID })
		if !ok || i < 0 {
			continue
		}
		card := cardView(fr, &home.Card, &cities[i], now)
		card.Where = fr.name(cities[i].Name) + ", " + card.Where
		card.Withdrawn = home.Status == models.Withdrawn
		cards = append(cards, card)
	}
	return cards
}
