// Editing an apartment. Two editors at once: the second is shown both versions, and decides.

package handlers

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"podbor/internal/visitor"
	"podbor/models"
	"podbor/templates"
)

// createdOnce is how long a form that makes an apartment makes it only once.
const createdOnce = time.Hour

// A form is the page of an apartment's form. The zero values of what follows values mean that all is well.
type form struct {
	stored   *models.Detail // nil for a new apartment
	values   url.Values     // as typed
	key      string         // of a new apartment
	notice   string
	wrong    mistakes
	conflict bool
}

func (s *site) editApartment(c echo.Context) error {
	stored, err := s.storedApartment(c)
	if err != nil {
		return err
	}
	notice := map[string]string{
		"saved": "Saved. Visitors see it now, from every process.", "created": "Made. Visitors see it now, from every process.",
		"unchanged": "Nothing was changed.",
	}[c.QueryParam("done")]
	return s.renderForm(c, http.StatusOK, form{stored: &stored, values: valuesOf(stored), notice: notice})
}

// storedApartment reads the apartment of the URL past the cache: an editor must see what is there.
func (s *site) storedApartment(c echo.Context) (models.Detail, error) {
	id, ok := parseID(c.Param("id"))
	if !ok {
		return models.Detail{}, models.ErrNotFound
	}
	return s.stored.Apartment(c.Request().Context(), id)
}

func (s *site) saveApartment(c echo.Context) error {
	ctx := c.Request().Context()
	stored, err := s.storedApartment(c)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	if name := values.Get("take"); name != "" { // one field of the stored version, in a conflict
		values[name] = valuesOf(stored)[name]
		return s.renderForm(c, http.StatusOK, form{stored: &stored, values: values, conflict: true})
	}
	draft, wrong, err := s.readDraft(ctx, values)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		return s.renderForm(c, http.StatusUnprocessableEntity, form{stored: &stored, values: values, wrong: wrong})
	}
	saved, err := s.update(c, stored.ID, values, func(d *models.Draft) {
		draft.Status = d.Status // has its own button
		*d = draft
	})
	switch {
	case errors.Is(err, models.ErrConflict):
		if stored, err = s.stored.Apartment(ctx, stored.ID); err != nil {
			return err
		}
		return s.renderForm(c, http.StatusConflict, form{stored: &stored, values: values, conflict: true})
	case err != nil:
		return err
	case saved.Version == stored.Version:
		return c.Redirect(http.StatusSeeOther, adminURL(stored.ID)+"?done=unchanged")
	}
	return c.Redirect(http.StatusSeeOther, adminURL(stored.ID)+"?done=saved")
}

// setStatus publishes or withdraws.
func (s *site) setStatus(c echo.Context) error {
	stored, err := s.storedApartment(c)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	status := models.Status(values.Get("status"))
	if status != models.Published && status != models.Withdrawn {
		return echo.NewHTTPError(http.StatusBadRequest, "unknown status")
	}
	_, err = s.update(c, stored.ID, values, func(d *models.Draft) { d.Status = status })
	if errors.Is(err, models.ErrConflict) {
		return s.renderForm(c, http.StatusConflict, form{stored: &stored, values: valuesOf(stored), conflict: true})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, adminURL(stored.ID)+"?done=saved")
}

// update edits the version that the form was made from.
func (s *site) update(c echo.Context, id int64, values url.Values, change func(*models.Draft)) (models.Detail, error) {
	version, err := strconv.ParseInt(values.Get("version"), 10, 32)
	if err != nil {
		return models.Detail{}, echo.NewHTTPError(http.StatusBadRequest, "the form has no version")
	}
	return s.store.UpdateApartment(c.Request().Context(), editorName(c), id, int32(version), change)
}

func (s *site) newApartment(c echo.Context) error {
	return s.renderForm(c, http.StatusOK, form{values: url.Values{"rooms": {"1"}}, key: rand.Text()})
}

func (s *site) createApartment(c echo.Context) error {
	ctx := c.Request().Context()
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	draft, wrong, err := s.readDraft(ctx, values)
	if err != nil {
		return err
	}
	key := values.Get("key")
	if len(wrong) > 0 || key == "" {
		return s.renderForm(c, http.StatusUnprocessableEntity, form{values: values, wrong: wrong, key: rand.Text()})
	}
	values.Del(csrfField)
	id, err := s.visitors.Once(ctx, createdOnce, "apartment "+key, values.Encode(), func(ctx context.Context) (string, error) {
		made, err := s.store.CreateApartment(ctx, editorName(c), draft)
		return strconv.FormatInt(made.ID, 10), err
	})
	if errors.Is(err, visitor.ErrReused) { // back, and on with another: a new form in all but its key
		return s.renderForm(c, http.StatusOK, form{
			values: values, key: rand.Text(),
			notice: "You have made an apartment with this form already. Press the button again if this is another one.",
		})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/apartments/"+id+"?done=created")
}

func (s *site) renderForm(c echo.Context, status int, f form) error {
	cities, err := s.store.Cities(c.Request().Context())
	if err != nil {
		return err
	}
	view := templates.AdminEdit{Heading: "New apartment", Action: "/admin/apartments", Save: "Publish", Notice: f.notice}
	var other url.Values
	if f.stored == nil {
		view.Hidden = []templates.Value{{Name: "key", Value: f.key}}
	} else {
		id := strconv.FormatInt(f.stored.ID, 10)
		view.Heading, view.Action, view.Save = "Apartment "+id, adminURL(f.stored.ID), "Save"
		view.Hidden = []templates.Value{{Name: "version", Value: strconv.Itoa(int(f.stored.Version))}}
		view.Published = published(*f.stored)
		if f.conflict {
			other = valuesOf(*f.stored)
		}
	}
	if len(f.wrong) > 0 {
		view.Mistakes = "This cannot be saved yet"
		if version := f.values.Get("version"); version != "" { // still of the version that was shown
			view.Hidden[0].Value = version
		}
	}
	view.Fields = formFields(cities, f.values, f.wrong, other)
	if f.conflict {
		view.Save, view.Conflict = "Save mine", "Yours is in the form, and theirs beside each field that differs. Take over what you want of it, then save; or drop yours."
	}
	view.AdminFrame = s.adminFrame(c, view.Heading)
	return s.render(c, status, templates.AdminEditPage(view))
}

func published(d models.Detail) *templates.AdminPublished {
	p := &templates.AdminPublished{
		Status: "Published", Action: adminURL(d.ID) + "/status", Value: string(models.Withdrawn), Button: "Withdraw",
		URL: apartmentPath(d.ID), LogURL: "/admin/log?apartment=" + strconv.FormatInt(d.ID, 10),
	}
	if d.Status == models.Withdrawn {
		p.Status, p.Withdrawn, p.Value, p.Button = "Withdrawn", true, string(models.Published), "Publish"
	}
	return p
}

func adminURL(id int64) string { return "/admin/apartments/" + strconv.FormatInt(id, 10) }

func editorName(c echo.Context) string {
	admin, _ := c.Get(editor).(models.Admin)
	return admin.Name
}
