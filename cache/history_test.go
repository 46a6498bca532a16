// Histories: who read what and when, and what a cache may have answered. Porcupine tells whether it kept to that.

package cache

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A history is what was done to one key, by all processes.
type history struct {
	begin time.Time
	lost  bool // a process was without Redis for a while, or may have been

	mu      sync.Mutex // guards the rest
	ops     []porcupine.Operation
	clients int
}

type opKind string

const (
	opRead   opKind = "read"
	opEdit   opKind = "edit"   // from before the commit until all is told
	opCommit opKind = "commit" // its first part: the source has a new version
	opTell   opKind = "tell"   // its second part: the cache is told, by a process
	opSettle opKind = "settle" // a process has obeyed every message that was sent before
)

type op struct {
	kind    opKind
	process int
	version uint64
}

func (o op) String() string { return fmt.Sprintf("process %d: %s %d", o.process, o.kind, o.version) }

// client returns the number of somebody who does one thing after the other.
func (h *history) client() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clients++
	return h.clients - 1
}

func (h *history) now() int64 { return time.Since(h.begin).Nanoseconds() }

// did notes what a client began at the given time and has ended now.
func (h *history) did(client int, since int64, o op) {
	end := h.now()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ops = append(h.ops, porcupine.Operation{ClientId: client, Input: o, Call: since, Return: end})
}

// possible reports whether the cache kept to a model.
func (h *history) possible(t *testing.T, m porcupine.Model) bool {
	t.Helper()
	result := porcupine.CheckOperationsTimeout(m, h.ops, 10*time.Second)
	if result == porcupine.Unknown {
		t.Fatal("porcupine found no answer in 10 s")
	}
	return result == porcupine.Ok
}

// draw makes a picture of a history that was not possible; go test -artifacts keeps it.
func (h *history) draw(t *testing.T, m porcupine.Model) (path string) {
	t.Helper()
	_, info := porcupine.CheckOperationsVerbose(m, h.ops, 10*time.Second)
	picture, err := os.CreateTemp(t.ArtifactDir(), "history-*.html")
	if err != nil {
		t.Fatal(err)
	}
	defer picture.Close()
	if err := porcupine.Visualize(m, info, picture); err != nil {
		t.Fatal(err)
	}
	return picture.Name()
}

// linear: the cache is one register, which edits change in the order of their versions, each at one moment between its
// commit and its acknowledgement. Lock keeps to it as long as no process loses Redis while an edit is under way.
var linear = model(func(now uint64, o op) (bool, uint64) {
	switch o.kind {
	case opEdit:
		return o.version > now, o.version
	case opRead:
		return o.version == now, now
	case opCommit, opTell, opSettle:
	}
	return true, now
})

// fresh: whoever starts to read after an edit was acknowledged never sees what was there before; until then the old and
// the new version may both be seen, in turns.
var fresh = model(func(now bounds, o op) (bool, bounds) {
	now = now.after(o)
	return o.kind != opRead || now.told <= o.version && o.version <= now.committed, now
})

// heard: the same, but a process may go on showing its own copy until it has obeyed the edit's message. The process that
// made the edit may not.
var heard = model(func(now bounds, o op) (bool, bounds) {
	now = now.after(o)
	return o.kind != opRead || now.heard[o.process] <= o.version && o.version <= now.committed, now
})

// bounds are the oldest and the newest version that may be shown.
type bounds struct {
	told, committed uint64
	heard           [processes]uint64
}

func (b bounds) after(o op) bounds {
	switch o.kind {
	case opCommit:
		b.committed = max(b.committed, o.version)
	case opTell:
		b.told = max(b.told, o.version)
		b.heard[o.process] = max(b.heard[o.process], o.version)
	case opSettle:
		b.heard[o.process] = b.told
	case opRead, opEdit:
	}
	return b
}

// model makes a porcupine model of a function from a state, at first zero, to the next one.
func model[S comparable](step func(S, op) (bool, S)) porcupine.Model {
	return porcupine.Model{
		Init: func() any { var zero S; return zero },
		Step: func(state, input, _ any) (bool, any) {
			ok, next := step(state.(S), input.(op))
			return ok, next
		},
		DescribeOperation: func(input, _ any) string { return input.(op).String() },
	}
}
