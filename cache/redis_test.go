// The cache on a real Redis: what it costs when all is well, and what happens when the server or a process does not.

package cache

import (
	"context"
	"fmt"
	"maps"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sony/gobreaker/v2"
)

func TestTheCostOfAHit(t *testing.T) {
	server := startRedis(t)
	admin := server.client(t)
	p := server.listening(t, testPolicy(Both))
	s := holding("a", 0)
	p.get("1", s)
	wantCommands := func(how Result, want map[string]string) {
		t.Helper()
		if err := admin.ConfigResetStat(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		a, got := p.get("1", s)
		wantText(t, "a", a)
		wantResult(t, got, how)
		if commands := server.commands(t, admin); !maps.Equal(commands, want) {
			t.Errorf("%s: commands %v, want %v", how, commands, want)
		}
	}
	wantCommands(HitL1, map[string]string{})
	p.process.flush()
	wantCommands(HitRedis, map[string]string{"get": "1"})
	wantLoads(t, s, 1)
}

func TestTwoProcessesShareOneLoadAndAnEdit(t *testing.T) {
	server := startRedis(t)
	processes := []*testProcess{server.listening(t, testPolicy(Both)), server.listening(t, testPolicy(Both))}
	s := holding("old", 50*time.Millisecond)
	wantText(t, "old", herdOver(t, processes, 100, s)...)
	wantLoads(t, s, 1)

	processes[0].edit(t, s, "new")
	a, _ := processes[0].get("1", s) // at once in the process that edits
	wantText(t, "new", a)
	eventually(t, "the other process hears of the edit", func() bool {
		a, _ := processes[1].get("1", s)
		return a.doc.Text == "new"
	})
	wantLoads(t, s, 2)
}

func TestASubscriptionIsCut(t *testing.T) {
	server := startRedis(t)
	admin := server.client(t)
	p, editor := server.listening(t, testPolicy(Both)), server.listening(t, testPolicy(Both))
	s := holding("old", 0)
	for _, id := range []string{"1", "2"} {
		p.get(id, s)
		_, how := p.get(id, s)
		wantResult(t, how, HitL1)
	}

	if err := admin.ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err(); err != nil {
		t.Fatal(err)
	}
	editor.edit(t, s, "new") // nobody listens
	if err := editor.Group.Invalidate(t.Context(), "2"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the process notices", func() bool {
		return !p.process.live() || counted(t, p.Cache.metrics.flushes) == 2
	})
	a, _ := p.get("1", s)
	wantText(t, "new", a)
	eventually(t, "the process listens again", p.process.live)
	wantCount(t, "flushes", p.Cache.metrics.flushes, 2)
	a, _ = p.get("2", s) // not asked for in the gap: only the flush can have removed it
	wantText(t, "new", a)
	_, how := p.get("2", s)
	wantResult(t, how, HitL1)
}

func TestASubscriptionWithoutMessagesIsKept(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	p := server.listening(t, testPolicy(Both))
	admin := server.client(t)
	pings := func() int {
		info := admin.Info(t.Context(), "commandstats").Val()
		_, stats, _ := strings.Cut(info, "cmdstat_ping:calls=")
		n, _ := strconv.Atoi(stats[:strings.IndexByte(stats+",", ',')])
		return n
	}
	before := pings()
	eventually(t, "three pings are sent", func() bool { return pings() >= before+3 })
	wantCount(t, "flushes", p.Cache.metrics.flushes, 1)
}

func TestRedisIsKilledAndComesBackEmpty(t *testing.T) {
	server := startRedis(t)
	p := server.listening(t, testPolicy(Both))
	s := holding("a", 10*time.Millisecond)
	p.get("0", s)

	server.kill()
	eventually(t, "the process notices", func() bool { return !p.process.live() })
	_, how := p.get("0", s)
	wantResult(t, how, Loaded) // not from an L1 that nobody can void
	for i := range 20 {
		a, _ := p.get(fmt.Sprintf("while down %d", i), s)
		wantText(t, "a", a)
		if a.took > commandTimeout {
			t.Errorf("answer after %v", a.took)
		}
	}
	server.start(t) // without values and scripts
	wantSharedAgain(t, server, p, s)
}

func TestRedisIsNotThereYet(t *testing.T) {
	server := reserveRedis(t)
	p := server.process(t, testPolicy(Both))
	s := holding("a", 10*time.Millisecond)
	wantText(t, "a", herd(50, func(int) (doc, error) { return p.Get(t.Context(), "1", s.load) })...)
	wantLoads(t, s, 1)
	server.start(t)
	wantSharedAgain(t, server, p, s)
}

func TestRedisIsFrozen(t *testing.T) {
	server := startRedis(t)
	p := server.listening(t, testPolicy(Both))
	s := holding("a", 50*time.Millisecond)
	p.get("0", s)

	server.signal(t, syscall.SIGSTOP)
	budget := 2*commandTimeout + s.takes + 500*time.Millisecond // the rest is for a busy machine
	answers := herd(50, func(i int) (doc, error) { return p.Get(t.Context(), fmt.Sprintf("frozen %d", i%5), s.load) })
	wantText(t, "a", answers...)
	for _, a := range answers {
		if a.took > budget {
			t.Errorf("answer after %v, want at most %v", a.took, budget)
		}
	}
	wantLoads(t, s, 1+5)
	// By now the breaker is open, and Redis costs nothing.
	a, _ := p.get("frozen on", s)
	wantText(t, "a", a)
	if a.took >= commandTimeout {
		t.Errorf("answer after %v, although Redis is known to be silent", a.took)
	}
	eventually(t, "the process notices that it hears nothing", func() bool { return !p.process.live() })
	server.signal(t, syscall.SIGCONT)
	wantSharedAgain(t, server, p, s)
}

// wantSharedAgain claims that within seconds a process uses Redis again: what it loads, another one finds.
func wantSharedAgain(t *testing.T, server *redisServer, p *testProcess, s *source) {
	t.Helper()
	i := 0
	admin := server.client(t)
	eventually(t, "answers reach Redis again", func() bool {
		i++
		id := fmt.Sprintf("again %d", i)
		a, _ := p.get(id, s)
		wantText(t, "a", a)
		return admin.Exists(context.Background(), keyOf(id)).Val() == 1
	})
	eventually(t, "the process listens again", p.process.live)
	p.get("at last", s)
	_, how := server.process(t, testPolicy(Both)).get("at last", s)
	wantResult(t, how, HitRedis)
}

func TestMemoryIsFull(t *testing.T) {
	server := startRedis(t, "--maxmemory", "3mb", "--maxmemory-policy", "noeviction")
	admin := server.client(t)
	policy := testPolicy(Both)
	policy.LeaseTTL = time.Minute // no lease runs out by itself here
	p := server.listening(t, policy)
	fill := func() {
		for size := 1 << 20; size > 64; size /= 2 {
			for i := 0; admin.Set(t.Context(), fmt.Sprint(size, i), make([]byte, size), time.Hour).Err() == nil; i++ {
			}
		}
	}

	gated := holding("a", 0)
	gated.gate = make(chan struct{})
	got := async(func() (doc, error) { return p.Get(t.Context(), "1", gated.load) })
	eventually(t, "the load begins", func() bool { return gated.loads() == 1 })
	fill()
	close(gated.gate) // the lease was had, the answer has no room
	wantText(t, "a", <-got)
	eventually(t, "the lease is given back", func() bool { return admin.Exists(t.Context(), leaseKey(keyOf("1"))).Val() == 0 })

	s := holding("b", 0)
	for i := range 3 * breakerFailures { // no room for leases either
		a, _ := p.get(fmt.Sprintf("full %d", i), s)
		wantText(t, "b", a)
	}
	_, how := p.get("full 0", s)
	wantResult(t, how, HitL1)
	for range 3 * breakerFailures { // a full server is alive, so nothing opens the breaker
		if err := p.Cache.remote.set(t.Context(), "k", make([]byte, 1<<20), time.Minute); !isReply(err, "OOM") {
			t.Fatalf("error %v, want OOM", err)
		}
	}
	wantState(t, p.Cache.remote.(*guarded), gobreaker.StateClosed)
	p.edit(t, s, "c") // deleting needs no memory

	if err := admin.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	wantSharedAgain(t, server, p, holding("a", 0))
}

func TestRedisIsAReplica(t *testing.T) {
	primary := startRedis(t, "--repl-diskless-sync-delay", "0")
	_, port, _ := net.SplitHostPort(primary.addr)
	replica := startRedis(t, "--replicaof", "127.0.0.1 "+port)
	writer := primary.listening(t, testPolicy(Both))
	s := holding("a", 0)
	writer.get("1", s)
	admin := replica.client(t)
	eventually(t, "the value is replicated", func() bool { return admin.Exists(t.Context(), keyOf("1")).Val() == 1 })

	p := replica.process(t, testPolicy(Both))
	a, how := p.get("1", s)
	wantText(t, "a", a)
	wantResult(t, how, HitRedis)
	for i := range 10 {
		a, _ := p.get(fmt.Sprint("new ", i), s) // READONLY
		wantText(t, "a", a)
	}
	if err := p.Group.Invalidate(t.Context(), "1"); err == nil {
		t.Error("an invalidation that the server refused is no error")
	}
}
