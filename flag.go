// The command `podbor flag`: parts of the site, turned on and off while it runs.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"podbor/models"
)

// flag sets the flag that args name, and lists all.
func flag(ctx context.Context, cfg config, args []string, w io.Writer) error {
	if len(args) != 0 && (len(args) != 2 || args[1] != "on" && args[1] != "off") {
		return errors.New("want: podbor flag, or podbor flag NAME on|off")
	}
	if err := findServer(cfg, "postgres.url", &cfg.DatabaseURL); err != nil {
		return err
	}
	db, err := models.Open(ctx, cfg.DatabaseURL, 1)
	if err != nil {
		return err
	}
	defer db.Close()
	store := models.NewStore(db, prometheus.NewRegistry())
	if len(args) == 2 {
		if err := store.SetFlag(ctx, args[0], args[1] == "on"); err != nil {
			return err
		}
	}
	flags, err := store.ListFlags(ctx)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range flags {
		state := "off"
		if f.Enabled {
			state = "on"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\tsince %s\n", f.Name, state, f.Description, f.UpdatedAt.Local().Format(time.DateTime))
	}
	return t.Flush()
}
