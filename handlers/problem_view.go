// The view of an error: what happened, in words for a visitor, and where to go from there.

package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"podbor/models"
	"podbor/templates"
)

// problemView says what went wrong at the given URL. Inner details stay in the log; the request's id leads there.
func problemView(fr frame, status int, err error, at *url.URL, requestID string) templates.Problem {
	t := &fr.T.Problem
	home := templates.Link{URL: fr.URL("/"), Text: t.Home}
	view := templates.Problem{
		Layout:  fr.bareLayout(at.RequestURI()),
		Code:    t.Code.With("status", strconv.Itoa(status)),
		Actions: []templates.Link{home},
	}
	var input *models.InputError
	var gone *goneError
	switch {
	case errors.As(err, &input):
		view.Heading = t.Input
		view.Message = t.InputText.With("value", input.Value, "field", input.Field, "reason", reason(fr, input))
		view.Actions = []templates.Link{
			{URL: fr.URL(withoutParameter(at, input.Field)), Text: t.Without},
			{URL: fr.URL(at.EscapedPath()), Text: t.All},
		}
	case errors.As(err, &gone):
		view.Heading, view.Message = t.Gone, t.GoneText
		others := templates.Link{URL: fr.URL("/" + gone.city.Slug), Text: t.City.With("city", fr.name(gone.city.Name))}
		view.Actions = []templates.Link{others, home}
		view.Layout = fr.layout(apartmentPath(gone.home.ID), gone.cities, gone.city.ID)
		view.Canonical, view.NoIndex = "", true
		view.Similar = alike(fr, &gone.city, &gone.home, gone.similar, time.Now())
	case status == http.StatusNotFound:
		view.Heading, view.Message = t.NotFound, t.NotFoundText
	case status == http.StatusMethodNotAllowed:
		view.Heading, view.Message = t.Method, t.MethodText
	case errors.Is(err, errForged):
		view.Heading, view.Message = t.Forged, t.ForgedText
	case status == http.StatusServiceUnavailable:
		view.Heading, view.Message = t.Overloaded, t.OverloadedText
		view.Actions = []templates.Link{{URL: fr.URL(at.RequestURI()), Text: t.Again}, home}
		view.Mention = t.Mention.With("id", requestID)
	case errors.Is(err, errCompare):
		view.Heading, view.Message = fr.T.Compare.Title, fr.T.Compare.Wrong
		view.Actions = []templates.Link{{URL: view.Shortlist, Text: fr.T.Mine.Shortlist}, home}
	case status >= 500:
		view.Heading, view.Message = t.Broken, t.BrokenText
		view.Mention = t.Mention.With("id", requestID)
	default:
		view.Heading, view.Message = t.Other, t.OtherText
	}
	view.Title = view.Heading
	return view
}

// reason says what is wrong with what a visitor asked for.
func reason(fr frame, input *models.InputError) string {
	t := &fr.T.Problem
	switch input.Fault {
	case models.UnknownDistrict:
		return t.UnknownDistrict
	case models.UnknownAmenity:
		return t.UnknownAmenity
	case models.BadRooms:
		return t.NoRooms.With("max", fr.Number(input.Limit))
	case models.NotANumber:
		return t.NoNumber
	case models.TooLarge:
		return t.TooLarge.With("limit", fr.Number(input.Limit))
	case models.UnknownSort:
		return t.UnknownSort
	case models.BadPage:
		return t.NoPage
	}
	return ""
}

func withoutParameter(at *url.URL, name string) string {
	q := at.Query()
	q.Del(name)
	if len(q) == 0 {
		return at.EscapedPath()
	}
	return at.EscapedPath() + "?" + q.Encode()
}
