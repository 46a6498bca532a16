package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDefaults(t *testing.T) {
	o, err := parseOptions(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if o.herd != 200 || o.pods != 3 || o.timeout != 3*time.Second || o.rows != 500_000 || o.duration != 30*time.Second {
		t.Errorf("defaults are %+v", o)
	}
	if len(o.scenarios) != 1 || o.scenarios[0].name != "stampede" {
		t.Errorf("the default scenarios are %v", o.scenarios)
	}
	if o = o.of(o.scenarios[0]); !slices.Equal(o.strategies, []string{"off", "aside", "flight", "lock", "both", "swr", "xfetch"}) || o.repeats < 3 {
		t.Errorf("the default strategies are %v, %d repeats", o.strategies, o.repeats)
	}
}

func TestStrategiesReadFromProblemToCure(t *testing.T) {
	o, err := parseOptions([]string{"-strategies", "both, aside,both", "-repeats", "2", "all"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.strategies, []string{"aside", "both"}) || len(o.scenarios) != len(scenarios()) {
		t.Errorf("got %v and %d scenarios", o.strategies, len(o.scenarios))
	}
	if o = o.of(scenarios()[0]); len(o.strategies) != 2 || o.repeats != 2 {
		t.Errorf("the scenario's own choice overrules the command line: %v, %d repeats", o.strategies, o.repeats)
	}
}

func TestWrongUseIsOneSentenceAndStatus2(t *testing.T) {
	for _, args := range [][]string{
		{"stampedo"}, {"-strategies", "hope"}, {"-strategies", ","}, {"-herd", "0"}, {"-herd", "many"}, {"-herd", "100000"}, {"-pods", "0"}, {"-rows", "-1"},
		{"-timeout", "-1s"}, {"-duration", "10m"}, {"-rate", "NaN"}, {"-rate", "-1"}, {"-repeats", "-1"}, {"-edits", "7"}, {"-no-such-flag"}, {"stampede", "-herd", "5"}, {"-out", ""},
	} {
		var stdout, stderr bytes.Buffer
		if code := command(t.Context(), args, &stdout, &stderr); code != exitUsage {
			t.Errorf("%v: status %d, want %d", args, code, exitUsage)
		}
		if said := strings.TrimSpace(stderr.String()); said == "" || strings.Contains(said, "\n") || stdout.Len() > 0 {
			t.Errorf("%v: stderr %q, stdout %q; want one line on stderr", args, said, stdout.String())
		}
	}
}

func TestHelpNamesEverything(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := command(t.Context(), []string{"-h"}, &stdout, &stderr); code != exitOK {
		t.Errorf("status %d", code)
	}
	for _, word := range append(scenarioNames(), "-herd", "-pods", "-strategies", "-timeout", "-rows", "-rate", "-duration", "-edits", "-out", "-json", "all") {
		if !strings.Contains(stderr.String(), word) {
			t.Errorf("the help does not mention %s", word)
		}
	}
}
