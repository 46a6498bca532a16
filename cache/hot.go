// Hot keys: which ids of a prefix are asked for most. They get a local copy even where the policy gives none.

package cache

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	hotWindow   = time.Second // counts slide by this much
	hotRate     = 50          // requests per second of this process that make a key hot
	hotKept     = 10          // most hot keys of a prefix
	hotSample   = 16          // one lookup in so many is counted, so that a hit seldom meets the lock
	hotCounted  = 4096        // keys counted in one window; in a storm of different keys none is hot
	hotLocalTTL = time.Second // of the copy that a hot key gets where the policy gives none
)

// hotKeys counts the lookups of one prefix over a window that slides.
//
// One famous key lands on one Redis server, which no cluster spreads. A copy in each process takes all but one request
// per process and local TTL off it. The price is a value that is old for that long if a message is lost, and so a policy
// may refuse L1 for everything else.
type hotKeys struct {
	mu               sync.Mutex
	start            time.Time      // of the present window, guarded by mu
	present, earlier map[string]int // samples of the present and of the previous window, guarded by mu

	top atomic.Pointer[[]hotKey] // at the last turn of the window, hottest first
}

type hotKey struct {
	key  string
	rate float64 // requests per second
}

func newHotKeys() *hotKeys {
	h := &hotKeys{present: map[string]int{}, earlier: map[string]int{}}
	h.top.Store(&[]hotKey{})
	return h
}

// seen counts a lookup.
func (h *hotKeys) seen(key string, now time.Time) {
	if rand.Uint32N(hotSample) == 0 {
		h.count(key, now)
	}
}

func (h *hotKeys) count(key string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now.Sub(h.start) >= hotWindow {
		h.turnLocked(now)
	}
	if _, known := h.present[key]; known || len(h.present) < hotCounted {
		h.present[key]++
	}
}

// turnLocked ends the present window and finds out what was hot in the last two.
func (h *hotKeys) turnLocked(now time.Time) {
	span := hotWindow + now.Sub(h.start)
	var top []hotKey
	for key, n := range h.present {
		rate := float64(n+h.earlier[key]) * hotSample / span.Seconds()
		if rate >= hotRate {
			top = append(top, hotKey{key, rate})
		}
	}
	slices.SortFunc(top, func(a, b hotKey) int { return cmp.Compare(b.rate, a.rate) })
	top = slices.Clip(top[:min(len(top), hotKept)])
	h.top.Store(&top)
	h.earlier, h.present, h.start = h.present, map[string]int{}, now
}

// hot reports whether key was among the hottest when the window last turned.
func (h *hotKeys) hot(key string) bool {
	return slices.ContainsFunc(*h.top.Load(), func(k hotKey) bool { return k.key == key })
}

// current returns the hot keys, none when nobody has asked for any key since.
func (h *hotKeys) current(now time.Time) []hotKey {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now.Sub(h.start) > 2*hotWindow {
		return nil
	}
	return *h.top.Load()
}

// hotCollector exports the hot keys of all prefixes. Its label is unbounded over time but not at any one: a prefix has at
// most hotKept at once.
type hotCollector struct {
	mu    sync.Mutex
	kinds []*kind
}

var hotDesc = prometheus.NewDesc("cache_hot_key_requests_per_second",
	"Keys this process is asked for most, estimated from a sample.", []string{"prefix", "key"}, nil)

func (c *hotCollector) add(k *kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds = append(c.kinds, k)
}

func (c *hotCollector) Describe(ch chan<- *prometheus.Desc) { ch <- hotDesc }

func (c *hotCollector) Collect(ch chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.kinds {
		for _, hot := range k.hot.current(time.Now()) {
			ch <- prometheus.MustNewConstMetric(hotDesc, prometheus.GaugeValue, hot.rate, k.prefix, hot.key)
		}
	}
}
