// Provenance: the response headers that tell where a page's data came from, and what it cost.

package handlers

import (
	"net/http"
	"strconv"
	"time"

	"podbor/internal/servertiming"
	"podbor/models"
)

// mostTold bounds the headers: a shortlist looks up a hundred homes, and proxies refuse headers of more than a few KB.
const mostTold = 16

// setProvenance writes Cache-Status (RFC 9211), one member per lookup, and Server-Timing.
func setProvenance(header http.Header, lookups []models.Lookup, timing *servertiming.Recorder) {
	lookups = lookups[:min(len(lookups), mostTold)]
	if len(lookups) > 0 {
		header.Set("Cache-Status", cacheStatus(lookups))
	}
	if value := serverTiming(lookups, timing.Header()); value != "" {
		header.Set("Server-Timing", value)
	}
}

// cacheStatus renders lookups such as "podbor-facets; hit; ttl=57; detail=l1, podbor-list; fwd=uri-miss; collapsed;
// detail=coalesced". The detail is our own word for the result; the rest is what RFC 9211 defines.
func cacheStatus(lookups []models.Lookup) string {
	b := make([]byte, 0, 256)
	for i, l := range lookups {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, "podbor-"...)
		b = append(b, l.Prefix...)
		switch l.Result {
		case "l1", "redis", "stale", "negative":
			b = append(b, "; hit; ttl="...)
			b = strconv.AppendInt(b, int64(l.TTL/time.Second), 10)
		case "coalesced", "waited":
			b = append(b, "; fwd=uri-miss; collapsed"...)
		default: // loaded, shed, error
			b = append(b, "; fwd=uri-miss"...)
		}
		b = append(b, "; detail="...)
		b = append(b, l.Result...)
	}
	return string(b)
}

// serverTiming adds the phases of each lookup to those that were recorded while the page was made.
func serverTiming(lookups []models.Lookup, recorded string) string {
	b := make([]byte, 0, 256)
	add := func(l models.Lookup, phase string, d time.Duration) {
		if d <= 0 {
			return
		}
		b = append(b, l.Prefix...)
		b = append(b, '-')
		b = append(b, phase...)
		b = append(b, ";dur="...)
		b = strconv.AppendFloat(b, float64(d.Microseconds())/1000, 'f', 1, 64)
		b = append(b, ", "...)
	}
	for _, l := range lookups {
		add(l, "redis", l.Redis)
		add(l, "flight", l.Flight)
		add(l, "lease", l.Lease)
		add(l, "load", l.Load)
	}
	b = append(b, recorded...)
	if recorded == "" && len(b) > 0 {
		b = b[:len(b)-len(", ")]
	}
	return string(b)
}
