// The terminal's view: rows that can be printed one at a time while a run is going on.

package report

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// columns are the widths behind the first column; the whole fits 100 characters.
const (
	firstWidth  = 14
	columnWidth = 9
)

// TextHeader returns the heading of the terminal table.
func TextHeader() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s", firstWidth, "strategy")
	for _, f := range figures() {
		fmt.Fprintf(&b, "%*s", width(f), f.short)
	}
	return b.String()
}

// TextRow returns one line of the table; label is its first column.
func TextRow(label string, r Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s", firstWidth, label)
	for _, f := range figures() {
		fmt.Fprintf(&b, "%*s", width(f), f.median(r))
	}
	return b.String()
}

func width(f figure) int { return max(columnWidth, len(f.short)+2) }

// WriteText writes the summary of a scenario: medians with their spread, checks, verdict.
func WriteText(w io.Writer, s Scenario) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s, median of %d\n%s\n", s.Name, repeatsOf(s), TextHeader())
	own := measures(s)
	for _, r := range s.Runs {
		fmt.Fprintln(&b, TextRow(r.Strategy, r))
		for _, f := range figures() {
			if spread := f.spread(r); spread != "" && (f.short == "p99" || f.short == "queries") {
				fmt.Fprintf(&b, "%*s%s %s\n", firstWidth, "", f.short, spread)
			}
		}
		for _, f := range own {
			if !math.IsNaN(f.of(r)) {
				fmt.Fprintf(&b, "%*s%s: %s%s\n", firstWidth, "", f.name, f.median(r), inBrackets(f.spread(r)))
			}
		}
	}
	fmt.Fprintln(&b)
	for _, c := range s.Checks {
		mark := "ok  "
		if !c.OK {
			mark = "FAIL"
		}
		fmt.Fprintf(&b, "%s  %s: %s (want %s)\n", mark, c.Name, c.Got, c.Want)
	}
	fmt.Fprintf(&b, "\n%s: %s\n", strings.ToUpper(s.Verdict), verdict(s))
	if s.DurationS > 0 {
		fmt.Fprintf(&b, "%s took %s.\n", s.Name, Milliseconds(1000*s.DurationS))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func repeatsOf(s Scenario) int {
	n := 0
	for _, r := range s.Runs {
		n = max(n, r.Runs)
	}
	return n
}
