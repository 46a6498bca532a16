// Scenario stampede: the page's copy expires, and a herd arrives at that moment.

package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

const (
	trickleRate  = 20.0 // requests per second for other pages
	trickleFrom  = -1500 * time.Millisecond
	herdAt       = 5 * time.Millisecond   // Redis counts time in report.MS: now the copy is gone for certain
	untilGivenUp = 500 * time.Millisecond // beyond the client's patience
)

func stampede(ctx context.Context, b *bench, o options) (report.Scenario, error) {
	s := report.Scenario{
		Name: "stampede",
		Asked: fmt.Sprintf("A listing page is in the cache of %d processes. Its copy expires, and at that moment %d visitors ask for it, each willing to wait %s; "+
			"meanwhile visitors of other pages keep coming.", o.pods, o.herd, ms(report.MS(o.timeout))),
		Method: method(o, copyExpires, copyIsStale, aSingleQuery),
	}
	var err error
	s.Runs, err = b.eachRepeat("stampede", o, func(strategy string) (report.Run, error) {
		l := b.herdLoad(o, herd.AtOnce(herdAt, o.herd, o.pods, b.page))
		l.control = herd.AtOnce(0, o.herd, o.pods, b.page)
		return b.trial(ctx, strategy, l)
	})
	if err != nil {
		return s, err
	}
	s.Checks = stampedeChecks(s.Runs, o.herd)
	s.Verdict = verdict(s.Checks)
	return s, nil
}

// herdLoad is those visitors, and a trickle of visitors of other pages from before it until long after.
func (b *bench) herdLoad(o options, visitors iter.Seq[herd.Arrival]) load {
	return load{
		hot:         visitors,
		other:       herd.Steady(trickleFrom, drainWithin, trickleRate, o.pods, false, b.coldPage),
		from:        trickleFrom,
		until:       o.timeout + untilGivenUp,
		connections: o.herd/o.pods + 1,
	}
}

// method says how it was measured: what all scenarios have in common, with what is particular to one in its middle.
func method(o options, particular ...string) []string {
	return slices.Concat([]string{
		"PostgreSQL, Redis and the processes of the site are real and run on one machine, together with the load generator; nothing sleeps or is simulated.",
		fmt.Sprintf("Every repeat has fresh processes, whose connections are opened first, and an empty Redis. There are %d repeats, and the order of the strategies rotates.", o.repeats),
	}, particular, []string{
		"Arrivals do not wait for answers. Latency counts from the moment at which a request was due, and a time-out counts as the time waited. Each request under way has a connection of its own; bodies are read to the end; no gzip is asked for, to keep the generator cheap.",
		"The generator goes before the site and Redis, and these before PostgreSQL, when they want the processor (niceness of processes, and of sessions where Linux allows it): visitors bring their own processors, and a database under load has its own, so nobody else may queue for its one.",
		"Queries are counted twice: by the processes when they send them (db_queries_started_total), and by PostgreSQL when they end (pg_stat_statements). Running ones are looked at every 25 ms (pg_stat_activity), pools every 100 ms.",
		"The unprotected strategies neither cancel nor bound a query. A run ends when nobody waits for a connection any more and no query for the page runs.",
	})
}

// How a copy expires, and what that is compared with.
const (
	copyExpires  = "The copy expires by its own TTL: PEXPIREAT sets the moment, Redis removes the two entries of the page (counts and list), and Redis's own expiry events are counted: exactly one each. What is written afterwards outlives the visitors, and so do the other entries that every page needs (the list of the cities, the flags), so that the page's copy is the only one that ends."
	copyIsStale  = "Under swr and xfetch it is the soft expiry that comes: the script moves it in the envelope of the two entries, and renews the checksum, because the policy's 60 s would be long to wait for. Nobody may wait for a query then, nor for longer than 3 × a hit. A hit is the slowest hundredth of the same load on the fresh copy, moments before; the median would blame the expiry for everything else that this machine does."
	aSingleQuery = "A single query is one request for the page on a cold key with nothing else running, measured on every process before each repeat; the median is shown."
)
