package main

import (
	"testing"
	"time"
)

// A database that shares itself evenly among at most so many queries, played through in small steps: how many
// visitors of the page, and of other pages, are lost at the rates of newMix?
func TestMixLosesAboutTheTarget(t *testing.T) {
	const duration, timeout = 30 * time.Second, 3 * time.Second
	for _, single := range []time.Duration{80 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond} {
		for _, connections := range []int{20, 60} {
			if hard := time.Duration(connections) * single; hard < timeout {
				continue // too fast a database to lose anybody for long: the run would say so
			}
			m := newMix(single, connections, timeout, duration)
			window, lost := play(m, single, connections, duration)
			if lost < lostFewest || lost > lostMost {
				t.Errorf("q %v, P %d: %.0f/s + %.1f/s lose %d, want %d … %d", single, connections, m.hot, m.other, lost, lostFewest, lostMost)
			}
			if d := (window - m.window).Abs(); d > m.window/5 {
				t.Errorf("q %v, P %d: the page is back after %v, the formula says %v", single, connections, window, m.window)
			}
		}
	}
}

func play(m mix, single time.Duration, connections int, duration time.Duration) (window time.Duration, lost int) {
	const step = time.Millisecond
	half := duration / 2
	var running []float64 // the work that each query has left, in seconds of the whole database
	queued, back := 0, false
	hotDue, otherDue := 0.0, 0.0
	for at := time.Duration(0); at < half; at += step {
		for hotDue += m.hot * step.Seconds(); hotDue >= 1; hotDue-- {
			if !back {
				queued++
				lost++ // the queue lasts for longer than anybody waits
			}
		}
		for otherDue += m.other * step.Seconds(); otherDue >= 1; otherDue-- {
			if len(running) == connections {
				lost++
			}
		}
		for queued > 0 && len(running) < connections {
			queued--
			running = append(running, single.Seconds())
		}
		kept := running[:0]
		share := step.Seconds() / float64(max(len(running), 1))
		for _, left := range running {
			if left -= share; left > 0 {
				kept = append(kept, left)
			} else if !back {
				back, window = true, at
			}
		}
		running = kept
	}
	return window, lost
}
