// The glossary of the lab.

package handlers

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"podbor/templates"
)

// A term of the glossary: what it means, in a sentence or three, and where the program does it.
type term struct {
	name, text string
	spots      []spot
}

// glossary is in the order of the alphabet.
var glossary = []term{
	{"Backplane", "Messages between the processes over Redis pub/sub: “this key was edited, forget your copy”, “the load you wait for is done”. " +
		"They carry keys, never values. When the subscription drops, a process can no longer trust its own copies, and forgets them once it is back.",
		[]spot{{"cache/backplane.go", ""}, {"cache/lua/void.lua", ""}}},
	{"Bulkhead", "A bound on the loads that one process runs at once, over all keys. [Single-flight] helps against a crowd for one key; against many different " +
		"keys only a bound does. It is smaller than the connection pool, so that other pages keep their share. Beyond it: [shedding].",
		[]spot{{"cache/bulkhead.go", "bulkhead"}}},
	{"Cache-aside", "The program looks into the cache itself; on a miss it asks the database and stores the answer. Simple, and the usual way. " +
		"Nothing in it stops two hundred visitors who miss at once from asking two hundred times.",
		[]spot{{"cache/cache.go", "Cache.aside"}}},
	{"Circuit breaker", "After a few failures in a row Redis is no longer asked: every lookup is spared the time-out. Once a second one probe finds out whether it is back.",
		[]spot{{"cache/breaker.go", "guarded"}}},
	{"Coalesced", "Answered by joining a load that somebody else in the same process had started. See [single-flight].",
		[]spot{{"cache/cache.go", "Cache.protected"}}},
	{"Cold cache", "A cache with nothing in it, as after a first start. Every key is a miss, so every key can have its own [stampede].",
		[]spot{{"cache/cache.go", "Cache.fly"}}},
	{"Connection pool", "The database connections that one process keeps open and hands out. A query occupies one until it ends; with none free, the next query waits. " +
		"Its size is the most queries that the process can have running.",
		[]spot{{"models/db.go", "Open"}}},
	{"Coordinated omission", "The mistake of a load generator that waits for a slow answer before it sends the next request: the slower the site, the fewer requests meet the slowness, " +
		"and the figures look fine. The lab counts each wait from the moment the request was due.", nil},
	{"Fence", "What keeps an old answer out. A load that read the database before an edit must not store its answer after it: the edit deletes the [lease], and a " +
		"commit without the lease is refused. In the process the same holds for a flight that an edit has removed.",
		[]spot{{"cache/lua/commit.lua", ""}, {"cache/flight.go", "process"}}},
	{"Herd", "The visitors who want the same page in the same moment. In the lab they are sent by the server, as real requests to real processes: a browser opens only a few connections at a time.", nil},
	{"Hot key", "A key that is asked for far more often than others. All its lookups land on one Redis server, so each process keeps a copy of its own for a short while: [L1].",
		[]spot{{"cache/hot.go", "hotKeys"}}},
	{"Jitter", "A random stretch of each TTL, up to a tenth here, so that keys written together do not end together. It spreads a crowd of keys; it does nothing for a crowd of visitors to one key.",
		[]spot{{"cache/policy.go", "Policy.expiries"}}},
	{"L1", "The copies in a process's own memory, in front of Redis: the fastest answer, and the one that an edit must reach by message.",
		[]spot{{"cache/flight.go", "process.local"}}},
	{"Lease", "The right to load one key, over all processes, for a short time: a Redis key written with `SET NX PX` and a random token. Its holder renews it while the load runs. " +
		"It is not a lock that must be given back: when the holder dies it ends by itself, and another takes over.",
		[]spot{{"cache/lease.go", "Cache.fill"}, {"cache/lua/acquire.lua", ""}}},
	{"Load", "The work that gets an answer from its source: here a query that counts a city's homes six ways.",
		[]spot{{"models/facets.go", "Store.Facets"}, {"cache/load.go", "Cache.loadBounded"}}},
	{"Negative caching", "Remembering that something does not exist, for a shorter time than what does. Without it, whoever asks for ids that do not exist asks the database each time.",
		[]spot{{"cache/policy.go", "Policy"}}},
	{"Open-loop load", "Requests are sent when they are due, whether or not earlier ones have been answered: as real visitors come, who know nothing of each other. " +
		"Its opposite hides slowness: see [coordinated omission].", nil},
	{"p50 and p99", "Of a hundred visitors, fifty waited no longer than the p50, ninety-nine no longer than the p99. An average would hide the few who waited long among the many who did not.", nil},
	{"Pool wait", "The time a request stands in line for a database connection. In a stampede it is most of the waiting, and pages that have nothing to do with the herd wait in the same line.",
		[]spot{{"models/query.go", "Store.query"}}},
	{"Shedding", "Turning a visitor away at once, with “try again in a few seconds” (503), where waiting would end in a time-out anyway. A refusal costs little; a queue that never shrinks costs everybody.",
		[]spot{{"cache/bulkhead.go", "bulkhead.enter"}, {"handlers/errors.go", "statusOf"}}},
	{"Single-flight", "In one process, the first to miss starts the load and all who come meanwhile wait for its answer: check the cache, join the running flight, else start one.",
		[]spot{{"cache/flight.go", "process.find"}}},
	{"Soft and hard TTL", "Two ends of one copy. From the soft expiry on it is stale: still shown, and refreshed behind the scenes. From the hard expiry on it is gone.",
		[]spot{{"cache/policy.go", "Policy"}, {"models/cached.go", "Policies"}}},
	{"Stale-while-revalidate", "Between the [two ends|soft-and-hard-ttl] of a copy, visitors get the old one at once while one refresh runs in the background.",
		[]spot{{"cache/refresh.go", "due"}, {"cache/refresh.go", "Cache.refresh"}}},
	{"Stampede", "Many visitors miss the same key at once, each starts the same heavy query, and the queries slow each other down until visitors give up. Also: thundering herd, dog-piling.",
		[]spot{{"cache/doc.go", ""}}},
	{"Takeover", "Another process gets the [lease] whose holder has died, and loads in its place. It costs at most the time the lease had left.",
		[]spot{{"cache/lease.go", "Cache.fill"}}},
	{"TTL", "Time to live: how long a copy counts. For each kind of data it is chosen by how old that data may be shown.",
		[]spot{{"models/cached.go", "Policies"}}},
	{"XFetch", "Refreshing a little before the expiry, at random: each hit draws a number, and the nearer the expiry and the dearer the load, the likelier the draw starts a refresh. " +
		"By Vattani, Chierichetti and Lowenstein, 2015.",
		[]spot{{"cache/refresh.go", "due"}}},
}

func knownTerm(id string) bool {
	return slices.ContainsFunc(glossary, func(t term) bool { return termID(t.name) == id })
}

// glossaryView resolves the links of the glossary.
func glossaryView(s sources, about []term) (terms []templates.LabTerm, err error) {
	for _, t := range about {
		view := templates.LabTerm{ID: termID(t.name), Name: t.name}
		if view.Text, err = prose(t.text); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		if view.Code, err = s.links(t.spots); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		terms = append(terms, view)
	}
	return terms, nil
}

func (l *labPages) glossary(c echo.Context) error {
	return l.render(c, http.StatusOK, templates.LabGlossaryPage(l.learn.terms))
}
