package main

import (
	"os"
	"strings"
	"testing"
)

func Example_progressLines() {
	progress := progressLines(os.Stdout)
	for done := 0; done <= 1000; done += 125 {
		progress(done, 1000)
	}
	// Output:
	// seeding: 125 of 1000 apartments
	// seeding: 250 of 1000 apartments
	// seeding: 375 of 1000 apartments
	// seeding: 500 of 1000 apartments
	// seeding: 625 of 1000 apartments
	// seeding: 750 of 1000 apartments
	// seeding: 875 of 1000 apartments
	// seeding: 1000 of 1000 apartments
}

func TestProgressBarIsDrawnInPlace(t *testing.T) {
	var out strings.Builder
	progress := progressBar(&out)
	progress(0, 500_000)
	progress(250_000, 500_000)
	if want := "\rseeding [" + strings.Repeat("█", 20) + strings.Repeat("·", 20) + "] 250000 of 500000 apartments"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("half-way: %q; want it to end %q", out.String(), want)
	}
	progress(500_000, 500_000)
	if strings.Count(out.String(), "\n") != 1 || !strings.HasSuffix(out.String(), "\n") {
		t.Errorf("%q; want the line to end with the bar", out.String())
	}
}
