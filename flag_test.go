package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"podbor/cache"
)

func TestFlagTurnsAPartOfTheRunningSiteOffAndOn(t *testing.T) {
	cfg := runSite(t, cache.Both)
	home := fmt.Sprintf("http://127.0.0.1:%d/", cfg.Port)
	for _, test := range []struct {
		state string
		shown bool
	}{{"on", true}, {"off", false}, {"on", true}} {
		var list strings.Builder
		if err := flag(t.Context(), cfg, []string{"just-listed", test.state}, &list); err != nil {
			t.Fatal(err)
		}
		if want := "just-listed  " + test.state; !strings.Contains(list.String(), want) {
			t.Errorf("the list has no %q:\n%s", want, list.String())
		}
		for deadline := time.Now().Add(5 * time.Second); strings.Contains(fetchText(t, home), "Just listed") != test.shown; {
			if time.Now().After(deadline) {
				t.Fatalf("set to %s, and the home page does not follow", test.state)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}

	err := flag(t.Context(), cfg, []string{"no-such-flag", "on"}, &strings.Builder{})
	if err == nil || !strings.Contains(err.Error(), "just-listed, price-chart") {
		t.Errorf("%v; want a sentence with the flags that there are", err)
	}
}

func TestFlagRefusesWhatItDoesNotUnderstand(t *testing.T) {
	for _, args := range [][]string{{"just-listed"}, {"just-listed", "maybe"}, {"just-listed", "on", "off"}} {
		if err := flag(t.Context(), config{}, args, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "NAME on|off") {
			t.Errorf("%q: %v; want the usage", args, err)
		}
	}
}
