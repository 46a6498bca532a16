// The editors' lists: apartments, what visitors ask, and who has changed what.

package handlers

import (
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/locale"
	"podbor/models"
	"podbor/templates"
)

// mostDeskPages bounds how far back one can page; older things are found by searching.
const mostDeskPages = 100

func (s *site) adminHome(c echo.Context) error {
	edits, _, err := s.stored.EditLog(c.Request().Context(), 0, 1)
	if err != nil {
		return err
	}
	edits = edits[:min(len(edits), 5)]
	return s.render(c, http.StatusOK, templates.AdminHomePage(templates.AdminHome{
		AdminFrame: s.adminFrame(c, "Start"), Edits: editRows(edits),
	}))
}

func (s *site) desk(c echo.Context) error {
	ctx := c.Request().Context()
	cities, err := s.store.Cities(ctx)
	if err != nil {
		return err
	}
	search := models.DeskSearch{Text: searchText(c.QueryParam("q")), Page: deskPage(c)}
	byID := map[int16]models.City{}
	choices := []templates.Choice{{Text: "All"}}
	for _, city := range cities {
		byID[city.ID] = city
		chosen := city.Slug == c.QueryParam("city")
		if chosen {
			search.City = city.ID
		}
		choices = append(choices, templates.Choice{Value: city.Slug, Text: city.Name.EN, Selected: chosen})
	}
	statuses := []templates.Choice{{Text: "All"}, {Value: string(models.Published), Text: "Published"}, {Value: string(models.Withdrawn), Text: "Withdrawn"}}
	for i := range statuses {
		if statuses[i].Value == c.QueryParam("status") {
			statuses[i].Selected, search.Status = true, models.Status(statuses[i].Value)
		}
	}
	rows, more, err := s.stored.Desk(ctx, search)
	if err != nil {
		return err
	}
	view := templates.AdminList{
		AdminFrame: s.adminFrame(c, "Apartments"), Query: search.Text, Cities: choices, Statuses: statuses,
		Pages: deskPages(c, search.Page, more),
	}
	for _, r := range rows {
		row := templates.AdminRow{
			ID: strconv.FormatInt(r.ID, 10), URL: adminURL(r.ID), Title: r.Title, Price: locale.English.Money(r.Price, byID[r.CityID].Currency),
			Where: byID[r.CityID].Name.EN + ", " + r.Address, Status: "Published",
		}
		if r.Status == models.Withdrawn {
			row.Status, row.Withdrawn = "Withdrawn", true
		}
		view.Rows = append(view.Rows, row)
	}
	return s.render(c, http.StatusOK, templates.AdminListPage(view))
}

func (s *site) editLog(c echo.Context) error {
	heading, apartment := "Edits", int64(0)
	if id, ok := parseID(c.QueryParam("apartment")); ok {
		heading, apartment = "Edits of apartment "+strconv.FormatInt(id, 10), id
	}
	page := deskPage(c)
	edits, more, err := s.stored.EditLog(c.Request().Context(), apartment, page)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, templates.AdminLogPage(templates.AdminLog{
		AdminFrame: s.adminFrame(c, heading), Heading: heading, Edits: editRows(edits), Pages: deskPages(c, page, more),
	}))
}

func (s *site) enquiries(c echo.Context) error {
	page := deskPage(c)
	rows, more, err := s.stored.Enquiries(c.Request().Context(), page)
	if err != nil {
		return err
	}
	view := templates.AdminEnquiries{AdminFrame: s.adminFrame(c, "Enquiries"), Pages: deskPages(c, page, more)}
	for _, e := range rows {
		view.Enquiries = append(view.Enquiries, templates.AdminEnquiry{
			When: e.CreatedAt.UTC().Format(toTheSecond), WhenISO: e.CreatedAt.UTC().Format(time.RFC3339),
			Name: e.Name, Contact: e.Contact, Message: e.Message,
			What: "Apartment " + strconv.FormatInt(e.ApartmentID, 10), URL: adminURL(e.ApartmentID),
		})
	}
	return s.render(c, http.StatusOK, templates.AdminEnquiriesPage(view))
}

// toTheSecond is how the editors' lists write a time.
const toTheSecond = "2 Jan 2006, 15:04:05 UTC"

func editRows(edits []models.LogEntry) []templates.AdminEditRow {
	rows := make([]templates.AdminEditRow, 0, len(edits))
	for _, e := range edits {
		row := templates.AdminEditRow{
			When: e.At.UTC().Format(toTheSecond), WhenISO: e.At.UTC().Format(time.RFC3339),
			Editor: e.Editor, What: "Apartment " + strconv.FormatInt(e.ApartmentID, 10), URL: adminURL(e.ApartmentID),
		}
		for _, name := range slices.Sorted(maps.Keys(e.After)) {
			change := templates.AdminChange{Name: name, After: short(e.After[name])}
			if before, changed := e.Before[name]; changed {
				change.Before = short(before)
			}
			row.Changes = append(row.Changes, change)
		}
		rows = append(rows, row)
	}
	return rows
}

// short shows a value of the log in one line. The whole is in the table edit_log.
func short(value any) string {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case float64: // what JSON has for every number
		text = strconv.FormatFloat(v, 'f', -1, 64)
		if v == math.Trunc(v) {
			text = locale.English.Number(int64(v))
		}
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = short(v[i])
		}
		text = strings.Join(words, ", ")
	default:
		text = "none"
	}
	const most = 160
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// searchText bounds what is searched for; PostgreSQL takes no NUL and no broken UTF-8.
func searchText(typed string) string {
	text := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(typed, ""), "\x00", ""))
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

func deskPage(c echo.Context) int {
	page, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil {
		return 1
	}
	return min(max(page, 1), mostDeskPages)
}

// deskPages leads to the pages beside the given one, with the same search.
func deskPages(c echo.Context, page int, more bool) templates.AdminPages {
	at := func(page int) string {
		query := url.Values{"page": {strconv.Itoa(page)}}
		for _, name := range []string{"q", "city", "status", "apartment"} {
			if value := c.QueryParam(name); value != "" {
				query.Set(name, value)
			}
		}
		return c.Request().URL.Path + "?" + query.Encode()
	}
	pages := templates.AdminPages{Here: "Page " + strconv.Itoa(page)}
	if page > 1 {
		pages.Previous = at(page - 1)
	}
	if more && page < mostDeskPages {
		pages.Next = at(page + 1)
	}
	return pages
}
