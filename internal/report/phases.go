// What a request spent its time on, as its server reported it, as parts of its bar.

package report

import (
	"fmt"
	"strings"
)

// A part is a stretch of a request.
type part struct {
	phase    phase
	from, to float64 // ms, as those of the request
}

// A phase is a kind of work or waiting.
type phase struct {
	class, name string
}

// phaseList is in the order in which a request goes through them.
func phaseList() []phase {
	return []phase{
		{"p-redis", "asked Redis"},
		{"p-flight", "waited for a load in its own process"},
		{"p-lease", "waited for another process's load"},
		{"p-pool", "waited for a database connection"},
		{"p-query", "query"},
		{"p-render", "rendering"},
	}
}

// parts puts the phases of a request one after the other. A page looks several things up at the same time, each with its
// own "redis", "flight", "lease" and "load"; the longest of a kind stands for all. "pool" and "query" are sums over
// what was loaded: they divide the load. Without phases (nobody answered) there are none.
func parts(r Request) []part {
	longest := map[string]float64{}
	for name, ms := range r.Phases {
		kind := name[strings.LastIndexByte(name, '-')+1:]
		longest[kind] = max(longest[kind], ms)
	}
	pool, query := longest["pool"], longest["query"]
	if load, both := longest["load"], pool+query; load > 0 && both > 0 {
		pool, query = load*pool/both, load*query/both
	} else if both == 0 {
		query = load
	}
	ms := []float64{longest["redis"], longest["flight"], longest["lease"], pool, query, longest["render"] + longest["gzip"]}
	sum := 0.0
	for _, v := range ms {
		sum += v
	}
	if sum == 0 {
		return nil
	}
	// Clocks and roundings differ: what the server counted has to fit into what the client saw.
	shrink := min(1, max(r.End-r.Sent, 0)/sum)
	at := r.Sent
	var found []part
	for i, phase := range phaseList() {
		if ms[i] > 0 {
			found = append(found, part{phase, at, at + ms[i]*shrink})
			at += ms[i] * shrink
		}
	}
	return found
}

// phasesInWords says what the request spent its time on, "" for less than a millisecond.
func phasesInWords(r Request) string {
	var words []string
	for _, p := range parts(r) {
		if p.to-p.from >= 1 {
			words = append(words, fmt.Sprintf("%s %s", p.phase.name, Milliseconds(p.to-p.from)))
		}
	}
	return strings.Join(words, ", ")
}
