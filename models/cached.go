// The cached store: the only place where the cache meets the domain.

package models

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"podbor/cache"
)

// The errors that handlers branch on.
var (
	ErrNotFound    = cache.ErrNotFound
	ErrOverloaded  = cache.ErrOverloaded
	ErrLoadTimeout = cache.ErrLoadTimeout
)

// Trace and Lookup tell how each of a request's reads was answered.
type (
	Trace  = cache.Trace
	Lookup = cache.Lookup
)

// WithTrace returns a context whose reads are recorded in the Trace.
func WithTrace(ctx context.Context) (context.Context, *Trace) { return cache.WithTrace(ctx) }

// policies is how stale each kind of data may be, one row per prefix.
//
//	prefix     soft        hard         local    negative  why
//	list       60 s        10 min       2 s      –         the city's version is in the key: an edit moves on at once
//	facets     60 s        10 min       2 s      –         the same
//	apartment  10 min      30 min       5 s      60 s      changes rarely; invalidated by its edit
//	home       60 s        5 min        5 s      –         nobody minds
//	cities     5 s         30 s         1 s      –         carries the city versions, so it bounds them all
func policies(s cache.Strategy) map[string]cache.Policy {
	row := func(soft, hard, local, negative time.Duration) cache.Policy {
		return cache.Policy{
			Strategy: s,
			SoftTTL:  soft, HardTTL: hard, LocalTTL: local, NegativeTTL: negative,
			Jitter: 0.1, Beta: 1,
			// A facet query takes 0.2 s alone and a few seconds among a pool full of them.
			LoadTimeout: 5 * time.Second,
			LeaseTTL:    2 * time.Second,
		}
	}
	const s1, m1 = time.Second, time.Minute
	return map[string]cache.Policy{
		"list":      row(60*s1, 10*m1, 2*s1, 0),
		"facets":    row(60*s1, 10*m1, 2*s1, 0),
		"apartment": row(10*m1, 30*m1, 5*s1, 60*s1),
		"home":      row(60*s1, 5*m1, 5*s1, 0),
		"cities":    row(5*s1, 30*s1, 1*s1, 0),
	}
}

// Schema numbers of the cached types. Raise one whenever its type changes: a test compares them with the types.
const (
	citiesSchema    = 1
	listSchema      = 1
	facetsSchema    = 1
	apartmentSchema = 1
	homeSchema      = 1
)

// Cached has the read methods of Store, answered through the cache.
type Cached struct {
	store      *Store
	cities     *cache.Group[[]City]
	lists      *cache.Group[[]Card]
	facets     *cache.Group[Facets]
	apartments *cache.Group[Detail]
	home       *cache.Group[Home]
}

// NewCached puts c, with the given strategy for every prefix, before store.
func NewCached(store *Store, c *cache.Cache, strategy cache.Strategy) (*Cached, error) {
	p := policies(strategy)
	cached := &Cached{store: store}
	var err error
	if cached.cities, err = cache.NewGroup(c, "cities", citiesSchema, p["cities"], cloneCities); err != nil {
		return nil, err
	}
	if cached.lists, err = cache.NewGroup(c, "list", listSchema, p["list"], slices.Clone[[]Card]); err != nil {
		return nil, err
	}
	if cached.facets, err = cache.NewGroup(c, "facets", facetsSchema, p["facets"], cloneFacets); err != nil {
		return nil, err
	}
	if cached.apartments, err = cache.NewGroup(c, "apartment", apartmentSchema, p["apartment"], cloneDetail); err != nil {
		return nil, err
	}
	if cached.home, err = cache.NewGroup(c, "home", homeSchema, p["home"], cloneHome); err != nil {
		return nil, err
	}
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

// cityID puts the city's version into an id: an edit bumps it, and all lists of the city move to new keys.
// The old ones die by their TTL.
func cityID(city City, id string) string {
	return fmt.Sprintf("%s:v%d:%s", city.Slug, city.Version, id)
}

func cloneCities(cities []City) []City {
	cities = slices.Clone(cities)
	for i := range cities {
		cities[i].Districts = slices.Clone(cities[i].Districts)
	}
	return cities
}

func cloneFacets(f Facets) Facets {
	f.Districts, f.ByDistrict = maps.Clone(f.Districts), maps.Clone(f.ByDistrict)
	return f
}

func cloneDetail(d Detail) Detail {
	d.Amenities, d.History = slices.Clone(d.Amenities), slices.Clone(d.History)
	return d
}

func cloneHome(h Home) Home {
	h.Homes, h.Latest = maps.Clone(h.Homes), slices.Clone(h.Latest)
	return h
}
