// Comparing homes side by side. The homes are in the URL, so the page can be sent to somebody else.

package handlers

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/models"
	"podbor/templates"
)

const fewestCompared, mostCompared = 2, 4

var errCompare = echo.NewHTTPError(http.StatusBadRequest, "not two to four homes")

func (s *site) compare(c echo.Context) error {
	ctx := c.Request().Context()
	ids, ok := compared(c.QueryParams()["ids"])
	if !ok {
		return errCompare
	}
	fr := s.frame(c)
	path := comparePath(ids)
	if _, query, _ := strings.Cut(path, "?"); c.QueryString() != query {
		return c.Redirect(http.StatusFound, fr.URL(path))
	}
	cities, err := s.store.Cities(ctx)
	if err != nil {
		return err
	}
	found, _, err := s.homes(ctx, ids)
	if err != nil {
		return err
	}
	var homes []models.Detail
	for _, id := range ids {
		if home, ok := found[id]; ok && home.Status == models.Published {
			homes = append(homes, home)
		}
	}
	now := time.Now()
	var view templates.Compare
	if len(homes) > 0 {
		view = compareView(fr, cities, homes, now)
	}
	view.Layout = fr.layout(path, cities, 0)
	view.Title, view.NoIndex = fr.T.Compare.Title, true
	if missing := len(ids) - len(homes); missing > 0 {
		view.Missing = fr.Count(missing, fr.T.Compare.Missing)
	}
	_, view.Notice = fresh(fr, models.Lookups(ctx), now)
	return s.renderShared(c, shareApartment, templates.ComparePage(view))
}

// compared reads the ids, which come one by one from the form, and in one value in the URL to be shared.
func compared(values []string) (ids []int64, ok bool) {
	for part := range strings.SplitSeq(strings.Join(values, ","), ",") {
		id, ok := parseID(part)
		if !ok || len(ids) > mostCompared {
			return nil, false
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, fewestCompared <= len(ids) && len(ids) <= mostCompared
}

func comparePath(ids []int64) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return "/compare?ids=" + strings.Join(texts, ",")
}

func compareView(fr frame, cities []models.City, homes []models.Detail, now time.Time) (view templates.Compare) {
	t := &fr.T.Apartment
	city := func(h *models.Detail) *models.City {
		i := slices.IndexFunc(cities, func(city models.City) bool { return city.ID == h.CityID })
		return &cities[max(i, 0)] // a home has a city; the list may be older than the city
	}
	money := true // whether prices can be compared
	for i := range homes {
		h := &homes[i]
		view.Homes = append(view.Homes, cardView(fr, &h.Card, city(h), now))
		money = money && city(h).Currency == city(&homes[0]).Currency
	}
	row := func(name string, text func(h *models.Detail) string) *templates.CompareRow {
		r := templates.CompareRow{Name: name}
		for i := range homes {
			r.Cells = append(r.Cells, templates.CompareCell{Text: text(&homes[i])})
		}
		view.Rows = append(view.Rows, r)
		return &view.Rows[len(view.Rows)-1]
	}
	best := func(r *templates.CompareRow, mark string, worth func(h *models.Detail) float64) {
		for i, is := range highest(homes, worth) {
			if is {
				r.Cells[i].Best = mark
			}
		}
	}

	price := row(t.Price, func(h *models.Detail) string { return fr.Money(h.Price, city(h).Currency) })
	if money {
		best(price, fr.T.Compare.Lowest, func(h *models.Detail) float64 { return -float64(h.Price) })
	}
	perM2 := row(fr.T.Compare.PerM2, func(h *models.Detail) string { return fr.PerM2(h.PricePerM2, city(h).Currency) })
	if money {
		best(perM2, fr.T.Compare.Lowest, func(h *models.Detail) float64 { return -float64(h.PricePerM2) })
	}
	row(t.History, func(h *models.Detail) string {
		text := fr.Count(max(len(h.History)-1, 0), t.Changes)
		if len(h.History) > 1 && h.History[0].Price > 0 {
			text += ", " + fr.Change(h.History[0].Price, h.Price)
		}
		return text
	})
	row(t.Rooms, func(h *models.Detail) string { return roomsShort(fr, min(int(h.Rooms), models.MaxRooms)) })
	best(row(t.Area, func(h *models.Detail) string { return area(fr, h.Area) }),
		fr.T.Compare.Largest, func(h *models.Detail) float64 { return h.Area })
	row(t.Floor, func(h *models.Detail) string {
		return t.FloorOf.With("floor", strconv.Itoa(int(h.Floor)), "floors", strconv.Itoa(int(h.Floors)))
	})
	best(row(t.Built, func(h *models.Detail) string { return strconv.Itoa(int(h.YearBuilt)) }),
		fr.T.Compare.Newest, func(h *models.Detail) float64 { return float64(h.YearBuilt) })
	row(t.Metro, func(h *models.Detail) string { return h.Metro })
	best(row(t.Walk, func(h *models.Detail) string { return fr.T.Common.Minutes.With("n", strconv.Itoa(int(h.MetroMinutes))) }),
		fr.T.Compare.Shortest, func(h *models.Detail) float64 { return -float64(h.MetroMinutes) })
	row(t.District, func(h *models.Detail) string {
		name := fr.name(city(h).Name)
		if d := districtOf(&h.Card, city(h)); d != nil {
			name = fr.name(d.Name) + ", " + name
		}
		return name
	})
	row(t.Amenities, func(h *models.Detail) string {
		names := make([]string, len(h.Amenities))
		for i, slug := range h.Amenities {
			names[i] = fr.T.Common.Amenities[slug]
		}
		return strings.Join(names, ", ")
	})
	return view
}

// highest tells which homes are worth most; none if all are worth the same.
func highest(homes []models.Detail, worth func(h *models.Detail) float64) []bool {
	worths := make([]float64, len(homes))
	for i := range homes {
		worths[i] = worth(&homes[i])
	}
	top, is := slices.Max(worths), make([]bool, len(homes))
	if slices.Min(worths) == top {
		return is
	}
	for i, w := range worths {
		is[i] = w == top
	}
	return is
}
