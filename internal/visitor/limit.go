// Limits: how often one visitor may do something within a window of time.

package visitor

import (
	"context"
	"fmt"
	"time"
)

// A Limit allows Most times within each Window. A window begins with the first time and has a fixed end: that needs one
// number, and lets through at most twice as many around the end of one.
type Limit struct {
	Name   string // of what is limited
	Most   int
	Window time.Duration
}

// A LimitError says that there were too many.
type LimitError struct {
	Limit Limit
	Wait  time.Duration // until the window ends
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: more than %d within %v; the window ends in %v", e.Limit.Name, e.Limit.Most, e.Limit.Window, e.Wait)
}

// Allow counts one more time for whom, and returns a *LimitError if that is too many. It counts before the thing is done,
// so that those who come at once do not all pass on the same number.
func (m *Memory) Allow(ctx context.Context, l Limit, whom string) error {
	reply, err := m.run(ctx, countScript, m.Key("limit:"+l.Name, whom), l.Window.Milliseconds())
	if err != nil {
		return err
	}
	var count, left int64
	if numbers, ok := reply.([]any); ok && len(numbers) == 2 {
		count, _ = numbers[0].(int64)
		left, _ = numbers[1].(int64)
	}
	switch {
	case count == 0:
		return fmt.Errorf("%w: it answers %v", ErrAway, reply)
	case count > int64(l.Most):
		return &LimitError{l, time.Duration(max(left, 1)) * time.Millisecond}
	}
	return nil
}
