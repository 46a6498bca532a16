// The engine: one lookup from the fastest level to the slowest. The only exported way in is a Group.

package cache

import (
	"context"
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/semaphore"
)

// Options configure a Cache. Client, Namespace, Registry and MaxLoads are required.
type Options struct {
	// Client is the Redis to use, made by Connect.
	Client redis.UniversalClient
	// Replicas, made by ConnectReplicas, answers the GETs of prefixes whose policy has ReplicaReads. Default: Client.
	Replicas redis.UniversalClient
	// Server names this Redis in metrics and logs. Default "cache". A process may have several caches, so that a
	// storm on one prefix's Redis does not starve another's: give each its own name, the same Registry, and a share
	// of MaxLoads.
	Server string
	// Namespace starts every key. Make it unique to the data, so that a new database never meets old keys.
	Namespace string
	Registry  prometheus.Registerer
	Log       *slog.Logger // default: slog.Default()
	// MaxLoads bounds the loads this process runs at once; keep it below the size of the connection pool.
	MaxLoads int
	// MaxWait bounds the wait for one of them; then the answer is ErrOverloaded. Default 2 s.
	MaxWait time.Duration
	// Probe runs while Redis was away and answers again, before any other command may: tell Redis here what it
	// missed. An error keeps it away for another second. Commands under its context pass. Optional.
	Probe func(context.Context) error
	// L1Bytes bounds the memory of L1. Default 64 MiB.
	L1Bytes uint64
}

// A Cache is one process's access to the cached answers that all processes share.
type Cache struct {
	id        string // of this process, in messages
	namespace string
	remote    remote
	replicas  remote // for GETs that may lag; nil: remote has them too
	process   *process
	waiters   waiters
	bulkhead  *bulkhead
	metrics   *metrics
	log       *slog.Logger
	random    func() float64 // in [0, 1)

	refreshSlots *semaphore.Weighted

	// Every goroutine of the cache ends with ctx and is counted in running.
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	closing sync.Mutex // held to end ctx, and to add to running from outside of it
}

// New returns a cache and subscribes it to the messages of the other processes. It does not wait for Redis: while
// there is none, loads are bounded by MaxLoads and nothing else is cached.
func New(o Options) (*Cache, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	m, err := newMetrics(o.Registry)
	if err != nil {
		return nil, fmt.Errorf("register cache metrics: %w", err)
	}
	channel := o.Namespace + ":events"
	server := orDefault(o.Server, "cache")
	r, err := newRedisRemote(o.Client, channel)
	if err != nil {
		return nil, err
	}
	g := newGuarded(r, server, m, o.Log)
	c, err := newCache(g, m, o)
	if err != nil {
		return nil, err
	}
	noNews := func(context.Context) error { return nil }
	if o.Probe == nil {
		o.Probe = noNews
	}
	c.begin(func() { g.watch(c.ctx, o.Probe) })
	c.begin(func() { c.listen(o.Client, channel) })
	if o.Replicas != nil {
		r := newGuarded(&redisRemote{client: o.Replicas}, server+"-replicas", m, o.Log)
		c.replicas = r
		c.begin(func() { r.watch(c.ctx, noNews) })
	}
	return c, nil
}

func newCache(r remote, m *metrics, o Options) (*Cache, error) {
	if o.MaxLoads < 1 {
		return nil, errors.New("cache: MaxLoads must be positive")
	}
	p, err := newProcess(orDefault(o.L1Bytes, 64<<20))
	if err != nil {
		return nil, fmt.Errorf("make L1: %w", err)
	}
	c := &Cache{
		id:           cryptorand.Text(),
		namespace:    o.Namespace,
		remote:       r,
		process:      p,
		waiters:      waiters{byKey: map[string]map[chan message]struct{}{}},
		bulkhead:     newBulkhead(int64(o.MaxLoads), orDefault(o.MaxWait, 2*time.Second)),
		metrics:      m,
		log:          o.Log,
		random:       rand.Float64,
		refreshSlots: semaphore.NewWeighted(maxRefreshes),
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

func orDefault[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// Close ends running loads and the subscription, and waits for them to be gone. Callers still waiting get ErrClosed.
func (c *Cache) Close() {
	c.closing.Lock()
	c.cancel()
	c.closing.Unlock()
	c.running.Wait()
}

// begin runs fn in a goroutine that Close waits for, unless the cache is closed.
func (c *Cache) begin(fn func()) bool {
	c.closing.Lock()
	defer c.closing.Unlock()
	if c.ctx.Err() != nil {
		return false
	}
	c.running.Go(fn)
	return true
}

// background is begin for goroutines that Close waits for already: they may still have to clean up.
func (c *Cache) background(fn func()) { c.running.Go(fn) }

// A kind is what the engine knows of a Group.
type kind struct {
	prefix  string
	schema  uint16
	policy  Policy
	encode  func(any) ([]byte, error)
	decode  func([]byte) (any, error)
	version func(any) uint64
	metrics prefixMetrics
	hot     *hotKeys
}

// localTTL is how long this process may keep a copy of key.
func (k *kind) localTTL(key string) time.Duration {
	if k.policy.LocalTTL == 0 && k.hot.hot(key) {
		return hotLocalTTL
	}
	return k.policy.LocalTTL
}

// An outcome is what one pass through the levels produced. It is shared by all who waited, so nobody writes to it.
type outcome struct {
	entry  entry
	value  any // nil when entry.notFound
	result Result
	phases phases
	err    error
	// fallback: an old copy, because the load failed.
	fallback bool
}

type phases struct{ Redis, Flight, Lease, Load time.Duration }

// stored reports whether there is something to keep.
func (o outcome) stored(p Policy) bool {
	return o.err == nil && (!o.entry.notFound || p.NegativeTTL > 0)
}

// get answers one lookup. The value is shared: the caller must not change it.
func (c *Cache) get(ctx context.Context, k *kind, id string, load loader) (any, error) {
	begin := time.Now()
	key := c.key(k.prefix, id)
	k.hot.seen(key, begin)

	var out outcome
	switch k.policy.Strategy {
	case Off:
		out = c.loadNaked(ctx, k, load)
	case Aside:
		out = c.aside(ctx, k, key, load)
	case Flight, Lock, Both, SWR, XFetch:
		out = c.protected(ctx, k, key, load, begin)
	}

	now := time.Now()
	l := lookupOf(k, out, now)
	k.metrics.answered(l, now.Sub(begin))
	record(ctx, l)
	if out.err == nil && out.entry.notFound {
		return nil, ErrNotFound
	}
	return out.value, out.err
}

// protected answers from L1, or from a flight. Under Lock every caller has a flight of its own.
func (c *Cache) protected(ctx context.Context, k *kind, key string, load loader, now time.Time) outcome {
	local, flight, leader := c.process.find(key, now, k.policy)
	if local != nil {
		c.maybeRefresh(ctx, k, key, local.entry, load, now)
		return outcome{entry: local.entry, value: local.value, result: HitL1}
	}
	if leader && !c.begin(func() { c.fly(ctx, k, key, flight, load) }) {
		c.process.land(key, flight, k, outcome{err: ErrClosed}, now)
	}
	// Every waiter, the leader's caller included, obeys its own context.
	select {
	case <-flight.done:
	case <-ctx.Done():
		return outcome{err: context.Cause(ctx)}
	}
	out := flight.out
	if out.err != nil && !errors.Is(out.err, ErrNotFound) {
		// Stale if error: an old copy of our own beats no answer, up to its hard expiry.
		if old, ok := c.process.fallback(key, time.Now()); ok {
			out = outcome{entry: old.entry, value: old.value, result: Stale, fallback: true}
		}
	}
	if !leader {
		out.phases = phases{Flight: time.Since(now)}
		if out.result == Loaded || out.result == Waited {
			out.result = Coalesced
		}
	}
	return out
}

// fly asks Redis with one GET, and on a miss loads as the strategy says. It goes on when callers leave.
func (c *Cache) fly(ctx context.Context, k *kind, key string, flight *call, load loader) {
	ctx = context.WithoutCancel(ctx) // the GET has a deadline of its own
	start := time.Now()
	out, hand, hit := c.read(ctx, k, key)
	asked := time.Since(start)
	if hit {
		c.maybeRefresh(ctx, k, key, out.entry, load, time.Now())
	} else {
		// Room to wait for another's load, to outwait a dead holder, and for a load of our own.
		ctx, cancel := c.detach(ctx, 2*k.policy.LoadTimeout+k.policy.LeaseTTL, ErrLoadTimeout)
		if k.policy.Strategy.leases() {
			out = c.fill(ctx, k, key, hand, load)
		} else {
			out = c.loadAlone(ctx, k, key, flight, load)
		}
		cancel()
	}
	out.phases.Redis = asked
	c.process.land(key, flight, k, out, time.Now())
}

// read looks a key up in Redis. On a miss, hand names the unreadable or expired value that was found, if any.
func (c *Cache) read(ctx context.Context, k *kind, key string) (out outcome, hand inHand, hit bool) {
	b, err := c.fetch(ctx, k, key)
	if err != nil {
		return outcome{}, inHand{}, false // missing, or Redis failed: counted by the breaker, treated as a miss
	}
	return c.decode(k, b)
}

// fetch GETs from a replica where the policy allows it, and from the primary when no replica answers. A replica
// that has not heard of a value yet costs no load: the primary's answer to acquire is the value.
func (c *Cache) fetch(ctx context.Context, k *kind, key string) ([]byte, error) {
	if k.policy.ReplicaReads && c.replicas != nil {
		if b, err := c.replicas.get(ctx, key); err == nil || errors.Is(err, errMissing) {
			return b, err
		}
	}
	return c.remote.get(ctx, key)
}

// decode makes an outcome of stored bytes. What cannot be read, or has expired by our clock, is a miss.
func (c *Cache) decode(k *kind, b []byte) (out outcome, hand inHand, hit bool) {
	hand = inHand{any: true, stamp: stampOf(b)}
	e, err := decodeEntry(b, k.schema)
	var value any
	if err == nil && !e.notFound {
		value, err = k.decode(e.payload)
	}
	switch {
	case errors.Is(err, errOtherSchema):
		k.metrics.undecodableSchema.Inc()
		return outcome{}, hand, false
	case err != nil:
		k.metrics.undecodable.Inc()
		hand.broken = true
		return outcome{}, hand, false
	}
	usable := time.Now().Before(k.policy.usableUntil(e))
	return outcome{entry: e, value: value, result: HitRedis}, hand, usable
}

// loadAlone is single-flight without a lease: this process loads once, others may do so too.
func (c *Cache) loadAlone(ctx context.Context, k *kind, key string, flight *call, load loader) outcome {
	if err := c.bulkhead.enter(ctx); err != nil {
		return outcome{err: err}
	}
	out := c.loadBounded(ctx, k, load)
	// Not after an edit that this process has heard of; an edit in another process can still be overwritten
	// for one TTL. Closing that gap takes the lease.
	if c.process.current(key, flight) {
		c.store(ctx, k, key, out)
	}
	return out
}

// aside is plain cache-aside: GET, load, SET with a TTL. Every caller who misses loads.
func (c *Cache) aside(ctx context.Context, k *kind, key string, load loader) outcome {
	start := time.Now()
	out, _, hit := c.read(ctx, k, key)
	asked := time.Since(start)
	if !hit {
		out = c.loadNaked(ctx, k, load)
		c.store(context.WithoutCancel(ctx), k, key, out)
	}
	out.phases.Redis = asked
	return out
}

// store writes an answer without any fence. Redis failed: counted, and the next caller misses.
func (c *Cache) store(ctx context.Context, k *kind, key string, out outcome) {
	if ttl := time.Until(k.policy.usableUntil(out.entry)); out.stored(k.policy) && ttl >= time.Millisecond {
		_ = c.remote.set(ctx, key, out.entry.encode(), ttl)
	}
}

// lookupOf describes an outcome to the caller's trace.
func lookupOf(k *kind, out outcome, now time.Time) Lookup {
	l := Lookup{Prefix: k.prefix, Result: out.result, Fallback: out.fallback, Redis: out.phases.Redis, Flight: out.phases.Flight, Lease: out.phases.Lease, Load: out.phases.Load}
	switch {
	case errors.Is(out.err, ErrOverloaded):
		l.Result = Shed
	case out.err != nil:
		l.Result = Failed
	default:
		l.Start, l.Age = out.entry.start, now.Sub(out.entry.start)
		if k.policy.Strategy != Off && out.stored(k.policy) {
			l.TTL = out.entry.soft.Sub(now)
		}
		if out.result.hit() && out.entry.notFound {
			l.Result = Negative
		} else if out.result.hit() && l.TTL <= 0 {
			l.Result = Stale
		}
	}
	return l
}
