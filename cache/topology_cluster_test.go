// The cache on a Redis Cluster: an entry's keys share a slot, scripts and messages work on all nodes, and neither a slot
// that moves nor a node that restarts costs an answer.

package cache

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/sony/gobreaker/v2"
)

func TestCluster(t *testing.T) {
	nodes, url := startCluster(t)
	start := func(t *testing.T, url string) *testProcess {
		return startProcess(t, Options{Client: connected(t, Connect, url)}, testPolicy(Both))
	}
	one, other := start(t, url), start(t, nodes[2].url()+"?cluster=true") // one knows three nodes, the other must ask
	client := connected(t, Connect, url).(*redis.ClusterClient)

	t.Run("an entry's keys share a slot, and entries spread over all nodes", func(t *testing.T) {
		used := map[int64]bool{}
		for i := range 30 {
			key := keyOf(fmt.Sprint(i))
			value, lease := client.ClusterKeySlot(t.Context(), key).Val(), client.ClusterKeySlot(t.Context(), leaseKey(key)).Val()
			if value != lease {
				t.Errorf("%s is in slot %d, its lease in %d", key, value, lease)
			}
			used[value*3/16384] = true
		}
		if len(used) != 3 {
			t.Errorf("30 entries are on %d of the nodes", len(used))
		}
	})

	t.Run("loads are shared and edits heard, wherever the key is", func(t *testing.T) {
		for i := range 12 {
			wantShared(t, one, other, fmt.Sprintf("shared %d", i))
		}
	})

	t.Run("every script runs on every node", func(t *testing.T) {
		for i := range 12 {
			everyScript(t, one.Cache.remote, keyOf(fmt.Sprintf("script %d", i)))
		}
	})

	t.Run("reads work without replicas", func(t *testing.T) {
		p := testPolicy(Both)
		p.ReplicaReads, p.LocalTTL = true, 0
		reader := startProcess(t, Options{Client: connected(t, Connect, url), Replicas: connected(t, ConnectReplicas, url)}, p)
		wantShared(t, one, reader, "read")
	})

	t.Run("a client that takes one node for all of Redis", func(t *testing.T) {
		p := startProcess(t, Options{Client: connected(t, Connect, nodes[0].url())}, testPolicy(Both))
		s := holding("a", 0)
		for i := range 3 * breakerFailures { // two in three are MOVED
			a, _ := p.get(fmt.Sprintf("elsewhere %d", i), s)
			wantText(t, "a", a)
		}
		refused := 0
		for i := range 10 {
			if p.Group.Invalidate(t.Context(), fmt.Sprintf("elsewhere %d", i)) != nil {
				refused++
			}
		}
		if refused == 0 {
			t.Error("no invalidation that another node should have had is an error")
		}
	})

	t.Run("a slot moves", func(t *testing.T) { slotMoves(t, nodes, client, one) })

	t.Run("a node is killed and comes back empty", func(t *testing.T) {
		nodes[1].kill()
		s := holding("a", 0)
		for i := range 30 {
			a, _ := one.get(fmt.Sprintf("while down %d", i), s)
			wantText(t, "a", a)
		}
		nodes[1].start(t)
		for _, node := range nodes {
			eventually(t, "the Cluster is whole", func() bool { return strings.Contains(node.do(t, "CLUSTER", "INFO"), "cluster_state:ok") })
		}
		one.keepsAnswering(t, "one is back")
		other.keepsAnswering(t, "the other is back")
		for i := range 12 {
			wantShared(t, one, other, fmt.Sprintf("restarted %d", i))
		}
	})
}

// everyScript runs the six scripts on a key that nobody uses.
func everyScript(t *testing.T, r remote, key string) {
	t.Helper()
	ctx := t.Context()
	must := func(what string, ok bool, err error) {
		t.Helper()
		if !ok || err != nil {
			t.Fatalf("%s on %s: %v, %v", what, key, ok, err)
		}
	}
	got, err := r.acquire(ctx, key, "a", ttl, nothing)
	must("acquire", got.granted, err)
	ours, err := r.renew(ctx, key, "a", ttl)
	must("renew", ours, err)
	result, err := r.commit(ctx, key, "a", valueOf(1, 1), ttl, message{Kind: filled, Key: key})
	must("commit", result == stored, err)
	result, err = r.replace(ctx, key, versionOfThing(2), ttl, message{Kind: voided, Key: key})
	must("replace", result == stored, err)
	must("void", true, r.void(ctx, key, message{Kind: voided, Key: key}))
	got, err = r.acquire(ctx, key, "b", ttl, nothing)
	must("acquire after void", got.granted, err)
	must("abandon", true, r.abandon(ctx, key, "b", message{Kind: freed, Key: key}))
	got, err = r.acquire(ctx, key, "c", time.Second, nothing)
	must("acquire after abandon", got.granted, err)
}

// slotMoves moves the slot of an entry to another node, step by step, and asks for the entry at each step.
func slotMoves(t *testing.T, nodes []*redisServer, client *redis.ClusterClient, p *testProcess) {
	s := holding("a", 0)
	key := keyOf("moves")
	p.get("moves", s)
	slot := client.ClusterKeySlot(t.Context(), key).Val()
	from := nodes[slot*3/16384]
	to := nodes[(slot*3/16384+1)%3]
	source, target := from.do(t, "CLUSTER", "MYID"), to.do(t, "CLUSTER", "MYID")
	wantHow := func(step string, want Result) {
		t.Helper()
		p.process.flush()
		a, how := p.get("moves", s)
		if a.err != nil || a.doc.Text != "a" || how != want {
			t.Errorf("%s: %q, %v, by %q; want it by %q", step, a.doc.Text, a.err, how, want)
		}
	}

	to.do(t, "CLUSTER", "SETSLOT", slot, "IMPORTING", source)
	from.do(t, "CLUSTER", "SETSLOT", slot, "MIGRATING", target)
	wantHow("before the key moved", HitRedis)
	host, port, _ := strings.Cut(to.addr, ":")
	from.do(t, "MIGRATE", host, port, key, 0, 1000)
	wantHow("after it moved: ASK", HitRedis)
	// What is new in the slot can be stored by nobody just now (TRYAGAIN), and is answered all the same.
	if err := client.Del(t.Context(), key).Err(); err != nil {
		t.Fatal(err)
	}
	wantHow("missing meanwhile", Loaded)
	for _, node := range nodes {
		node.do(t, "CLUSTER", "SETSLOT", slot, "NODE", target)
	}
	wantHow("the slot is the target's: MOVED", Loaded)
	wantHow("and stored there", HitRedis)
	everyScript(t, p.Cache.remote, strings.Replace(key, "}", "}moved", 1)) // of the same slot
	wantLoads(t, s, 3)
	wantState(t, p.Cache.remote.(*guarded), gobreaker.StateClosed)
}
