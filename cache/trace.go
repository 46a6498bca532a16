// The trace: how each lookup of one request was answered, for response headers and logs.

package cache

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A Result says how a lookup was answered; it is also the label of cache_requests_total.
type Result string

const (
	HitL1     Result = "l1"        // from this process's memory
	HitRedis  Result = "redis"     // one GET
	Stale     Result = "stale"     // past its soft expiry, a refresh is on its way
	Negative  Result = "negative"  // known not to exist
	Coalesced Result = "coalesced" // joined a load of this process
	Waited    Result = "waited"    // another process loaded it meanwhile
	Loaded    Result = "loaded"    // this caller's load
	Shed      Result = "shed"      // refused: too many loads
	Failed    Result = "error"     // the load failed, or the caller left
)

var results = []Result{HitL1, HitRedis, Stale, Negative, Coalesced, Waited, Loaded, Shed, Failed}

// hit reports whether the answer cost no load and no waiting for one.
func (r Result) hit() bool { return r == HitL1 || r == HitRedis || r == Stale || r == Negative }

// A Lookup is one answered Get.
type Lookup struct {
	Prefix string
	Result Result
	Start  time.Time     // when the load of the answer began
	Age    time.Duration // since then
	TTL    time.Duration // until soft expiry; negative when stale, 0 when nothing is stored
	// Fallback: an old copy was served because the load failed, of which no refresh is on its way.
	Fallback bool
	// Phases: the Redis GET, waiting for a flight of this process, waiting for the lease
	// of another, and the load. A caller that joins a flight has only Flight.
	Redis, Flight, Lease, Load time.Duration
}

// A Trace collects lookups. It is safe for concurrent use.
type Trace struct {
	mu      sync.Mutex
	lookups []Lookup
}

type traceKey struct{}

// WithTrace returns a context in which every Get is recorded.
func WithTrace(ctx context.Context) (context.Context, *Trace) {
	t := &Trace{}
	return context.WithValue(ctx, traceKey{}, t), t
}

// Lookups returns what was recorded so far, in order of completion.
func (t *Trace) Lookups() []Lookup {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.lookups)
}

// Lookups returns what was recorded so far in the Trace of ctx; nothing if it has none.
func Lookups(ctx context.Context) []Lookup {
	if t, ok := ctx.Value(traceKey{}).(*Trace); ok {
		return t.Lookups()
	}
	return nil
}

func record(ctx context.Context, l Lookup) {
	t, ok := ctx.Value(traceKey{}).(*Trace)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lookups = append(t.lookups, l)
}
