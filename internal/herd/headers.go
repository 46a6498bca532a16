// What the site's response headers say about an answer.

package herd

import (
	"strconv"
	"strings"

	"podbor/internal/report"
)

// outcomeOf reads how the heaviest lookup of a page was answered out of Cache-Status (RFC 9211), such as
// "podbor-cities; hit; ttl=4; detail=l1, podbor-facets; fwd=uri-miss; collapsed; detail=coalesced".
func outcomeOf(cacheStatus string) report.Outcome {
	var last report.Outcome
	for member := range strings.SplitSeq(cacheStatus, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(member), ";")
		for parameter := range strings.SplitSeq(parameters, ";") {
			if detail, found := strings.CutPrefix(strings.TrimSpace(parameter), "detail="); found {
				last = report.Outcome(detail)
			}
		}
		if strings.HasSuffix(name, "-facets") || strings.HasSuffix(name, "-apartment") {
			break // what the page is about; the rest is its frame
		}
	}
	if last == "" {
		return report.Loaded // a page without any cache
	}
	return last
}

// phases reads Server-Timing, such as "facets-flight;dur=150.2, pool;dur=0.1", into milliseconds.
func phases(serverTiming string) map[string]float64 {
	if serverTiming == "" {
		return nil
	}
	found := map[string]float64{}
	for metric := range strings.SplitSeq(serverTiming, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(metric), ";")
		for parameter := range strings.SplitSeq(parameters, ";") {
			if duration, ok := strings.CutPrefix(strings.TrimSpace(parameter), "dur="); ok {
				if ms, err := strconv.ParseFloat(duration, 64); err == nil {
					found[name] = ms
				}
			}
		}
	}
	return found
}
