// The source that a fleet caches: over HTTP, because members are processes of their own.

package cache

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// versions is a version number for each id. A load reads it first and takes a while to return.
type versions struct {
	mu   sync.Mutex // guards the rest
	rows map[string]*row
	hold chan struct{} // if not nil, the next load waits for its close
}

type row struct {
	version uint64
	loads   [processes]int // begun, by member
}

func (r *versions) row(id string) *row {
	if r.rows[id] == nil {
		r.rows[id] = &row{}
	}
	return r.rows[id]
}

func (r *versions) commit(id string) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.row(id).version++
	return r.row(id).version
}

func (r *versions) loads(id string) [processes]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.row(id).loads
}

// holdNext makes the next load wait, once it has read, until release is called.
func (r *versions) holdNext() (release func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hold := make(chan struct{})
	r.hold = hold
	return func() { close(hold) }
}

func (r *versions) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	id := strings.TrimPrefix(request.URL.Path, "/")
	var number int
	if _, err := fmt.Sscan(request.URL.Query().Get("member"), &number); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	r.row(id).loads[number]++
	version, hold := r.row(id).version, r.hold
	r.hold = nil
	r.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-request.Context().Done():
		}
	} else {
		pause(request.Context(), rand.N(20*time.Millisecond))
	}
	_, _ = fmt.Fprint(w, version)
}
