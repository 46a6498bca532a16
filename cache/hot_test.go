// Hot keys: what makes one, and what it gets.

package cache

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

func TestHotKeysAreThoseAskedForMost(t *testing.T) {
	now := time.Unix(1e9, 0)
	h := newHotKeys()
	// Ten seconds of 1,600 requests per second for one key, 160 for another, and a storm of keys asked for once.
	for tick := range 1000 {
		now = now.Add(10 * time.Millisecond)
		h.count("famous", now) // one sample stands for 16 requests
		if tick%10 == 0 {
			h.count("liked", now)
		}
		for i := range 20 {
			h.count(fmt.Sprint("once ", tick, i), now)
		}
	}
	top := h.current(now)
	if len(top) != 2 || top[0].key != "famous" || top[1].key != "liked" {
		t.Fatalf("hot keys %v, want famous, then liked", top)
	}
	if top[0].rate < 1500 || top[0].rate > 1700 || top[1].rate < 120 || top[1].rate > 200 {
		t.Errorf("rates %.0f and %.0f, want about 1600 and 160", top[0].rate, top[1].rate)
	}
	if !h.hot("liked") || h.hot("once 5 5") {
		t.Error("hot does not agree")
	}
	if late := h.current(now.Add(time.Minute)); len(late) != 0 {
		t.Errorf("a minute later still hot: %v", late)
	}
}

func TestAStormOfDifferentKeysCostsBoundedMemory(t *testing.T) {
	now := time.Unix(1e9, 0)
	h := newHotKeys()
	for i := range 10 * hotCounted {
		h.count(fmt.Sprint(i), now)
	}
	if n := len(h.present); n > hotCounted {
		t.Errorf("%d keys counted, want at most %d", n, hotCounted)
	}
}

// Where the policy gives no local copy, a hot key gets one, and an ordinary key does not.
func TestAHotKeyGetsALocalCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeRedis()
		policy := testPolicy(Both)
		policy.LocalTTL = 0
		p, s := f.start(t, policy), &source{row: doc{Text: "a"}}
		const requests = 20_000
		gets := func(id string) int {
			f.mu.Lock()
			before := f.counts["get"]
			f.mu.Unlock()
			for i := range requests {
				p.get(id, s)
				if id == "cold" { // 5 requests per second: by sampling it may look like more, but not ten times more
					time.Sleep(time.Second / 5)
				} else if i%10 == 0 { // 10,000
					time.Sleep(time.Millisecond)
				}
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			return f.counts["get"] - before
		}
		if n := gets("cold"); n < requests*99/100 {
			t.Errorf("%d requests for a cold key asked Redis %d times, want each", requests, n)
		}
		// Two seconds at 10,000 per second: up to a turn of the window until it is known as hot.
		if n := gets("hot"); n > requests*3/4 {
			t.Errorf("%d requests for a hot key asked Redis %d times, want a copy from the second second on", requests, n)
		}
	})
}

func TestHotKeysAreExported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := newFakeRedis().start(t, testPolicy(Both)), &source{row: doc{Text: "a"}}
		for range 3 {
			for range 5_000 {
				p.get("1", s)
			}
			time.Sleep(hotWindow)
			p.get("1", s)
		}
		for range hotSample * 20 { // enough that one of them is sampled and turns the window
			p.get("1", s)
		}
		metrics := make(chan prometheus.Metric, 10)
		p.Cache.metrics.hot.Collect(metrics)
		if len(metrics) != 1 {
			t.Errorf("%d hot keys exported, want 1", len(metrics))
		}
	})
}
