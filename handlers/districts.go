// The districts of a city: a map with the number of homes, and what they cost. All of it is in the counts that the
// listing without filters needs too.

package handlers

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"podbor/models"
	"podbor/templates"
)

func districtsPath(city models.City) string { return "/" + city.Slug + "/districts" }

func (s *site) districts(c echo.Context) error {
	ctx := c.Request().Context()
	cities, city, err := s.cityBySlug(ctx, c.Param("city"))
	if err != nil {
		return err
	}
	facets, err := s.store.Facets(ctx, city, models.Filter{})
	if err != nil {
		return err
	}
	fr := s.frame(c)
	return s.renderKept(c, fr.base+fr.URL(districtsPath(city)), shareListing, func() templ.Component {
		view := districtsView(fr, cities, city, facets)
		_, view.Notice = fresh(fr, models.Lookups(ctx), time.Now())
		return templates.DistrictsPage(view)
	})
}

func districtsView(fr frame, cities []models.City, city models.City, facets models.Facets) templates.Districts {
	t := &fr.T.Districts
	view := templates.Districts{
		Layout: fr.layout(districtsPath(city), cities, city.ID),
		Crumbs: []templates.Link{{URL: fr.URL("/" + city.Slug), Text: fr.name(city.Name)}},
	}
	view.Title = t.Title.With("city", fr.name(city.Name))
	view.Description = t.Description.With("city", fr.name(city.Name))
	shapes, shades := districtShapes(city.Districts), shadesOf(facets.ByDistrict)
	for i, d := range city.Districts {
		p := facets.ByDistrict[d.ID]
		price := func(amount int64, write func(int64, string) string) string {
			if facets.Districts[d.ID] == 0 {
				return "–"
			}
			return write(amount, city.Currency)
		}
		view.Districts = append(view.Districts, templates.District{
			URL:   fr.URL(listingPath(city, models.Filter{Districts: []string{d.Slug}})),
			Name:  fr.name(d.Name),
			Homes: fr.Count(facets.Districts[d.ID], fr.T.Common.Homes),
			Count: fr.Number(int64(facets.Districts[d.ID])),
			P10:   price(p.P10, fr.Money), P50: price(p.P50, fr.Money), P90: price(p.P90, fr.Money), PerM2: price(p.P50, fr.PerM2),
			Shade: "shade-" + strconv.Itoa(shades[d.ID]),
			Shape: shapes[i].path(), Label: shapes[i].label(fr.name(d.Name)),
		})
	}
	return view
}

// shadesOf sorts districts by their median price into fifths, 0 the cheapest.
func shadesOf(prices map[int16]models.Percentiles) map[int16]int {
	ids := make([]int16, 0, len(prices))
	for id := range prices {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int16) int { return cmp.Or(cmp.Compare(prices[a].P50, prices[b].P50), cmp.Compare(a, b)) })
	shades := map[int16]int{}
	for i, id := range ids {
		shades[id] = i * 5 / len(ids)
	}
	return shades
}
