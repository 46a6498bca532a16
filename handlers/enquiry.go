// Asking about a home: a form that is stored once however often it is sent, and keeps what was typed when it is not.

package handlers

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"net/http"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"podbor/internal/visitor"
	"podbor/models"
	"podbor/templates"
)

const (
	askedOnce   = 24 * time.Hour // how long a form that is sent again counts as the same
	mostName    = 80
	mostContact = 120
	mostMessage = 2000
)

// Questions that one visitor may ask, and that may be asked about one home.
var (
	enquiriesByAddress = visitor.Limit{Name: "enquiry-address", Most: 5, Window: 10 * time.Minute}
	enquiriesByHome    = visitor.Limit{Name: "enquiry-home", Most: 30, Window: 10 * time.Minute}
)

func (s *site) enquiryForm(c echo.Context) error {
	view, _, err := s.enquiryView(c)
	if err != nil {
		return err
	}
	view.Sent = c.QueryParam("sent") != ""
	view.Key, view.Fields = rand.Text(), enquiryFields(s.frame(c), nil, nil)
	return s.render(c, http.StatusOK, templates.EnquiryPage(view))
}

func (s *site) sendEnquiry(c echo.Context) error {
	view, home, err := s.enquiryView(c)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	fr := s.frame(c)
	enquiry, wrong := readEnquiry(fr, values)
	enquiry.ApartmentID = home.ID
	view.Key, view.Fields = values.Get("key"), enquiryFields(fr, values, wrong)
	if len(wrong) > 0 {
		view.Mistakes = fr.T.Enquiry.Mistakes
		return s.render(c, http.StatusUnprocessableEntity, templates.EnquiryPage(view))
	}

	// The limits are part of the work that is done once: a double click is no second question.
	values.Del(csrfField)
	form := strconv.FormatInt(home.ID, 10) + " " + values.Get("key")
	_, err = s.visitors.Once(c.Request().Context(), askedOnce, "enquiry "+form, values.Encode(), func(ctx context.Context) (string, error) {
		if err := s.visitors.Allow(ctx, enquiriesByAddress, address(c)); err != nil {
			return "", err
		}
		if err := s.visitors.Allow(ctx, enquiriesByHome, strconv.FormatInt(home.ID, 10)); err != nil {
			return "", err
		}
		return "", s.stored.AddEnquiry(ctx, form, enquiry)
	})
	var limit *visitor.LimitError
	switch {
	case errors.As(err, &limit):
		c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(limit.Wait.Seconds()))))
		view.Notice = fr.Count(int(math.Ceil(limit.Wait.Minutes())), fr.T.Enquiry.TooMany)
		return s.render(c, http.StatusTooManyRequests, templates.EnquiryPage(view))
	case errors.Is(err, visitor.ErrReused): // back, and another question with the form of the first
		view.Key, view.Notice = rand.Text(), fr.T.Enquiry.Another
		return s.render(c, http.StatusOK, templates.EnquiryPage(view))
	case errors.Is(err, visitor.ErrAway), errors.Is(err, visitor.ErrBusy):
		c.Response().Header().Set(echo.HeaderRetryAfter, "5")
		view.Notice = fr.T.Enquiry.Away
		return errors.Join(err, s.render(c, http.StatusServiceUnavailable, templates.EnquiryPage(view))) // for the log
	case err != nil:
		return err
	}
	return c.Redirect(http.StatusSeeOther, view.Action+"?sent=1")
}

// enquiryView is what the form says of the home that it is about.
func (s *site) enquiryView(c echo.Context) (templates.Enquiry, models.Detail, error) {
	ctx := c.Request().Context()
	id, ok := parseID(c.Param("id"))
	if !ok {
		return templates.Enquiry{}, models.Detail{}, models.ErrNotFound
	}
	home, err := s.store.Apartment(ctx, id)
	if err != nil {
		return templates.Enquiry{}, models.Detail{}, err
	}
	cities, city, err := s.cityByID(ctx, home.CityID)
	if err != nil {
		return templates.Enquiry{}, models.Detail{}, err
	}
	if home.Status == models.Withdrawn {
		return templates.Enquiry{}, models.Detail{}, &goneError{cities: cities, city: city, home: home.Card}
	}
	fr := s.frame(c)
	heading, _ := titles(fr, &home.Card, &city)
	view := templates.Enquiry{
		Layout: fr.layout(enquiryPath(id), cities, city.ID),
		CSRF:   csrfToken(c),
		Home:   templates.Link{URL: fr.URL(apartmentPath(id)), Text: heading},
		Where:  home.Address,
		Price:  fr.Money(home.Price, city.Currency),
		Action: fr.URL(enquiryPath(id)),
	}
	view.Title = fr.T.Enquiry.Ask + ": " + heading
	return view, home, nil
}

func enquiryPath(id int64) string { return apartmentPath(id) + "/enquiry" }

// readEnquiry reads what was typed, and says what is wrong with it in the visitor's language.
func readEnquiry(fr frame, v url.Values) (models.Enquiry, mistakes) {
	t, wrong := &fr.T.Enquiry, mistakes{}
	text := func(name string, most int) string {
		text := strings.TrimSpace(strings.ReplaceAll(v.Get(name), "\r\n", "\n"))
		switch {
		case text == "":
			wrong[name] = t.Missing
		case deceives(text) || name != "message" && strings.Contains(text, "\n"):
			wrong[name] = t.Unseen
		case utf8.RuneCountInString(text) > most:
			wrong[name] = t.TooLong.With("most", fr.Number(int64(most)))
		}
		return text
	}
	enquiry := models.Enquiry{Name: text("name", mostName), Contact: text("contact", mostContact), Message: text("message", mostMessage)}
	if wrong["contact"] == "" && !reachable(enquiry.Contact) {
		wrong["contact"] = t.NoContact
	}
	return enquiry, wrong
}

// reachable tells an e-mail address or a telephone number from what is neither.
func reachable(contact string) bool {
	if strings.Contains(contact, "@") {
		parsed, err := mail.ParseAddress(contact)
		return err == nil && parsed.Address == contact
	}
	number := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -().\u00a0", r) {
			return -1
		}
		return r
	}, strings.TrimPrefix(contact, "+"))
	return len(number) >= 5 && len(number) <= 15 && strings.Trim(number, "0123456789") == ""
}

func enquiryFields(fr frame, v url.Values, wrong mistakes) []templates.Field {
	t := &fr.T.Enquiry
	fields := []templates.Field{
		{Name: "name", Label: t.Name, Autocomplete: "name"},
		{Name: "contact", Label: t.Contact, Hint: t.ContactHint, Autocomplete: "email"},
		{Name: "message", Label: t.Message, Input: templates.InputLines},
	}
	for i := range fields {
		fields[i].Value, fields[i].Error = v.Get(fields[i].Name), wrong[fields[i].Name]
	}
	return fields
}
