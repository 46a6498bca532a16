// Accounts: passwords open only their own account, and a new one closes what the old one opened.

package models_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"podbor/internal/servers/serverstest"
	"podbor/models"
)

func TestPasswords(t *testing.T) {
	store := models.NewStore(open(t, serverstest.Database(t)), prometheus.NewRegistry())
	ctx := t.Context()
	ada, err := store.AddAdmin(ctx, "ada")
	if err != nil {
		t.Fatal(err)
	}
	grace, err := store.AddAdmin(ctx, "grace")
	if err != nil {
		t.Fatal(err)
	}
	account, err := store.CheckPassword(ctx, "ada", ada)
	if err != nil || account.Name != "ada" || account.Version != 1 {
		t.Fatalf("%+v, %v", account, err)
	}
	for _, wrong := range [][2]string{
		{"ada", grace}, {"ada", ""}, {"ada", ada + " "}, {"ada", strings.ToLower(ada)}, {"Ada", ada}, {"nobody", ada}, {"", ""},
		{"ada", strings.Repeat(ada, 100)}, {"ada' OR '1'='1", ada},
	} {
		if _, err := store.CheckPassword(ctx, wrong[0], wrong[1]); !errors.Is(err, models.ErrWrongPassword) {
			t.Errorf("%q: %v, want ErrWrongPassword", wrong, err)
		}
	}
	newer, err := store.ResetAdmin(ctx, "ada")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.CheckPassword(ctx, "ada", ada); !errors.Is(err, models.ErrWrongPassword) {
		t.Errorf("the old password: %v, want ErrWrongPassword", err)
	}
	if again, err := store.CheckPassword(ctx, "ada", newer); err != nil || again.ID != account.ID || again.Version != 2 {
		t.Errorf("%+v, %v; want version 2 of the same account", again, err)
	}
	for _, name := range []string{"ada", "", "Ada", "a b", "-x", strings.Repeat("x", 41), "a\x00"} {
		if _, err := store.AddAdmin(ctx, name); err == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
}

// An unknown name takes as long as a wrong password: both hash.
func TestUnknownNamesTakeTime(t *testing.T) {
	store := models.NewStore(open(t, serverstest.Database(t)), prometheus.NewRegistry())
	if _, err := store.AddAdmin(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	fastest := func(name string) time.Duration {
		best := time.Hour
		for range 3 {
			started := time.Now()
			_, _ = store.CheckPassword(t.Context(), name, "wrong")
			best = min(best, time.Since(started))
		}
		return best
	}
	known, unknown := fastest("ada"), fastest("nobody")
	if unknown < known/2 || known < unknown/2 {
		t.Errorf("a known name takes %v, an unknown one %v", known, unknown)
	}
}
