// The errors callers branch on. Everything else is the loader's own error, wrapped.

package cache

import (
	"errors"
	"fmt"
)

var (
	// ErrNotFound is what a loader returns for "there is no such thing", an answer that is
	// cached (Policy.NegativeTTL), and what Get then returns.
	ErrNotFound = errors.New("not found")
	// ErrOverloaded means that this process runs as many loads as it may and none ended in
	// time. Nothing was loaded; try again later.
	ErrOverloaded = errors.New("overloaded")
	// ErrUnavailable is what a loader returns (wrapped) when its source cannot be reached: nobody's fault, try again later.
	ErrUnavailable = errors.New("unavailable")
	// ErrLoadTimeout means that the load did not end within Policy.LoadTimeout.
	ErrLoadTimeout = errors.New("load timed out")
	// ErrLoadPanicked means that the load panicked or ended its goroutine; the error that wraps it tells how.
	ErrLoadPanicked = errors.New("load panicked")
	// ErrClosed means that the cache was closed meanwhile.
	ErrClosed = errors.New("cache closed")
)

// A panicError carries what a loader panicked with, and where, to all who waited for it.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("load panicked: %v\n%s", e.value, e.stack) }
func (e *panicError) Unwrap() error { return ErrLoadPanicked }

// A remoteError is the failure of another process that loaded for us.
type remoteError struct {
	kind error // one of the above, or nil
	text string
}

func (e *remoteError) Error() string { return "load in another process: " + e.text }
func (e *remoteError) Unwrap() error { return e.kind }

// failureKinds are the errors that keep their identity on the way to another process.
var failureKinds = map[string]error{
	"timeout": ErrLoadTimeout, "panic": ErrLoadPanicked, "not found": ErrNotFound, "unavailable": ErrUnavailable,
}

// failureKind is the inverse of failureKinds; "" for any other error.
func failureKind(err error) string {
	for name, kind := range failureKinds {
		if errors.Is(err, kind) {
			return name
		}
	}
	return ""
}
