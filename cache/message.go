// Messages between processes, and the waiters that they wake. Messages carry keys, never values.

package cache

import (
	"encoding/json"
	"sync"
)

type messageKind string

const (
	filled messageKind = "filled" // a value was committed
	freed  messageKind = "freed"  // a lease was given back without one
	voided messageKind = "voided" // the key was invalidated
)

// A message tells all processes what became of a key.
type message struct {
	Kind messageKind `json:"kind"`
	Key  string      `json:"key"`
	From string      `json:"from"` // id of the sending process
	// Of freed: why the load failed. Failure is a key of failureKinds or "", Text is for logs;
	// both are empty when the holder merely gave up (shutdown) and somebody else should load.
	Failure string `json:"failure,omitempty"`
	Text    string `json:"text,omitempty"`
}

func (m message) encode() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // a struct of strings always encodes
	}
	return b
}

// failure returns the error that a freed message reports, or nil.
func (m message) failure() error {
	if m.Kind != freed || m.Text == "" {
		return nil
	}
	return &remoteError{kind: failureKinds[m.Failure], text: m.Text}
}

// waiters are the callers of this process that wait for another holder's lease, by key.
type waiters struct {
	mu    sync.Mutex
	byKey map[string]map[chan message]struct{} // guarded by mu
}

// register returns a channel that gets the messages about key. Register before asking for the lease: a message
// sent between the two is otherwise missed. The channel keeps the newest message only; call cancel when done.
func (w *waiters) register(key string) (woken <-chan message, cancel func()) {
	ch := make(chan message, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byKey[key] == nil {
		w.byKey[key] = map[chan message]struct{}{}
	}
	w.byKey[key][ch] = struct{}{}
	return ch, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.byKey[key], ch)
		if len(w.byKey[key]) == 0 {
			delete(w.byKey, key)
		}
	}
}

// wake hands m to all who wait for its key.
func (w *waiters) wake(m message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.byKey[m.Key] {
		select {
		case <-ch: // drop an older message nobody took yet
		default:
		}
		ch <- m // has room: only wake sends, and it holds mu
	}
}
