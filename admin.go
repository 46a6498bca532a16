// The command `podbor admin`: accounts that may edit. There is no default one, and no default password.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/prometheus/client_golang/prometheus"

	"podbor/models"
)

// admin adds an account, or gives one a new password, and prints the password.
func admin(ctx context.Context, cfg config, args []string, w io.Writer) error {
	if len(args) != 2 || args[0] != "add" && args[0] != "reset" {
		return errors.New("want: podbor admin add NAME, or podbor admin reset NAME")
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
	set := store.AddAdmin
	if args[0] == "reset" {
		set = store.ResetAdmin
	}
	password, err := set(ctx, args[1])
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Log in at /admin as %s with this password, which is shown only now:\n%s\n", args[1], password)
	return nil
}
