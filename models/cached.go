// The cached store: the only place where the cache meets the domain.

package models

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"podbor/cache"
)

// The errors that handlers branch on.
var (
	ErrNotFound    = cache.ErrNotFound
	ErrOverloaded  = cache.ErrOverloaded
	ErrLoadTimeout = cache.ErrLoadTimeout
	ErrUnavailable = cache.ErrUnavailable
)

// A Trace tells how a request's reads were answered, a Lookup each.
type (
	Trace = cache.Trace
	// Lookup is one answered read.
	Lookup = cache.Lookup
)

// WithTrace returns a context whose reads are recorded in the Trace.
func WithTrace(ctx context.Context) (context.Context, *Trace) { return cache.WithTrace(ctx) }

// Lookups returns the reads of the request so far.
func Lookups(ctx context.Context) []Lookup { return cache.Lookups(ctx) }

// A Policy is one row of the policy table.
type Policy struct {
	Prefix string
	cache.Policy
	// CanMiss says that visitors choose the ids, and can name what does not exist.
	CanMiss bool
	// Away is what a visitor sees while Redis is away and this process has no copy.
	Away string
}

// Policies is how stale each kind of data may be and what protects its loads. NewCached uses this table, and the
// checklist holds the running site to it.
func Policies(s cache.Strategy) []Policy {
	const sec, minute = time.Second, time.Minute
	// Nobody minds a home page that is a refresh old, so nobody waits for it either, if anything is protected at all.
	behind := cache.SWR
	if s == cache.Off || s == cache.Aside {
		behind = s
	}
	const loads = "loaded from PostgreSQL, a few at a time; beyond that 503 with Retry-After"
	table := []Policy{
		// The city's version is in the keys of its lists and counts: an edit moves on to new keys at once.
		{"list", ttl(s, 60*sec, 10*minute, 2*sec, 0), false, loads},
		{"facets", ttl(s, 60*sec, 10*minute, 2*sec, 0), false, loads},
		// Asked only where few homes match; its keys are those of the counts.
		{"relax", ttl(s, 60*sec, 10*minute, 2*sec, 0), false, loads + "; the page goes without the advice rather than fail"},
		// Beside the point of the page that asks for it.
		{"similar", ttl(s, 5*minute, 30*minute, 5*sec, 0), false, loads + "; the page goes without similar homes rather than wait"},
		// For crawlers, to whom an hour is nothing. A part is large, so no process keeps one for long.
		{"sitemap", ttl(s, 10*minute, 60*minute, 5*sec, 0), false, loads},
		// Changes rarely, and is invalidated by its edit.
		{"apartment", ttl(s, 10*minute, 30*minute, 5*sec, 60*sec), true, loads},
		// Invalidated by nothing but time, and so the only one that replicas may answer. A replica that lags still has
		// the apartment or the city versions that an edit has deleted, and not yet the lists that it moved to new keys.
		{"home", ttl(behind, 60*sec, 5*minute, 5*sec, 0), false, loads},
		// Carries the city versions, so it bounds how long an unheard-of edit can hide.
		{"cities", ttl(s, 5*sec, 30*sec, 1*sec, 0), false, loads},
		// Invalidated by its edit. The local copy bounds how long a process can miss it.
		{"flag", ttl(s, 30*sec, 60*sec, 10*sec, 0), false, loads + "; whatever fails, the flags stay as this process last saw them"},
		// Grows by itself: invalidated by nothing, and no page waits long for it.
		{"views", ttl(behind, 30*sec, 10*minute, 5*sec, 0), false, loads + "; the page goes without the number rather than wait"},
	}
	for i := range table {
		table[i].ReplicaReads = table[i].Prefix == "home"
		table[i].Jitter, table[i].Beta = 0.1, 1
		// A facet query takes 0.2 s alone and a few seconds among a pool full of them.
		table[i].LoadTimeout, table[i].LeaseTTL = 5*sec, 2*sec
	}
	return table
}

func ttl(s cache.Strategy, soft, hard, local, negative time.Duration) cache.Policy {
	return cache.Policy{Strategy: s, SoftTTL: soft, HardTTL: hard, LocalTTL: local, NegativeTTL: negative}
}

// Schema numbers of the cached types. Raise one whenever its type changes: a test compares them with the types.
const (
	citiesSchema    = 1
	listSchema      = 1
	facetsSchema    = 2
	relaxSchema     = 1
	similarSchema   = 1
	sitemapSchema   = 1
	apartmentSchema = 1
	homeSchema      = 2
	flagsSchema     = 1
	viewsSchema     = 1
)

// Cached has the methods of Store: reads are answered through the cache, edits told to it (cached_edit.go).
// What it returns is shared by all who ask: read it only.
type Cached struct {
	cache      *cache.Cache
	store      *Store
	cities     *cache.Group[[]City]
	lists      *cache.Group[[]Card]
	facets     *cache.Group[Facets]
	relax      *cache.Group[[]Relaxation]
	similar    *cache.Group[Similar]
	sitemap    *cache.Group[Sitemap]
	apartments *cache.Group[Detail]
	home       *cache.Group[Home]
	flags      *cache.Group[Flags]
	views      *cache.Group[int64]
	lastFlags  atomic.Pointer[Flags] // as last seen
}

// NewCached puts c, with the given strategy for every prefix, before store. Lists and counts are kept in listing, which may
// be c. They can have a Redis of their own because no edit deletes them there: it moves them to new keys.
func NewCached(store *Store, c, listing *cache.Cache, strategy cache.Strategy) (*Cached, error) {
	p := map[string]cache.Policy{}
	for _, row := range Policies(strategy) {
		p[row.Prefix] = row.Policy
	}
	cached := &Cached{cache: c, store: store}
	var err error
	if cached.cities, err = cache.NewGroup[[]City](c, "cities", citiesSchema, p["cities"]); err != nil {
		return nil, err
	}
	if cached.lists, err = cache.NewGroup[[]Card](listing, "list", listSchema, p["list"]); err != nil {
		return nil, err
	}
	if cached.facets, err = cache.NewGroup[Facets](listing, "facets", facetsSchema, p["facets"]); err != nil {
		return nil, err
	}
	if cached.relax, err = cache.NewGroup[[]Relaxation](listing, "relax", relaxSchema, p["relax"]); err != nil {
		return nil, err
	}
	if cached.similar, err = cache.NewGroup[Similar](listing, "similar", similarSchema, p["similar"]); err != nil {
		return nil, err
	}
	if cached.sitemap, err = cache.NewGroup[Sitemap](listing, "sitemap", sitemapSchema, p["sitemap"]); err != nil {
		return nil, err
	}
	if cached.apartments, err = cache.NewGroup[Detail](c, "apartment", apartmentSchema, p["apartment"]); err != nil {
		return nil, err
	}
	if cached.home, err = cache.NewGroup[Home](c, "home", homeSchema, p["home"]); err != nil {
		return nil, err
	}
	if cached.flags, err = cache.NewGroup[Flags](c, "flag", flagsSchema, p["flag"]); err != nil {
		return nil, err
	}
	if cached.views, err = cache.NewGroup[int64](c, "views", viewsSchema, p["views"]); err != nil {
		return nil, err
	}
	first := builtIn()
	cached.lastFlags.Store(&first)
	return cached, nil
}

// Cities returns all cities with their districts. They are one entry, so that an unknown slug costs nothing.
func (c *Cached) Cities(ctx context.Context) ([]City, error) {
	return c.cities.Get(ctx, "all", c.store.Cities)
}

// List returns one page of a city's apartments.
func (c *Cached) List(ctx context.Context, city City, f Filter) ([]Card, error) {
	return c.lists.Get(ctx, cityID(city, f.ListID()), func(ctx context.Context) ([]Card, error) {
		return c.store.List(ctx, city, f)
	})
}

// Facets returns the counts beside that list: the heavy query.
func (c *Cached) Facets(ctx context.Context, city City, f Filter) (Facets, error) {
	return c.facets.Get(ctx, cityID(city, f.FacetsID()), func(ctx context.Context) (Facets, error) {
		return c.store.Facets(ctx, city, f)
	})
}

// Relax says which filter stands most in the way of f.
func (c *Cached) Relax(ctx context.Context, city City, f Filter) ([]Relaxation, error) {
	return c.relax.Get(ctx, cityID(city, f.FacetsID()), func(ctx context.Context) ([]Relaxation, error) {
		return c.store.Relax(ctx, city, f)
	})
}

// Similar finds what is like a home. It does not fail: nobody came for it, so nobody waits long for it, and the page of
// a home is complete without it.
func (c *Cached) Similar(ctx context.Context, city City, home Card) Similar {
	ctx, cancel := context.WithTimeout(ctx, similarWithin)
	defer cancel()
	l := likeness(city, home)
	similar, err := c.similar.Get(ctx, cityID(city, fmt.Sprintf("%d:%d:%d", l.DistrictID, l.Rooms, l.Band)), func(ctx context.Context) (Similar, error) {
		return c.store.Similar(ctx, city, l)
	})
	if err != nil {
		return Similar{}
	}
	return similar
}

// similarWithin is several times what the query takes.
const similarWithin = 250 * time.Millisecond

// SitemapIndex says how many parts the sitemap has.
func (c *Cached) SitemapIndex(ctx context.Context) (Sitemap, error) {
	return c.sitemap.Get(ctx, "index", c.store.SitemapIndex)
}

// SitemapPart returns one of them. Only parts that the index counts may be asked for, so that no other makes a key.
func (c *Cached) SitemapPart(ctx context.Context, part int) (Sitemap, error) {
	return c.sitemap.Get(ctx, strconv.Itoa(part), func(ctx context.Context) (Sitemap, error) {
		return c.store.SitemapPart(ctx, part)
	})
}

// Apartment returns one apartment, or ErrNotFound.
func (c *Cached) Apartment(ctx context.Context, id int64) (Detail, error) {
	return c.apartments.Get(ctx, strconv.FormatInt(id, 10), func(ctx context.Context) (Detail, error) {
		return c.store.Apartment(ctx, id)
	})
}

// Home returns what the home page shows.
func (c *Cached) Home(ctx context.Context) (Home, error) {
	return c.home.Get(ctx, "all", c.store.Home)
}

// Flags returns which parts of the site are on. It does not fail: what was turned off because it did harm must not come
// back because the database is away, and no page is worth less without its flags.
func (c *Cached) Flags(ctx context.Context) Flags {
	last := c.lastFlags.Load()
	flags, err := c.flags.Get(ctx, "all", c.store.Flags)
	if err != nil {
		return *last
	}
	if flags != *last {
		seen := flags
		c.lastFlags.Store(&seen)
	}
	return flags
}

// viewsWithin bounds the wait for a number that nobody came for.
const viewsWithin = 100 * time.Millisecond

// Views returns how often an apartment was looked at, as of some seconds ago; 0 if that cannot be told quickly.
func (c *Cached) Views(ctx context.Context, apartment int64) int64 {
	ctx, cancel := context.WithTimeout(ctx, viewsWithin)
	defer cancel()
	views, err := c.views.Get(ctx, strconv.FormatInt(apartment, 10), func(ctx context.Context) (int64, error) {
		return c.store.Views(ctx, apartment)
	})
	if err != nil {
		return 0
	}
	return views
}

// cityID puts the city's version into an id: an edit bumps it, and all lists of the city move to new keys.
// The old ones die by their TTL.
func cityID(city City, id string) string {
	return fmt.Sprintf("%s:v%d:%s", city.Slug, city.Version, id)
}
