package visitor_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"podbor/internal/servers/serverstest"
	"podbor/internal/visitor"
)

func TestSession(t *testing.T) {
	m, client := newMemory(t, serverstest.Redis(t))
	who := visitor.Session{Account: 7, Version: 2}
	first, err := m.StartSession(t.Context(), who, "")
	must(t, err)
	second, err := m.StartSession(t.Context(), who, first)
	must(t, err)
	if first == second {
		t.Error("the id did not change with the login")
	}
	if _, err := m.Session(t.Context(), first); !errors.Is(err, visitor.ErrNoSession) {
		t.Errorf("the session from before the login: %v, want ErrNoSession", err)
	}
	if got, err := m.Session(t.Context(), second); err != nil || got != who {
		t.Errorf("%+v, %v", got, err)
	}
	key, _ := onlyKey(t, client)
	if strings.Contains(key, second) {
		t.Error("who reads Redis' keys can use the sessions")
	}
	must(t, m.EndSession(t.Context(), second))
	for _, id := range []string{second, "", "made up", strings.Repeat("x", 1<<16)} {
		if _, err := m.Session(t.Context(), id); !errors.Is(err, visitor.ErrNoSession) {
			t.Errorf("the id %.10q opens a session: %v", id, err)
		}
	}
}

// Each use lets the idle time begin anew, but not beyond the longest time.
func TestSessionTimes(t *testing.T) {
	m, client := newMemory(t, serverstest.Redis(t))
	id, err := m.StartSession(t.Context(), visitor.Session{Account: 7}, "")
	must(t, err)
	key, ttl := onlyKey(t, client)
	wantTTL(t, ttl, visitor.SessionIdle)

	must(t, client.PExpire(t.Context(), key, time.Minute).Err())
	_, err = m.Session(t.Context(), id)
	must(t, err)
	_, ttl = onlyKey(t, client)
	wantTTL(t, ttl, visitor.SessionIdle)

	ends, err := client.HGet(t.Context(), key, "ends").Int64()
	must(t, err)
	wantTTL(t, time.Until(time.UnixMilli(ends)), visitor.SessionMost)
	must(t, client.HSet(t.Context(), key, "ends", time.Now().Add(time.Minute).UnixMilli()).Err())
	_, err = m.Session(t.Context(), id)
	must(t, err)
	_, ttl = onlyKey(t, client)
	wantTTL(t, ttl, time.Minute)
}
