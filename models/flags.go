// Feature flags: parts of the site that can be turned on and off while it runs.

package models

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Flags says which parts of the site are on. A new flag is a field here, a case in Store.Flags, and a row in a migration.
type Flags struct {
	JustListed bool // the newest homes, on the home page
	PriceChart bool // the drawn price history, on the page of an apartment
}

// builtIn is how the site is until the first flag has been read.
func builtIn() Flags { return Flags{JustListed: true, PriceChart: true} }

// A Flag is a row of the table feature_flags.
type Flag struct {
	Name, Description string
	Enabled           bool
	UpdatedAt         time.Time
}

// ListFlags returns all flags by name, those that only another version of this program knows included.
func (s *Store) ListFlags(ctx context.Context) (rows []Flag, err error) {
	err = s.query(ctx, &rows, "flags", `SELECT name, description, enabled, updated_at FROM feature_flags ORDER BY name`)
	return rows, err
}

// Flags returns the flags that this program knows.
func (s *Store) Flags(ctx context.Context) (Flags, error) {
	rows, err := s.ListFlags(ctx)
	flags := builtIn()
	for _, row := range rows {
		switch row.Name {
		case "just-listed":
			flags.JustListed = row.Enabled
		case "price-chart":
			flags.PriceChart = row.Enabled
		}
	}
	return flags, err
}

// SetFlag turns a flag on or off. Its error tells which flags there are when it is none of them.
func (s *Store) SetFlag(ctx context.Context, name string, enabled bool) error {
	var set []string
	err := s.query(ctx, &set, "set-flag", `UPDATE feature_flags SET enabled = @enabled WHERE name = @name RETURNING name`,
		map[string]any{"name": name, "enabled": enabled})
	if err != nil || len(set) > 0 {
		return err
	}
	rows, err := s.ListFlags(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		set = append(set, row.Name)
	}
	return fmt.Errorf("there is no flag %q, but %s", name, strings.Join(set, ", "))
}
