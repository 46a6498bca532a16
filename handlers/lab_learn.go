// What the lab teaches beside its pictures: a short text for each strategy, with links to the very lines that do it.

package handlers

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/a-h/templ"

	"podbor/templates"
)

// learn is what the lab teaches, its links resolved.
type learn struct {
	sources
	index   []templates.LabDirectory
	terms   []templates.LabTerm
	lessons map[string]templates.LabLesson // by strategy
}

// newLearn resolves every link. A link to what is not there is a mistake in the program.
func newLearn(files fs.FS) (l *learn, err error) {
	l = &learn{sources: sources{files}, lessons: map[string]templates.LabLesson{}}
	index, err1 := l.indexOf()
	terms, err2 := glossaryView(l.sources, glossary)
	l.index, l.terms = index, terms
	err = errors.Join(err1, err2)
	for _, about := range lessons {
		lesson, err3 := about.view(l.sources)
		l.lessons[about.strategy] = lesson
		err = errors.Join(err, err3)
	}
	return l, err
}

func (s sources) links(spots []spot) (links []templates.LabCode, err error) {
	for _, p := range spots {
		link, err := s.link(p)
		if err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	return links, nil
}

// explanation is the text beside the chart of a run under the strategy.
func (l *learn) explanation(strategy string) templ.Component {
	return templates.LabExplanation(l.lessons[strategy])
}

// A lesson explains a strategy.
type lesson struct {
	strategy, title      string
	queries              string // for each expiry, in a few words
	miss, lets, use, own string // what happens, what it lets through, when to choose it, what it costs
	readme               string // how its row in the README begins
	spots                []spot
}

func (about lesson) view(s sources) (templates.LabLesson, error) {
	view := templates.LabLesson{Strategy: about.strategy, Title: about.title, Queries: about.queries}
	for _, point := range []struct{ name, text string }{
		{"What happens", about.miss}, {"What it lets through", about.lets}, {"When to choose it", about.use}, {"What it costs", about.own},
	} {
		text, err := prose(point.text)
		if err != nil {
			return view, fmt.Errorf("%s: %w", about.strategy, err)
		}
		view.Points = append(view.Points, templates.LabPoint{Name: point.name, Text: text})
	}
	var err1, err2 error
	view.Code, err1 = s.links(about.spots)
	view.Further, err2 = s.links([]spot{{"README.md", about.readme}, {"cache/strategy.go", "Strategy"}, {"cache/doc.go", ""}})
	return view, errors.Join(err1, err2)
}

// lessons are in the order in which a reader should meet the strategies.
var lessons = []lesson{
	{
		strategy: "off", title: "No cache", queries: "one for each visitor",
		miss: "There is nothing to miss. Every visitor's request runs the query, holds a database connection for as long as it lasts, and throws the answer away.",
		lets: "Everything: 200 visitors are 200 queries, on one process or on five. The [connection pool] is empty at once, and pages that have nothing to do with it [wait in the same line|pool-wait].",
		use:  "For what is read rarely and cheaply, or must never be a second old. Here: to measure what the others save.",
		own:  "No Redis, nothing old, nothing to understand. The database pays for every visit.",
		spots: []spot{
			{"cache/cache.go", "Cache.get"}, {"cache/load.go", "Cache.loadNaked"}, {"models/facets.go", "Store.Facets"},
		},
		readme: "| `off` |",
	},
	{
		strategy: "aside", title: "Cache-aside", queries: "one for each visitor who comes before the first answer",
		miss: "Each request asks Redis. Who finds nothing runs the query and stores the answer with a [TTL]. Nobody knows that others are doing the same.",
		lets: "Nothing while the copy lives; at its end the whole [herd]: everyone who comes in the time that one query takes. And as the queries slow each other down, that time grows, and more visitors fall into it. This is the [stampede].",
		use:  "Where the query is cheap, or no two visitors ever want the same key in the same moment. [Jitter] helps when many keys were written together; it cannot help one [hot key].",
		own:  "One round trip to Redis for each visit. No [fence]: a load that read before an edit may store its answer after it.",
		spots: []spot{
			{"cache/cache.go", "Cache.aside"}, {"cache/cache.go", "Cache.store"}, {"cache/load.go", "Cache.loadNaked"},
		},
		readme: "| `aside` |",
	},
	{
		strategy: "flight", title: "Single-flight", queries: "one for each process",
		miss: "In each process the first to miss starts the [load], and everyone who comes meanwhile joins it: check the cache, join the running flight, else start one. [Single-flight] is a map and a mutex.",
		lets: "One query for each process: three with 3 processes, five with 5. With two hundred small workers it is two hundred again.",
		use:  "Always, as the first thing: it needs no server and costs next to nothing. Alone it is enough for a few processes.",
		own:  "All who joined share one fate: when the load fails or is slow, it is so for all of them, so it must outlive the visitor who started it. Across processes there is no [fence] yet.",
		spots: []spot{
			{"cache/flight.go", "process.find"}, {"cache/cache.go", "Cache.protected"}, {"cache/cache.go", "Cache.loadAlone"}, {"cache/flight.go", "process.land"},
		},
		readme: "| `flight` |",
	},
	{
		strategy: "lock", title: "A lease in Redis", queries: "one over all processes",
		miss: "Who misses asks Redis for the key's [lease]: `SET NX PX` with a random token. One gets it and loads. The others wait until a message says that the answer is there, and look again now and then in case the message is lost.",
		lets: "One query over all processes. But every visitor asks Redis for himself, and waits for himself: 200 visitors are some hundreds of commands.",
		use:  "Where a process serves one visitor at a time, so that there is nobody to share a flight with; or where an edit must show everywhere at once: under it no process keeps copies of its own.",
		own:  "Round trips to Redis for each visit. When the holder dies, the others wait until its lease ends, two seconds at most: then comes a [takeover].",
		spots: []spot{
			{"cache/lease.go", "Cache.fill"}, {"cache/lua/acquire.lua", ""}, {"cache/lease.go", "Cache.await"}, {"cache/lease.go", "Cache.heartbeat"}, {"cache/lua/commit.lua", ""},
		},
		readme: "| `lock` |",
	},
	{
		strategy: "both", title: "Flight, then lease", queries: "one over all processes",
		miss: "First the [flight|single-flight], then the [lease]. The visitors of a process stand behind one of them, and only that one asks Redis. One process loads; a message wakes the others.",
		lets: "One query for each expiry, however many visitors and processes there are, and one conversation with Redis for each process instead of each visitor.",
		use:  "By default. It is the strongest of those that never show a copy past its TTL.",
		own:  "Whoever comes in the gap still waits for one whole query. Two mechanisms to understand, and the [fence] has to hold on both levels.",
		spots: []spot{
			{"cache/cache.go", "Cache.protected"}, {"cache/cache.go", "Cache.fly"}, {"cache/lease.go", "Cache.fill"}, {"cache/lease.go", "Cache.hold"},
		},
		readme: "| **`both`** |",
	},
	{
		strategy: "swr", title: "Stale-while-revalidate", queries: "one over all processes, and nobody waits for it",
		miss: "A copy has [two ends|soft-and-hard-ttl]. Past the soft one it is stale: visitors still get it at once, and one refresh runs behind them, under the [lease]. Only past the hard one is it gone, and then all is as under `both`.",
		lets: "One query for each expiry, in the background. Nobody waits.",
		use:  "Where a moment of age does no harm and waiting does: lists, home pages, counters.",
		own:  "An answer that is old for the length of one refresh. On a quiet key the first visitor after an hour would get an hour-old copy, which is why the hard expiry must not be far.",
		spots: []spot{
			{"cache/refresh.go", "due"}, {"cache/refresh.go", "Cache.maybeRefresh"}, {"cache/refresh.go", "Cache.refresh"}, {"cache/policy.go", "Policy.usableUntil"},
		},
		readme: "| `swr` |",
	},
	{
		strategy: "xfetch", title: "Probabilistic early refresh", queries: "one over all processes, mostly before the expiry",
		miss: "Each hit draws a random number, and starts a refresh if `now − δ·β·ln(rand) ≥ expiry`, where δ is what the last [load] took. The nearer the expiry and the dearer the load, the likelier. The visitor who drew gets the copy at once.",
		lets: "One query in the background. On a key that many ask for, it is there before the copy is old, so nobody waits and nobody sees a stale answer. [XFetch] alone would load a few times, as those who draw do not know of each other; the [lease] makes it one.",
		use:  "For [hot keys|hot-key] whose age matters.",
		own:  "Slightly more loads than the TTL asks for, and a decision that is random, so harder to follow. On a quiet key nobody draws in time, and it is [stale-while-revalidate].",
		spots: []spot{
			{"cache/refresh.go", "due"}, {"cache/refresh.go", "Cache.maybeRefresh"}, {"cache/refresh.go", "Cache.refresh"}, {"cache/load.go", "Cache.loadHere"},
		},
		readme: "| `xfetch` |",
	},
}
