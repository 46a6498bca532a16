// The ops view: from metrics and checks to what is shown.

package handlers

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"podbor/internal/locale"
	"podbor/templates"
)

// opsSpan is what the visitor chose.
type opsSpan struct{ minute, still bool }

func (s opsSpan) url() string {
	query := url.Values{}
	if s.minute {
		query.Set("span", "minute")
	}
	if s.still {
		query.Set("still", "1")
	}
	if len(query) == 0 {
		return "/lab/ops"
	}
	return "/lab/ops?" + query.Encode()
}

func opsView(p period, span opsSpan) templates.LabOps {
	view := templates.LabOps{
		Now: p.now.at.UTC().Format("15:04:05 UTC"), NowISO: p.now.at.UTC().Format(time.RFC3339),
		Toggle: templates.Link{URL: opsSpan{span.minute, !span.still}.url(), Text: "Stop updating"},
		Spans: []templates.Link{
			{URL: opsSpan{false, span.still}.url(), Text: "Since start", Current: !span.minute},
			{URL: opsSpan{true, span.still}.url(), Text: "Last minute", Current: span.minute},
		},
		Live: !span.still,
	}
	if span.still {
		view.Toggle.Text = "Update by itself"
	}
	view.Period = "since it started " + p.length().Round(time.Second).String() + " ago"
	if !p.base.at.IsZero() {
		view.Period = "in the last " + p.length().Round(time.Second).String()
	} else if span.minute {
		view.Period += ", until the last minute has been watched"
	}
	if info := p.now.series("site_info"); len(info) > 0 {
		view.Strategy = info[0][0]
	}

	var all, hits, loads int64
	var quiet []string
	for _, name := range prefixesOf(p) {
		card, asked, hit, loaded := prefixView(p, name)
		all, hits, loads = all+asked, hits+hit, loads+loaded
		if asked == 0 {
			quiet = append(quiet, name)
			continue
		}
		view.Prefixes = append(view.Prefixes, card)
	}
	view.Quiet = strings.Join(quiet, ", ")
	view.Tiles = []templates.LabFigure{
		{Name: "hits of all lookups", Value: share(hits, all)},
		{Name: "lookups per second", Value: rate(all, p.length())},
		{Name: "loads from the database", Value: locale.English.Number(loads)},
		breakerTile(p.now),
	}
	view.Hot = hotView(p.now)
	view.Servers = serversView(p)
	return view
}

func prefixesOf(p period) (names []string) {
	for _, key := range p.now.series("cache_requests_total") {
		names = append(names, key[0])
	}
	return slices.Compact(names)
}

// opsResults are the ways of answering, from the fastest; those that are hits come first.
var opsResults = []struct {
	result, name string
	hit          bool
}{
	{"l1", "this process (L1)", true},
	{"redis", "Redis", true},
	{"stale", "old copy", true},
	{"negative", "known not to exist", true},
	{"coalesced", "joined a load", false},
	{"waited", "waited for another process", false},
	{"loaded", "loaded", false},
	{"shed", "refused", false},
	{"error", "failed", false},
}

func prefixView(p period, prefix string) (card templates.LabPrefix, asked, hits, loads int64) {
	for _, r := range opsResults {
		n := p.count("cache_requests_total", series{prefix, r.result})
		asked += n
		if r.hit {
			hits += n
		}
	}
	card = templates.LabPrefix{Name: prefix, Ratio: share(hits, asked), Lookups: count(asked, "lookup") + ", " + rate(asked, p.length()) + " per second"}
	x := 0.0
	for _, r := range opsResults {
		n := p.count("cache_requests_total", series{prefix, r.result})
		if n == 0 {
			continue
		}
		width := 1000 * float64(n) / float64(asked)
		card.Results = append(card.Results, templates.LabResult{
			Class: r.result, Name: r.name, Share: share(n, asked),
			X: strconv.FormatFloat(x, 'f', 1, 64), Width: strconv.FormatFloat(width, 'f', 1, 64),
		})
		x += width
	}
	loading := p.timing("cache_load_seconds", series{prefix})
	card.Facts = []templates.LabFigure{
		{Name: "hit in L1", Value: timed(p.timing("cache_hit_seconds", series{prefix, "l1"}))},
		{Name: "hit in Redis", Value: timed(p.timing("cache_hit_seconds", series{prefix, "redis"}))},
		{Name: "miss: a load", Value: timed(loading)},
		{Name: "wait for a lease", Value: timed(p.timing("cache_lease_wait_seconds", series{prefix}))},
		leasesView(p, prefix),
	}
	return card, asked, hits, loading.count
}

func leasesView(p period, prefix string) templates.LabFigure {
	f := templates.LabFigure{Name: "leases", Value: "–"}
	var events []string
	for _, event := range []struct {
		label, name string
		bad         bool
	}{
		{"acquired", "acquired", false},
		{"held", "found in other hands", false},
		{"takeover", "taken over", true},
		{"lost", "lost", true},
		{"fenced", "refused at the end", true},
	} {
		if n := p.count("cache_leases_total", series{prefix, event.label}); n > 0 {
			events = append(events, locale.English.Number(n)+" "+event.name)
			f.Bad = f.Bad || event.bad
		}
	}
	if len(events) > 0 {
		f.Value = strings.Join(events, ", ")
	}
	return f
}

func hotView(now opsSample) (hot []templates.LabFigure) {
	const name = "cache_hot_key_requests_per_second"
	keys := now.series(name)
	slices.SortStableFunc(keys, func(a, b series) int { return cmp.Compare(now.value(name, b), now.value(name, a)) })
	for _, key := range keys[:min(len(keys), 10)] {
		// The namespace is the same for all and long.
		_, id, found := strings.Cut(key[1], ":"+key[0]+":")
		if !found {
			id = key[1]
		}
		hot = append(hot, templates.LabFigure{Name: key[0] + " " + strings.TrimSuffix(id, "}"), Value: locale.English.Number(int64(now.value(name, key))) + " per second"})
	}
	return hot
}

var breakerStates = []string{"closed", "half-open", "open"} // by the value of the metric

// breakerTile shows the worst breaker.
func breakerTile(now opsSample) templates.LabFigure {
	worst := 0
	for _, key := range now.series("cache_breaker_state") {
		worst = max(worst, int(now.value("cache_breaker_state", key)))
	}
	return templates.LabFigure{Name: "circuit breaker of Redis", Value: breakerStates[min(worst, 2)], Bad: worst > 0}
}

func serversView(p period) (servers []templates.LabServer) {
	for _, up := range p.now.series("redis_up") {
		server := templates.LabServer{Name: up[0] + " Redis", Up: p.now.value("redis_up", up) == 1}
		if _, guarded := p.now.metrics["cache_breaker_state"][up]; guarded {
			state := int(p.now.value("cache_breaker_state", up))
			server.Facts = append(server.Facts, templates.LabFigure{Name: "circuit breaker", Value: breakerStates[min(state, 2)], Bad: state > 0})
		}
		for _, node := range p.now.series("redis_memory_used_bytes") {
			if node[0] != up[0] {
				continue
			}
			// Evictions and rejections are the server's own, since its start: what happened before we did counts.
			evicted, rejected := p.now.value("redis_evicted_keys_total", node), p.now.value("redis_rejected_connections_total", node)
			server.Facts = append(server.Facts,
				templates.LabFigure{Name: "address", Value: node[1]},
				memory(p.now.value("redis_memory_used_bytes", node), p.now.value("redis_memory_max_bytes", node)),
				templates.LabFigure{Name: "connections", Value: locale.English.Number(int64(p.now.value("redis_connected_clients", node)))},
				templates.LabFigure{Name: "rejected connections", Value: locale.English.Number(int64(rejected)), Bad: rejected > 0},
				templates.LabFigure{Name: "evicted keys", Value: locale.English.Number(int64(evicted))},
			)
		}
		servers = append(servers, server)
	}
	return servers
}

func memory(used, limit float64) templates.LabFigure {
	const mb = 1 << 20
	f := templates.LabFigure{Name: "memory", Value: locale.English.Decimal(used/mb) + " MB of " + locale.English.Decimal(limit/mb)}
	if limit == 0 {
		f.Value, f.Bad = locale.English.Decimal(used/mb)+" MB, without a limit", true
	}
	return f
}

func checklistView(last *checkup) *templates.LabChecklist {
	view := &templates.LabChecklist{At: last.at.UTC().Format(toTheSecond), AtISO: last.at.UTC().Format(time.RFC3339)}
	if last.err != nil {
		view.Problem = last.err.Error()
		return view
	}
	for _, r := range last.rows {
		row := templates.LabCheck{Subject: r.Subject, Check: r.Check, Found: r.Found}
		if r.OK {
			view.Passed = append(view.Passed, row)
		} else {
			view.Failed = append(view.Failed, row)
		}
	}
	view.Verdict = fmt.Sprintf("%d of %d checks hold", len(view.Passed), len(last.rows))
	return view
}

func share(part, whole int64) string {
	if whole == 0 {
		return "–"
	}
	percent := 100 * float64(part) / float64(whole)
	if part < whole && percent > 99.9 {
		return "> 99.9%" // not all
	}
	if part > 0 && percent < .1 {
		return "< 0.1%"
	}
	return locale.English.Decimal(percent) + "%"
}

func rate(n int64, over time.Duration) string {
	return locale.English.Decimal(float64(n) / max(over.Seconds(), 1))
}

func count(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return locale.English.Number(n) + " " + what
}

// timed writes "0.4 ms, 99% ≤ 1 ms (1,234)".
func timed(t timing) string {
	if t.count == 0 {
		return "–"
	}
	most := "≤ " + seconds(t.most)
	if t.most == 0 {
		most = "> " + seconds(t.last)
	}
	return fmt.Sprintf("%s, 99%% %s (%s)", seconds(t.average), most, locale.English.Number(t.count))
}

func seconds(s float64) string {
	switch {
	case s < .001:
		return locale.English.Decimal(s*1e6) + "\u00a0µs"
	case s < 1:
		return locale.English.Decimal(s*1e3) + "\u00a0ms"
	}
	return locale.English.Decimal(s) + "\u00a0s"
}
