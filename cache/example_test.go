package cache_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"podbor/cache"
)

// Two hundred callers want the same report at the same moment. There is no Redis at this address, so the lease cannot
// help; the flight still makes it one load.
func ExampleGroup_Get() {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, ContextTimeoutEnabled: true})
	defer client.Close()
	c, err := cache.New(cache.Options{
		Client: client, Namespace: "example", Registry: prometheus.NewRegistry(), MaxLoads: 4, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	reports, err := cache.NewGroup[string](c, "reports", 1, cache.Policy{
		Strategy: cache.Both, SoftTTL: time.Minute, HardTTL: time.Minute, NegativeTTL: 30 * time.Second,
		LoadTimeout: 3 * time.Second, LeaseTTL: 2 * time.Second,
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	load := func(context.Context) (string, error) {
		fmt.Println("loading")
		time.Sleep(500 * time.Millisecond) // a heavy query
		return "42 flats", nil
	}
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			if report, err := reports.Get(context.Background(), "7", load); report != "42 flats" {
				fmt.Println(report, err)
			}
		})
	}
	all.Wait()

	_, err = reports.Get(context.Background(), "8", func(context.Context) (string, error) { return "", cache.ErrNotFound })
	fmt.Println(errors.Is(err, cache.ErrNotFound))
	// Output:
	// loading
	// true
}
