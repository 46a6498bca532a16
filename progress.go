// The progress bar of the seeding: drawn in place on a terminal, a line every ten per cent elsewhere.

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

const barWidth = 40

func newProgress(f *os.File) func(done, total int) {
	if isTerminal(f) {
		return progressBar(f)
	}
	return progressLines(f)
}

func progressBar(w io.Writer) func(done, total int) {
	return func(done, total int) {
		filled := barWidth * done / total
		fmt.Fprintf(w, "\rseeding [%s%s] %d of %d apartments",
			strings.Repeat("█", filled), strings.Repeat("·", barWidth-filled), done, total)
		if done == total {
			fmt.Fprintln(w)
		}
	}
}

func progressLines(w io.Writer) func(done, total int) {
	tenths := 0
	return func(done, total int) {
		if now := 10 * done / total; now > tenths {
			tenths = now
			fmt.Fprintf(w, "seeding: %d of %d apartments\n", done, total)
		}
	}
}
