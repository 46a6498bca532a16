// The view of how fresh a page is: from when its data is, and what everyone has to know when it is too old.

package handlers

import (
	"strings"
	"time"

	"podbor/models"
	"podbor/templates"
)

// overdue is how long after its time a copy is old because nothing refreshes it: longer than a load may take.
const overdue = 10 * time.Second

// fresh tells from when the oldest data of a page is, and that it is old if the database did not answer.
func fresh(fr frame, lookups []models.Lookup, now time.Time) (line templates.Fresh, notice string) {
	at, away := now, false
	for _, l := range lookups {
		if !l.Start.IsZero() && l.Start.Before(at) {
			at = l.Start
		}
		away = away || l.Fallback || l.TTL < -overdue
	}
	at = at.UTC()
	clock := at.Format("15:04:05 UTC")
	line = templates.Fresh{Time: clock, ISO: at.Format(time.RFC3339), Old: string(fr.T.Listing.Old)}
	line.Before, line.After, _ = strings.Cut(string(fr.T.Listing.AsOf), "{time}")
	if away {
		notice = fr.T.Common.Old.With("time", clock)
	}
	return line, notice
}
