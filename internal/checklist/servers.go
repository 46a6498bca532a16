// The settings of the Redis servers, and whether the site measures what an operator needs.

package checklist

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"podbor/internal/redisstats"
)

func serverRows(ctx context.Context, t Target) []Row {
	return append(
		memoryRows(ctx, "cache Redis", t.Cache, "full memory evicts", func(policy string) bool { return strings.HasPrefix(policy, "allkeys-") }),
		memoryRows(ctx, "session Redis", t.Session, "full memory evicts nothing", func(policy string) bool { return policy == "noeviction" })...,
	)
}

func memoryRows(ctx context.Context, server string, client redis.UniversalClient, check string, right func(policy string) bool) []Row {
	nodes, err := redisstats.Info(ctx, client)
	if err != nil {
		return []Row{{server, "answers", false, err.Error()}}
	}
	var rows []Row
	for node, info := range nodes {
		limit, policy := info["maxmemory"], info["maxmemory_policy"]
		rows = append(rows,
			Row{server, "memory is limited", limit != "" && limit != "0", fmt.Sprintf("%s: maxmemory %s", node, info["maxmemory_human"])},
			Row{server, check, right(policy), fmt.Sprintf("%s: %s", node, policy)},
		)
	}
	return rows
}

// wanted are the metrics without which nobody could tell how the cache does.
var wanted = []struct{ what, name string }{
	{"hit ratio by prefix", "cache_requests_total"},
	{"time of a hit", "cache_hit_seconds_count"},
	{"time of a miss", "cache_load_seconds_count"},
	{"loads by outcome", "cache_loads_total"},
	{"leases lost and refused", "cache_leases_total"},
	{"wait for a lease", "cache_lease_wait_seconds_count"},
	{"circuit breaker", "cache_breaker_state"},
	{"queries by kind", "db_queries_started_total"},
	{"Redis CPU", "redis_cpu_seconds_total"},
	{"Redis evictions", "redis_evicted_keys_total"},
	{"Redis rejections", "redis_rejected_connections_total"},
}

func metricRows(metrics string) []Row {
	rows := make([]Row, 0, len(wanted))
	for _, w := range wanted {
		series := strings.Count("\n"+metrics, "\n"+w.name+"{")
		rows = append(rows, Row{"metrics", w.what, series > 0, fmt.Sprintf("%s: %d series", w.name, series)})
	}
	return rows
}
