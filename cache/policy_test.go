// Policies: what is refused, and when an entry expires.

package cache

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"pgregory.net/rapid"
)

func ExampleParseStrategy() {
	_, err := ParseStrategy("lease")
	fmt.Println(err)
	// Output: unknown strategy "lease": want one of [off aside flight lock both swr xfetch]
}

func TestPoliciesThatWouldSurpriseAreRefused(t *testing.T) {
	m, err := newMetrics(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	c := &Cache{metrics: m}
	refused := func(what string, change func(p *Policy)) {
		t.Helper()
		p := testPolicy(XFetch)
		change(&p)
		_, err := NewGroup[doc](c, "docs", 1, p)
		if err == nil || !strings.HasPrefix(err.Error(), "prefix docs: ") {
			t.Errorf("%s: error %v, want a refusal that names the prefix", what, err)
		}
	}
	for _, d := range []time.Duration{0, -time.Second, 1} {
		refused(fmt.Sprintf("soft TTL of %v", d), func(p *Policy) { p.SoftTTL = d })
		refused(fmt.Sprintf("hard TTL of %v", d), func(p *Policy) { p.HardTTL = d })
		refused(fmt.Sprintf("load timeout of %v", d), func(p *Policy) { p.LoadTimeout = d })
		refused(fmt.Sprintf("lease TTL of %v", d), func(p *Policy) { p.LeaseTTL = d })
	}
	refused("hard TTL before soft", func(p *Policy) { p.HardTTL = p.SoftTTL - 1 })
	refused("negative TTL below 1 ms", func(p *Policy) { p.NegativeTTL = 1 })
	refused("negative TTL below 0", func(p *Policy) { p.NegativeTTL = -1 })
	refused("local TTL below 0", func(p *Policy) { p.LocalTTL = -1 })
	refused("jitter below 0", func(p *Policy) { p.Jitter = -0.1 })
	refused("jitter above 1", func(p *Policy) { p.Jitter = 1.1 })
	refused("XFetch without beta", func(p *Policy) { p.Beta = 0 })
	refused("unknown strategy", func(p *Policy) { p.Strategy = "" })

	for _, s := range Strategies {
		if _, err := NewGroup[doc](c, string(s), 1, testPolicy(s)); err != nil {
			t.Errorf("a sound policy for %s: %v", s, err)
		}
	}
}

func TestExpiries(t *testing.T) {
	const s = time.Second
	start := time.Unix(1e9, 0)
	for _, c := range []struct {
		strategy           Strategy
		notFound           bool
		rnd                float64
		soft, hard, usable time.Duration
	}{
		{Both, false, 0, 60 * s, 600 * s, 60 * s},
		{Both, false, .5, 63 * s, 630 * s, 63 * s},
		{SWR, false, 0, 60 * s, 600 * s, 600 * s},
		{XFetch, false, .5, 63 * s, 630 * s, 630 * s},
		{SWR, true, 0, 30 * s, 30 * s, 30 * s},
		{Both, true, .5, 31500 * time.Millisecond, 31500 * time.Millisecond, 31500 * time.Millisecond},
	} {
		p := testPolicy(c.strategy)
		p.Jitter = 0.1
		soft, hard := p.expiries(start, c.notFound, c.rnd)
		usable := p.usableUntil(entry{soft: soft, hard: hard})
		if soft.Sub(start) != c.soft || hard.Sub(start) != c.hard || usable.Sub(start) != c.usable {
			t.Errorf("%s, not found %t, random %v: soft %v, hard %v, usable until %v; want %v, %v, %v",
				c.strategy, c.notFound, c.rnd, soft.Sub(start), hard.Sub(start), usable.Sub(start), c.soft, c.hard, c.usable)
		}
	}
}

// Jitter only ever lengthens, by the stated share at most, and keeps the order of the two.
func TestJitterStaysInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := testPolicy(SWR)
		p.SoftTTL = time.Duration(rapid.Int64Range(int64(time.Millisecond), int64(time.Hour)).Draw(t, "soft"))
		p.HardTTL = p.SoftTTL + time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "more"))
		p.Jitter = rapid.Float64Range(0, 1).Draw(t, "jitter")
		start := time.Unix(0, 0)
		soft, hard := p.expiries(start, false, rapid.Float64Range(0, .999).Draw(t, "random"))
		most := func(d time.Duration) time.Duration { return d + time.Duration(float64(d)*p.Jitter) }
		if s, h := soft.Sub(start), hard.Sub(start); s < p.SoftTTL || s > most(p.SoftTTL) || h < p.HardTTL || h > most(p.HardTTL) || h < s {
			t.Fatalf("soft %v, hard %v out of bounds", s, h)
		}
	})
}
