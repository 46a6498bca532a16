// What is remembered of visitors: sessions, rate counters and idempotency keys. No cache, so other questions.

package checklist

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"podbor/internal/visitor"
)

// windowRows remembers one of each kind, under names of its own, and looks how long Redis means to keep it.
func windowRows(ctx context.Context, t Target) []Row {
	const window, sinceThen = time.Minute, 10 * time.Second
	m, whom := visitor.New(t.Session, t.Namespace), rand.Text()
	var id string
	kinds := []struct {
		subject  string
		lives    time.Duration
		remember func() (key string, err error)
	}{
		{"rate counters", window, func() (string, error) {
			l := visitor.Limit{Name: "checklist", Most: 1, Window: window}
			return m.Key("limit:"+l.Name, whom), m.Allow(ctx, l, whom)
		}},
		{"idempotency keys", window, func() (string, error) {
			_, err := m.Once(ctx, window, whom, "", func(context.Context) (string, error) { return "", nil })
			return m.Key("once", whom), err
		}},
		{"sessions", visitor.SessionIdle, func() (key string, err error) {
			id, err = m.StartSession(ctx, visitor.Session{}, "")
			return m.Key("session", id), err
		}},
	}
	rows := make([]Row, 0, 2*len(kinds))
	for _, k := range kinds {
		key, err := k.remember()
		var left time.Duration
		if err == nil {
			left, err = t.Session.PTTL(ctx, key).Result()
		}
		found := fmt.Sprintf("set for %v; %v left", k.lives, left.Round(time.Second))
		if err != nil {
			found = err.Error()
		}
		rows = append(rows,
			Row{k.subject, "TTL is the window", err == nil && left > 0 && left <= k.lives && left > k.lives-sinceThen, found},
			Row{k.subject, "behaviour without Redis is written down", true, "fails closed: 503, and nothing is done that could not be checked"})
	}
	_ = m.EndSession(ctx, id) // the others end by themselves
	return rows
}
