// Which servers take the writes, so that a failover is noticed.

package cache

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Primaries names the data set of every server that takes writes for client. The name changes when a replica is promoted,
// which may have missed the last commands, and when a server starts anew.
func Primaries(ctx context.Context, client redis.UniversalClient) (string, error) {
	var mu sync.Mutex // protects ids
	var ids []string
	ask := func(ctx context.Context, client *redis.Client) error {
		id, err := replicationID(ctx, client)
		mu.Lock()
		defer mu.Unlock()
		ids = append(ids, id)
		return err
	}
	var err error
	switch client := client.(type) {
	case *redis.ClusterClient:
		err = client.ForEachMaster(ctx, ask)
	case *redis.Client:
		err = ask(ctx, client)
	default:
		err = fmt.Errorf("unknown kind of client %T", client)
	}
	if err != nil {
		return "", fmt.Errorf("ask Redis for its replication id: %w", err)
	}
	slices.Sort(ids)
	return strings.Join(ids, " "), nil
}

func replicationID(ctx context.Context, client *redis.Client) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	info, err := client.InfoMap(ctx, "replication").Result()
	if err != nil {
		return "", err
	}
	id := info["Replication"]["master_replid"]
	if id == "" {
		return "", fmt.Errorf("INFO replication has no master_replid")
	}
	return id, nil
}
