// Real clusters of redis-servers for the topology tests: a Cluster of three, and a primary with a replica and a Sentinel.

package cache

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// startCluster starts three nodes that share the slots, without replicas.
func startCluster(t *testing.T) (nodes []*redisServer, url string) {
	t.Helper()
	type bus struct{ host, port, bus string }
	var addrs []bus
	for range 3 {
		port := freePort(t) // the default, ten thousand above the port, need not exist
		node := startRedis(t, "--cluster-enabled", "yes", "--cluster-port", port, "--cluster-node-timeout", "1000")
		host, own, _ := net.SplitHostPort(node.addr)
		nodes, addrs = append(nodes, node), append(addrs, bus{host, own, port})
	}
	for i, node := range nodes {
		first, last := 16384*i/3, 16384*(i+1)/3-1
		node.do(t, "CLUSTER", "ADDSLOTSRANGE", first, last)
		node.do(t, "CLUSTER", "SET-CONFIG-EPOCH", i+1)
	}
	for _, a := range addrs[1:] {
		nodes[0].do(t, "CLUSTER", "MEET", a.host, a.port, a.bus)
	}
	for _, node := range nodes {
		eventually(t, "the node knows the Cluster", func() bool {
			info := node.do(t, "CLUSTER", "INFO")
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3")
		})
	}
	return nodes, nodes[0].url() + "?addr=" + nodes[1].addr + "&addr=" + nodes[2].addr
}

// startSentinel starts a primary, its replica, and one Sentinel that is quick to act.
func startSentinel(t *testing.T) (primary, replica *redisServer, url string) {
	t.Helper()
	primary = startRedis(t, "--repl-diskless-sync-delay", "0")
	host, port, _ := net.SplitHostPort(primary.addr)
	replica = startRedis(t, "--replicaof", host+" "+port)
	eventually(t, "the replica follows", func() bool {
		return strings.Contains(replica.do(t, "INFO", "replication"), "master_link_status:up")
	})

	dir, own := t.TempDir(), freePort(t)
	conf := filepath.Join(dir, "sentinel.conf")
	text := fmt.Sprintf(`bind 127.0.0.1
port %s
dir %s
sentinel monitor main %s %s 1
sentinel down-after-milliseconds main 500
sentinel failover-timeout main 2000
`, own, dir, host, port)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sentinel := &redisServer{addr: "127.0.0.1:" + own, args: []string{conf, "--sentinel"}}
	sentinel.start(t)
	eventually(t, "the Sentinel knows the replica", func() bool {
		replicas := sentinel.do(t, "SENTINEL", "REPLICAS", "main")
		return strings.Contains(replicas, replica.addr) && strings.Contains(replicas, "master-link-status:ok")
	})
	return primary, replica, sentinel.url() + "?master_name=main"
}

// do runs one command on this very server and returns its reply as text.
func (s *redisServer) do(t *testing.T, args ...any) string {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: s.addr, PoolSize: 1})
	defer client.Close()
	reply, err := client.Do(t.Context(), args...).Result()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return fmt.Sprint(reply)
}

func freePort(t *testing.T) string {
	t.Helper()
	_, port, _ := net.SplitHostPort(reserveRedis(t).addr)
	return port
}

// connected returns the client of a URL, made by Connect or ConnectReplicas.
func connected(t *testing.T, connect func(string) (redis.UniversalClient, error), url string) redis.UniversalClient {
	t.Helper()
	client, err := connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// startProcess starts a process of the site and waits for its subscription.
func startProcess(t *testing.T, o Options, p Policy) *testProcess {
	t.Helper()
	o.Namespace, o.MaxLoads, o.Log = "test", 8, slog.New(slog.DiscardHandler)
	if o.Registry == nil {
		o.Registry = prometheus.NewRegistry()
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	g, err := NewGroup[doc](c, "docs", 1, p)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the process listens", c.process.live)
	return &testProcess{Cache: c, Group: g}
}

// wantShared claims that a load by one process is a hit in Redis for another, and that an edit reaches both: all that a
// cache needs of its Redis.
func wantShared(t *testing.T, one, other *testProcess, id string) {
	t.Helper()
	s := holding("old", 0)
	a, how := one.get(id, s)
	wantText(t, "old", a)
	wantResult(t, how, Loaded)
	a, how = other.get(id, s)
	wantText(t, "old", a)
	wantResult(t, how, HitRedis)
	s.edit("new")
	if err := one.Group.Invalidate(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the other process hears of the edit", func() bool {
		a, _ := other.get(id, s)
		return a.doc.Text == "new"
	})
}

// keepsAnswering asks until the cache works again, and claims that every answer on the way was right.
func (p *testProcess) keepsAnswering(t *testing.T, again string) {
	t.Helper()
	s, n := holding("a", 0), 0
	eventually(t, again, func() bool {
		n++
		id := fmt.Sprintf("%s %d", again, n)
		a, _ := p.get(id, s)
		wantText(t, "a", a)
		p.process.flush()
		a, how := p.get(id, s)
		wantText(t, "a", a)
		return how == HitRedis && p.process.live()
	})
}
