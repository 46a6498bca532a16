package redisstats_test

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"podbor/internal/redisstats"
	"podbor/internal/servers"
	"podbor/internal/servers/serverstest"
)

func TestMain(m *testing.M) { serverstest.Main(m) }

func TestServerTellsWhatItEvictedAndRefused(t *testing.T) {
	server, err := servers.StartRedis(t.Context(), t.TempDir(), "--maxmemory", "3mb", "--maxmemory-policy", "allkeys-lru", "--maxclients", "4")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	options, err := redis.ParseURL(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	options.PoolSize, options.MaxRetries = 1, -1
	client := redis.NewClient(options)
	defer client.Close()
	for i := range 200 {
		if err := client.Set(t.Context(), string(rune('a'+i)), make([]byte, 50_000), 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for range 6 { // each a connection of its own, kept open
		another := redis.NewClient(options)
		defer another.Close()
		_ = another.Ping(t.Context()).Err()
	}

	got := scrape(t, redisstats.New("cache", client))
	want := func(name string, ok func(float64) bool) {
		t.Helper()
		if v, there := got[name]; !there || !ok(v) {
			t.Errorf("%s = %v (there: %v)", name, v, there)
		}
	}
	positive := func(v float64) bool { return v > 0 }
	want("redis_up", func(v float64) bool { return v == 1 })
	want("redis_cpu_seconds_total", positive)
	want("redis_memory_used_bytes", func(v float64) bool { return v > 1e6 && v < 5e6 })
	want("redis_memory_max_bytes", func(v float64) bool { return v == 3<<20 })
	want("redis_connected_clients", func(v float64) bool { return v >= 2 && v <= 4 })
	want("redis_commands_total", func(v float64) bool { return v >= 200 })
	want("redis_evicted_keys_total", func(v float64) bool { return v >= 100 })
	want("redis_rejected_connections_total", func(v float64) bool { return v >= 2 })
}

func TestServerThatIsAway(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	defer client.Close()
	if got := scrape(t, redisstats.New("cache", client)); len(got) != 1 || got["redis_up"] != 0 {
		t.Errorf("got %v; want redis_up 0 and nothing else", got)
	}
	if _, err := redisstats.Info(context.Background(), client); err == nil {
		t.Error("Info of nobody succeeds")
	}
}

func scrape(t *testing.T, c prometheus.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, family := range families {
		m := family.Metric[0]
		got[family.GetName()] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
	}
	return got
}
