// A member: one real process of a fleet, the test binary run again. It reads, edits and listens when its parent says so,
// over its standard input and output.

package cache

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/rpc"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// memberEnv makes the test binary a member (see TestMain); it holds a memberConfig.
const memberEnv = "CACHE_TEST_MEMBER"

type memberConfig struct {
	Number        int
	Redis, Source string // URLs
	Strategy      Strategy
}

// memberLease is short, because tests wait for it to run out.
const memberLease = 150 * time.Millisecond

// Member is what a parent may call.
type Member struct {
	config   memberConfig
	client   redis.UniversalClient
	registry *prometheus.Registry
	cache    *Cache
	group    *Group[thing]
	lost     float64 // commands until the last call of Lost
}

// serveMember is the main function of a member. It ends with its standard input.
func serveMember(config string) error {
	m := &Member{registry: prometheus.NewRegistry()}
	if err := json.Unmarshal([]byte(config), &m.config); err != nil {
		return err
	}
	var err error
	if m.client, err = Connect(m.config.Redis); err != nil {
		return err
	}
	m.cache, err = New(Options{
		Client: m.client, Namespace: "test", Registry: m.registry, MaxLoads: 8, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	defer m.cache.Close()
	m.group, err = NewGroup[thing](m.cache, "things", 1, Policy{
		Strategy: m.config.Strategy, SoftTTL: time.Minute, HardTTL: time.Minute, LocalTTL: time.Minute,
		LoadTimeout: 5 * time.Second, LeaseTTL: memberLease,
	})
	if err != nil {
		return err
	}
	server := rpc.NewServer()
	if err := server.Register(m); err != nil {
		return err
	}
	server.ServeConn(struct {
		io.Reader
		io.WriteCloser
	}{os.Stdin, os.Stdout})
	return nil
}

// Read answers with the version that this process shows.
func (m *Member) Read(id string, version *uint64) error {
	v, err := m.group.Get(context.Background(), id, func(ctx context.Context) (thing, error) { return m.load(ctx, id) })
	*version = v.Version
	return err
}

func (m *Member) load(ctx context.Context, id string) (thing, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%s?member=%d", m.config.Source, id, m.config.Number), nil)
	if err != nil {
		return thing{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return thing{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return thing{}, err
	}
	version, err := strconv.ParseUint(string(text), 10, 64)
	return thing{version}, err
}

// Invalidate tells the cache of an edit.
func (m *Member) Invalidate(id string, _ *bool) error {
	return m.group.Invalidate(context.Background(), id)
}

// An Edit is a new version of an id.
type Edit struct {
	ID      string
	Version uint64
}

// Put gives the cache what an edit made.
func (m *Member) Put(e Edit, _ *bool) error {
	return m.group.Put(context.Background(), e.ID, thing{e.Version})
}

// Settle returns when this process has obeyed every message that was sent before the call: one of its own has come round
// after them, or it has subscribed anew, which makes it forget everything.
func (m *Member) Settle(_ bool, _ *bool) error {
	own := rand.Text()
	woken, cancel := m.cache.waiters.register(own)
	defer cancel()
	for range 100 {
		_ = m.client.Publish(context.Background(), "test:events", message{Kind: freed, Key: own}.encode()).Err() // or else again
		select {
		case <-woken:
			return nil
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("no message comes round in 10 s")
}

// Lost reports whether Redis has left a command unanswered since the last call, or still counts as away. Then this process
// may have failed open: loaded without a lease.
func (m *Member) Lost(_ bool, lost *bool) error {
	families, err := m.registry.Gather()
	if err != nil {
		return err
	}
	total := 0.0
	for _, family := range families {
		if family.GetName() == "cache_redis_errors_total" {
			for _, metric := range family.GetMetric() {
				total += metric.GetCounter().GetValue()
			}
		}
	}
	*lost = total > m.lost || m.cache.remote.(*guarded).away.Load()
	m.lost = total
	return nil
}
