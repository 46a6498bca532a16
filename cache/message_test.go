// Messages and those they wake.

package cache

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

func newWaiters() *waiters { return &waiters{byKey: map[string]map[chan message]struct{}{}} }

func TestAWaiter(t *testing.T) {
	w := newWaiters()
	first, cancelFirst := w.register("k")
	second, cancelSecond := w.register("k")
	other, cancelOther := w.register("other")
	defer cancelOther()

	w.wake(message{Kind: freed, Key: "k"})
	w.wake(message{Kind: filled, Key: "k"}) // does not block, although nobody took the first
	for _, ch := range []<-chan message{first, second} {
		if m := <-ch; m.Kind != filled {
			t.Errorf("woken by %q, want the newest message", m.Kind)
		}
	}
	if len(other) != 0 {
		t.Error("woken by a message about another key")
	}
	cancelFirst()
	w.wake(message{Kind: voided, Key: "k"})
	if len(first) != 0 || len(second) != 1 {
		t.Error("a waiter that left is still woken, or took the other along")
	}
	cancelSecond()
	if len(w.byKey) != 1 {
		t.Errorf("%d keys have waiters, want 1: the rest leaks", len(w.byKey))
	}
}

func TestAFailureKeepsItsKindOnTheWay(t *testing.T) {
	errDown := errors.New("source is down")
	for _, err := range []error{ErrLoadTimeout, ErrLoadPanicked, ErrNotFound, errDown} {
		sent := message{Kind: freed, Key: "k", Failure: failureKind(fmt.Errorf("get: %w", err)), Text: err.Error()}
		var got message
		if err := json.Unmarshal(sent.encode(), &got); err != nil {
			t.Fatal(err)
		}
		if got != sent {
			t.Errorf("sent %+v, got %+v", sent, got)
		}
		if !errors.Is(err, errDown) && !errors.Is(got.failure(), err) {
			t.Errorf("%q became %q", err, got.failure())
		}
		if got.failure() == nil {
			t.Errorf("%q is lost", err)
		}
	}
	for _, m := range []message{{Kind: filled, Text: "x"}, {Kind: voided}, {Kind: freed}} {
		if err := m.failure(); err != nil {
			t.Errorf("%+v is a failure: %v", m, err)
		}
	}
}
