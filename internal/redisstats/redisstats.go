// Package redisstats asks Redis servers how they are: what INFO says, as Prometheus metrics and for the checklist.
//
// What a client measures cannot tell a slow server from a busy network, or an eviction from an expiry; the server can.
package redisstats

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// timeout bounds the asking: a silent Redis must not make /metrics silent too.
const timeout = time.Second

// Info returns what INFO says of every primary that client talks to, by address: field name to value.
func Info(ctx context.Context, client redis.UniversalClient) (map[string]map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var mu sync.Mutex // protects nodes: a cluster's nodes are asked side by side
	nodes := map[string]map[string]string{}
	ask := func(ctx context.Context, address string, c redis.Cmdable) error {
		text, err := c.Info(ctx).Result()
		if err != nil {
			return fmt.Errorf("ask Redis for INFO: %w", err)
		}
		mu.Lock()
		defer mu.Unlock()
		nodes[address] = parse(text)
		return nil
	}
	var err error
	switch c := client.(type) {
	case *redis.ClusterClient:
		err = c.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
			return ask(ctx, node.Options().Addr, node)
		})
	case *redis.Client:
		err = ask(ctx, c.Options().Addr, c)
	default:
		err = ask(ctx, "redis", c)
	}
	return nodes, err
}

func parse(info string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(info) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), ":"); found && !strings.HasPrefix(line, "#") {
			fields[name] = value
		}
	}
	return fields
}

// A Collector reads INFO whenever its metrics are scraped.
type Collector struct {
	client redis.UniversalClient
	up     *prometheus.Desc
	fields []field
}

// A field is one metric and the INFO fields whose sum it is.
type field struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	from []string
}

// New returns a collector for the servers behind client; server names them in the label: "cache", "session".
func New(server string, client redis.UniversalClient) *Collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, prometheus.Labels{"server": server})
	}
	one := func(kind prometheus.ValueType, name, help string, from ...string) field {
		return field{desc(name, help, "node"), kind, from}
	}
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	return &Collector{client: client, up: desc("redis_up", "1 if the server answers INFO."), fields: []field{
		one(counter, "redis_cpu_seconds_total", "CPU time of the server, user and system.", "used_cpu_sys", "used_cpu_user"),
		one(gauge, "redis_memory_used_bytes", "Memory in use.", "used_memory"),
		one(gauge, "redis_memory_max_bytes", "The maxmemory setting; 0 is no limit.", "maxmemory"),
		one(gauge, "redis_connected_clients", "Open client connections.", "connected_clients"),
		one(counter, "redis_commands_total", "Commands processed.", "total_commands_processed"),
		one(counter, "redis_evicted_keys_total", "Keys evicted because memory was full.", "evicted_keys"),
		one(counter, "redis_expired_keys_total", "Keys that reached their TTL.", "expired_keys"),
		one(counter, "redis_rejected_connections_total", "Connections refused because maxclients was reached.", "rejected_connections"),
	}}
}

// Describe implements prometheus.Collector.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	out <- c.up
	for _, f := range c.fields {
		out <- f.desc
	}
}

// Collect implements prometheus.Collector. While no server answers there is nothing but redis_up 0.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	nodes, err := Info(context.Background(), c.client)
	up := 1.0
	if err != nil {
		up = 0
	}
	out <- prometheus.MustNewConstMetric(c.up, prometheus.GaugeValue, up)
	for node, info := range nodes {
		for _, f := range c.fields {
			sum, err := f.sum(info)
			if err != nil {
				out <- prometheus.NewInvalidMetric(f.desc, err)
				continue
			}
			out <- prometheus.MustNewConstMetric(f.desc, f.kind, sum, node)
		}
	}
}

func (f field) sum(info map[string]string) (float64, error) {
	total := 0.0
	for _, name := range f.from {
		value, err := strconv.ParseFloat(info[name], 64)
		if err != nil {
			return 0, fmt.Errorf("INFO field %s: %w", name, err)
		}
		total += value
	}
	return total, nil
}
