// Sessions: who is logged in.

package visitor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// SessionIdle ends a session that nobody uses.
	SessionIdle = 30 * time.Minute
	// SessionMost ends every session.
	SessionMost = 12 * time.Hour
)

// ErrNoSession says that the id opens no session, or no longer.
var ErrNoSession = errors.New("no such session")

// A Session is who is logged in. The account's version makes a new password end the sessions of the old one.
type Session struct {
	Account int64
	Version int32
}

// StartSession begins a session and returns its id, which is new each time: an id that somebody planted in the browser
// before the login is worth nothing after it. The session of the old id, if there was one, ends.
func (m *Memory) StartSession(ctx context.Context, s Session, old string) (id string, err error) {
	if old != "" {
		if err := m.EndSession(ctx, old); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	id = rand.Text()
	_, err = m.run(ctx, startScript, m.Key("session", id), data, SessionIdle.Milliseconds(), SessionMost.Milliseconds())
	return id, err
}

// Session returns the session that id opens, and keeps it from idling; or ErrNoSession.
func (m *Memory) Session(ctx context.Context, id string) (Session, error) {
	reply, err := m.run(ctx, touchScript, m.Key("session", id), SessionIdle.Milliseconds())
	if errors.Is(err, redis.Nil) {
		return Session{}, ErrNoSession
	}
	if err != nil {
		return Session{}, err
	}
	var s Session
	data, _ := reply.(string)
	if err := json.Unmarshal([]byte(data), &s); err != nil {
		return Session{}, fmt.Errorf("%w: unreadable: %w", ErrNoSession, err)
	}
	return s, nil
}

// EndSession ends the session that id opens, if there is one.
func (m *Memory) EndSession(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if err := m.client.Del(ctx, m.Key("session", id)).Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	return nil
}
