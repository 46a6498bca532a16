package visitor_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"podbor/internal/servers/serverstest"
	"podbor/internal/visitor"
)

func TestLimitLetsExactlySoManyThrough(t *testing.T) {
	m, client := newMemory(t, serverstest.Redis(t))
	limit := visitor.Limit{Name: "try", Most: 7, Window: 10 * time.Minute}
	var allowed, refused atomic.Int64
	var crowd sync.WaitGroup
	for range 100 {
		crowd.Go(func() {
			var over *visitor.LimitError
			switch err := m.Allow(t.Context(), limit, "192.0.2.1"); {
			case err == nil:
				allowed.Add(1)
			case errors.As(err, &over):
				refused.Add(1)
				wantTTL(t, over.Wait, limit.Window)
			default:
				t.Error(err)
			}
		})
	}
	crowd.Wait()
	if allowed.Load() != 7 || refused.Load() != 93 {
		t.Errorf("%d allowed and %d refused, want 7 and 93", allowed.Load(), refused.Load())
	}
	key, ttl := onlyKey(t, client)
	wantTTL(t, ttl, limit.Window)
	if strings.Contains(key, "192.0.2.1") {
		t.Errorf("the key %s tells the visitor's address", key)
	}

	must(t, client.PExpire(t.Context(), key, 1).Err()) // the window ends
	for end := time.Now().Add(5 * time.Second); client.Exists(t.Context(), key).Val() > 0; {
		if time.Now().After(end) {
			t.Fatal("the key does not expire")
		}
	}
	must(t, m.Allow(t.Context(), limit, "192.0.2.1"))
	_, ttl = onlyKey(t, client)
	wantTTL(t, ttl, limit.Window)
}

// The end of a window does not move while somebody goes on trying.
func TestLimitWindowIsFixed(t *testing.T) {
	m, client := newMemory(t, serverstest.Redis(t))
	limit := visitor.Limit{Name: "try", Most: 1, Window: 10 * time.Minute}
	must(t, m.Allow(t.Context(), limit, "me"))
	key, _ := onlyKey(t, client)
	must(t, client.PExpire(t.Context(), key, time.Minute).Err())
	var over *visitor.LimitError
	if err := m.Allow(t.Context(), limit, "me"); !errors.As(err, &over) || over.Wait > time.Minute {
		t.Errorf("%v; want a refusal for less than a minute", err)
	}
	for _, other := range []visitor.Limit{limit, {Name: "else", Most: 1, Window: time.Minute}} {
		if err := m.Allow(t.Context(), other, "you "+other.Name); err != nil {
			t.Errorf("another visitor, or another thing: %v", err)
		}
	}
}
