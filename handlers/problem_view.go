// The view of an error: what happened, in words for a visitor, and where to go from there.

package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"podbor/models"
	"podbor/templates"
)

// problemView says what went wrong at the given URL. Inner details stay in the log; the request's id leads there.
func problemView(status int, err error, at *url.URL, requestID string) templates.Problem {
	home := templates.Link{URL: "/", Text: "Go to the home page"}
	view := templates.Problem{Code: "Error " + strconv.Itoa(status), Actions: []templates.Link{home}}
	var input *models.InputError
	var gone *goneError
	switch {
	case errors.As(err, &input):
		view.Heading = "That filter does not work"
		view.Message = "The value “" + input.Value + "” of " + input.Field + " cannot be used. " + input.Reason
		view.Actions = []templates.Link{
			{URL: withoutParameter(at, input.Field), Text: "Try without it"},
			{URL: at.Path, Text: "Show all homes"},
		}
	case errors.As(err, &gone):
		view.Heading = "This home is no longer on offer"
		view.Message = "The advertisement was withdrawn, perhaps because the home is sold."
		view.Actions = []templates.Link{{URL: "/" + gone.city.Slug, Text: "See other homes in " + gone.city.Name.EN}, home}
	case status == http.StatusNotFound:
		view.Heading = "There is nothing here"
		view.Message = "The address may be mistyped, or what it named has never existed."
	case status == http.StatusMethodNotAllowed:
		view.Heading = "This page cannot do that"
		view.Message = "It can be read, but nothing can be sent to it."
	case status == http.StatusServiceUnavailable:
		view.Heading = "Too much to do just now"
		view.Message = "More people are asking than we can answer at once. Please try again in a few seconds."
		view.Actions = []templates.Link{{URL: at.RequestURI(), Text: "Try again"}, home}
		view.RequestID = requestID
	case status >= 500:
		view.Heading = "Something broke on our side"
		view.Message = "It is not your fault, and it has been written down for us to repair."
		view.RequestID = requestID
	default:
		view.Heading = http.StatusText(status)
		view.Message = "This request cannot be answered."
	}
	view.Title = view.Heading
	return view
}

func withoutParameter(at *url.URL, name string) string {
	q := at.Query()
	q.Del(name)
	if len(q) == 0 {
		return at.Path
	}
	return at.Path + "?" + q.Encode()
}
