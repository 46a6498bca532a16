// What tests reach for, which the page of a run shows among much else.

package handlers

import (
	"io/fs"

	"github.com/a-h/templ"

	"podbor/internal/lab"
)

// TourPlan is the plan of a step of the tour.
func TourPlan(n int) lab.Plan { return tourPlan(n) }

// Learned returns the two pieces of what the lab teaches.
func Learned(files fs.FS) (explanation func(string) templ.Component, tour func(int, string, *lab.Record) templ.Component, err error) {
	l, err := newLearn(files)
	if err != nil {
		return nil, nil, err
	}
	return l.explanation, l.tourStep, nil
}
