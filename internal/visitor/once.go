// Once: a form that is sent again (a double click, the back button, a repeat after a lost answer) does its work once.

package visitor

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

const (
	// workFor bounds the work that is done once. When it is over and has left no outcome, its process is dead, and the next
	// who sends the same may do it. What the work writes should carry the key as well, with a unique index: then even a
	// process that died after its commit has done it once.
	workFor = 10 * time.Second
	// waitFor bounds the wait of those who sent the same at the same time, and pollEvery is how often they look.
	waitFor   = 3 * time.Second
	pollEvery = 25 * time.Millisecond
)

var (
	// ErrReused says that another content was sent under the same key.
	ErrReused = errors.New("this key was used for something else")
	// ErrBusy says that the same is being worked on, and that waiting for it took too long.
	ErrBusy = errors.New("the same is being done just now")
)

// Once does work under key unless that was done within the window, and returns the outcome of the first time to all
// repeats. Content is what was sent: the same key with another content is refused. Work that fails was not done.
func (m *Memory) Once(ctx context.Context, window time.Duration, key, content string, work func(context.Context) (string, error)) (string, error) {
	key, token := m.Key("once", key), rand.Text()
	waited := time.After(waitFor)
	for {
		reply, err := m.run(ctx, claimScript, key, fingerprint(content), token, window.Milliseconds(), workFor.Milliseconds())
		if err != nil {
			return "", err
		}
		state, outcome := pair(reply)
		switch state {
		case "mine":
			return m.workOnce(ctx, key, token, work)
		case "done":
			return outcome, nil
		case "other":
			return "", ErrReused
		case "busy":
			select {
			case <-time.After(pollEvery):
			case <-waited:
				return "", ErrBusy
			case <-ctx.Done():
				return "", ctx.Err()
			}
		default:
			return "", fmt.Errorf("%w: it answers %v", ErrAway, reply)
		}
	}
}

// workOnce does the work of the one whose token is under key. That Redis is away afterwards does not undo it.
func (m *Memory) workOnce(ctx context.Context, key, token string, work func(context.Context) (string, error)) (outcome string, err error) {
	done := false
	defer func() { // also when work panics
		after := context.WithoutCancel(ctx)
		if done {
			_, _ = m.run(after, settleScript, key, token, outcome)
		} else {
			_, _ = m.run(after, abandonScript, key, token)
		}
	}()
	working, cancel := context.WithTimeout(ctx, workFor)
	defer cancel()
	outcome, err = work(working)
	done = err == nil
	return outcome, err
}

func pair(reply any) (first, second string) {
	if words, ok := reply.([]any); ok && len(words) == 2 {
		first, _ = words[0].(string)
		second, _ = words[1].(string)
	}
	return first, second
}
