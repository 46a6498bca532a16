// The caches of this process: one, or two where lists and counts have a Redis of their own.

package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"podbor/cache"
	"podbor/internal/redisstats"
	"podbor/models"
)

// openCache makes the cache, and the relay that tells its Redis of edits, before reads return to a Redis that was away.
// Redis need not be there: the site works without it, only slower.
func openCache(ctx context.Context, cfg config, client, replicas redis.UniversalClient, db *models.DB, registry *prometheus.Registry, log *slog.Logger) (*cache.Cache, *models.Relay, error) {
	namespace, err := cacheNamespace(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	primaries := func(ctx context.Context) (string, error) { return cache.Primaries(ctx, client) }
	relay := models.NewRelay(db, primaries, log)
	c, err := cache.New(cache.Options{
		Client:    client,
		Replicas:  replicas,
		Namespace: namespace,
		Registry:  registry,
		Log:       log,
		MaxLoads:  cfg.maxLoads(),
		Probe:     relay.Probe,
	})
	return c, relay, err
}

// openListingCache makes the cache of lists and counts, if they have a Redis of their own; else c is it. It needs no relay:
// no edit deletes anything there.
func openListingCache(ctx context.Context, cfg config, c *cache.Cache, db *models.DB, registry *prometheus.Registry, log *slog.Logger) (listing *cache.Cache, stop func(), err error) {
	if cfg.ListingRedisURL == "" {
		return c, func() {}, nil
	}
	namespace, err := cacheNamespace(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	client, err := cache.Connect(cfg.ListingRedisURL)
	if err != nil {
		return nil, nil, err
	}
	registry.MustRegister(redisstats.New("listing", client))
	listing, err = cache.New(cache.Options{
		Client:    client,
		Server:    "listing",
		Namespace: namespace,
		Registry:  registry,
		Log:       log,
		MaxLoads:  cfg.maxListingLoads(),
	})
	if err != nil {
		return nil, nil, errors.Join(err, client.Close())
	}
	return listing, func() { listing.Close(); _ = client.Close() }, nil
}

// cacheNamespace starts every key of the cache. It changes with the database.
func cacheNamespace(ctx context.Context, db *models.DB) (string, error) {
	id, err := db.Namespace(ctx)
	return "podbor:" + id, err
}

// siteInfo tells, among the metrics, what this process was started with.
func siteInfo(s cache.Strategy) prometheus.Collector {
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "site_info", Help: "Always 1; the label is what stands between a miss and the database.",
		ConstLabels: prometheus.Labels{"strategy": string(s)},
	})
	info.Set(1)
	return info
}

// maxLoads is how many loads the cache may run at once. A quarter of the pool stays free for what is not loaded through it,
// and half is for lists and counts where they have a cache of their own.
func (c config) maxLoads() int {
	if c.ListingRedisURL != "" {
		return max(1, c.DBPool/4)
	}
	return max(1, c.DBPool*3/4)
}

func (c config) maxListingLoads() int { return max(1, c.DBPool/2) }
