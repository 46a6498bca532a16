// A Redis that comes back with its snapshot: first it answers nothing but LOADING, then it has what was edited meanwhile.

package cache

import (
	"context"
	"fmt"
	"testing"
)

func TestRedisIsLoading(t *testing.T) {
	server := startRedis(t, "--enable-debug-command", "yes")
	admin := server.client(t)
	client := server.client(t)
	var p *testProcess
	// What the edits' relay does.
	probe := func(ctx context.Context) error { return p.Group.Invalidate(ctx, "edited") }
	p = startProcess(t, Options{Client: client, Probe: probe}, testPolicy(Both))
	s := holding("old", 0)
	p.get("edited", s)
	if server.do(t, "EXISTS", keyOf("edited")) != "1" {
		t.Fatal("nothing old can be in the snapshot")
	}
	server.do(t, "DEBUG", "POPULATE", 2000)
	server.do(t, "SAVE")
	server.kill()

	s.edit("a")
	for i := range breakerFailures {
		a, _ := p.get(fmt.Sprintf("down %d", i), s)
		wantText(t, "a", a)
	}
	if p.Group.Invalidate(t.Context(), "edited") == nil {
		t.Fatal("an invalidation that Redis did not get is no error")
	}

	server.args = append(server.args, "--key-load-delay", "1000", "--loading-process-events-interval-bytes", "1024") // µs
	server.start(t)
	beginner := server.process(t, testPolicy(Both)) // its breaker has not opened yet
	answers := 0
	for ; isReply(admin.Get(t.Context(), "any").Err(), "LOADING"); answers++ {
		a, how := beginner.get(fmt.Sprintf("loading %d", answers), s)
		wantText(t, "a", a)
		wantResult(t, how, Loaded)
		a, _ = p.get("edited", s)
		wantText(t, "a", a)
	}
	if answers < breakerFailures {
		t.Fatalf("only %d questions were asked while Redis was loading", answers)
	}

	eventually(t, "it asks Redis again", func() bool {
		p.process.flush()
		_, how := p.get("other", s)
		a, _ := p.get("edited", s)
		wantText(t, "a", a)
		return how == HitRedis
	})
	wantSharedAgain(t, server, beginner, s)
}
