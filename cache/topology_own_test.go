// Two prefixes with a Redis of their own each: what happens to one does not happen to the other.

package cache

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"
)

// neighbours starts a process with two caches: docs on the first server, lists on the second.
func neighbours(t *testing.T) (docs *testProcess, lists *testProcess, second *redisServer) {
	t.Helper()
	registry := prometheus.NewRegistry()
	first, second := startRedis(t), startRedis(t)
	policy := testPolicy(Both)
	policy.LocalTTL = 0
	docs = startProcess(t, Options{Client: first.client(t), Registry: registry}, policy)
	lists = startProcess(t, Options{Client: second.client(t), Registry: registry, Server: "listing", MaxWait: 100 * time.Millisecond}, policy)
	var err error
	if lists.Group, err = NewGroup[doc](lists.Cache, "lists", 1, policy); err != nil {
		t.Fatal(err)
	}
	return docs, lists, second
}

func TestAFrozenRedisOfOnePrefixLeavesTheOtherAlone(t *testing.T) {
	docs, lists, second := neighbours(t)
	s := holding("a", 0)
	docs.get("1", s)
	lists.get("1", s)
	wantLoads(t, s, 2)

	second.signal(t, syscall.SIGSTOP)
	storm := make(chan []answer, 1)
	go func() {
		storm <- herd(100, func(i int) (doc, error) { return lists.Get(t.Context(), fmt.Sprint(i%10), s.load) })
	}()
	for range 100 {
		a, how := docs.get("1", s)
		wantText(t, "a", a)
		wantResult(t, how, HitRedis)
		if a.took > commandTimeout/2 {
			t.Fatalf("a hit took %v", a.took)
		}
	}
	<-storm // some shed, none for ever
	if !lists.Cache.remote.(*guarded).away.Load() {
		t.Error("the frozen server is still asked")
	}
	wantState(t, docs.Cache.remote.(*guarded), gobreaker.StateClosed)

	second.signal(t, syscall.SIGCONT)
	lists.keepsAnswering(t, "the second works again")
}

// The slots are apart too: a storm of different keys fills its own.
func TestAStormOnOnePrefixLeavesTheOthersSlotsAlone(t *testing.T) {
	docs, lists, _ := neighbours(t)
	slow := &source{row: doc{Text: "a"}, gate: make(chan struct{})}
	storm := make(chan []answer, 1)
	go func() {
		storm <- herd(50, func(i int) (doc, error) { return lists.Get(t.Context(), fmt.Sprint(i), slow.load) })
	}()
	eventually(t, "the storm fills its slots", func() bool { return slow.loads() == 8 })

	s := holding("a", 0)
	a, how := docs.get("miss", s)
	wantText(t, "a", a)
	wantResult(t, how, Loaded)
	_, how = docs.get("miss", s)
	wantResult(t, how, HitRedis)

	close(slow.gate)
	for _, a := range <-storm {
		if a.err != nil {
			wantErr(t, ErrOverloaded, a)
		}
	}
}

func TestCachesOfOneProcessShareTheirMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	server := startRedis(t)
	for _, name := range []string{"cache", "listing"} {
		startProcess(t, Options{Client: server.client(t), Registry: registry, Server: name}, testPolicy(Both))
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "cache_breaker_state" && len(f.GetMetric()) != 2 {
			t.Errorf("%d breakers, want 2", len(f.GetMetric()))
		}
	}
}
