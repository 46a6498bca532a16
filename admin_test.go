package main

import (
	"strings"
	"testing"

	"podbor/cache"
)

func TestAdminPrintsPasswords(t *testing.T) {
	cfg := runSite(t, cache.Both)
	passwords := map[string]bool{}
	for _, args := range [][]string{{"add", "ada"}, {"add", "grace"}, {"reset", "ada"}} {
		var out strings.Builder
		if err := admin(t.Context(), cfg, args, &out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		passwords[lines[len(lines)-1]] = true
	}
	if len(passwords) != 3 {
		t.Errorf("%d different passwords, want 3", len(passwords))
	}
	for _, args := range [][]string{nil, {"add"}, {"add", "ada"}, {"add", "Ada Lovelace"}, {"reset", "nobody"}, {"drop", "ada"}} {
		if err := admin(t.Context(), cfg, args, &strings.Builder{}); err == nil {
			t.Errorf("admin %q goes through", args)
		}
	}
}
