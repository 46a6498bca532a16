// The cache on a primary with a replica and a Sentinel: it keeps answering while the primary is replaced, and works on
// the new one; reads that bear lag go to the replica.

package cache

import (
	"strings"
	"syscall"
	"testing"

	"github.com/sony/gobreaker/v2"
)

func TestAPrimaryIsKilledAndItsReplicaTakesOver(t *testing.T) {
	primary, replica, url := startSentinel(t)
	start := func() *testProcess {
		return startProcess(t, Options{Client: connected(t, Connect, url)}, testPolicy(Both))
	}
	one, other := start(), start()
	wantShared(t, one, other, "before")

	s := holding("kept", 0)
	one.get("survives", s)
	if primary.do(t, "WAIT", 1, 5000) != "1" {
		t.Fatal("the replica did not get the value")
	}
	primary.kill()
	one.keepsAnswering(t, "one works on the new primary")
	other.keepsAnswering(t, "the other works on the new primary")
	if role := replica.do(t, "ROLE"); !strings.HasPrefix(role, "[master") {
		t.Errorf("the replica's role is %s", role)
	}

	wantShared(t, one, other, "after")
	everyScript(t, one.Cache.remote, keyOf("scripts"))
	a, how := other.get("survives", s)
	wantText(t, "kept", a)
	wantResult(t, how, HitRedis)
	wantLoads(t, s, 1)
}

func TestReadsThatMayLagGoToAReplica(t *testing.T) {
	primary, replica, url := startSentinel(t)
	policy := testPolicy(Both)
	policy.LocalTTL, policy.ReplicaReads = 0, true
	p := startProcess(t, Options{Client: connected(t, Connect, url), Replicas: connected(t, ConnectReplicas, url)}, policy)
	s := holding("a", 0)
	p.get("1", s)
	hits := func(n int) (ofPrimary, ofReplica string) {
		t.Helper()
		if primary.do(t, "WAIT", 1, 5000) != "1" {
			t.Fatal("the replica did not get the value")
		}
		primary.do(t, "CONFIG", "RESETSTAT")
		replica.do(t, "CONFIG", "RESETSTAT")
		for range n {
			a, how := p.get("1", s)
			wantText(t, "a", a)
			wantResult(t, how, HitRedis)
		}
		return primary.commands(t, primary.client(t))["get"], replica.commands(t, replica.client(t))["get"]
	}
	if atPrimary, atReplica := hits(10); atPrimary != "" || atReplica != "10" {
		t.Errorf("of 10 GETs the primary had %q and the replica %q", atPrimary, atReplica)
	}

	// A replica that does not answer costs a few time-outs and no hit. Then the Sentinel has noticed, or our breaker.
	replica.signal(t, syscall.SIGSTOP)
	eventually(t, "the replica costs nothing any more", func() bool {
		a, how := p.get("1", s)
		wantText(t, "a", a)
		wantResult(t, how, HitRedis)
		return a.took < commandTimeout/2
	})
	wantState(t, p.Cache.remote.(*guarded), gobreaker.StateClosed)
	wantLoads(t, s, 1)
}
