// Package servertiming collects the phases of one request for its Server-Timing header.
//
// A Recorder travels in the context, so a layer can report how long a phase took without
// knowing which page asked. Work done for several callers at once is recorded for the one
// whose context it carries.
package servertiming

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"
)

type contextKey struct{}

// A Recorder sums durations by phase. It is safe for concurrent use.
type Recorder struct {
	mu     sync.Mutex
	phases []phase
}

type phase struct {
	name  string
	total time.Duration
}

// With returns a context that carries a new Recorder.
func With(ctx context.Context) (context.Context, *Recorder) {
	r := &Recorder{}
	return context.WithValue(ctx, contextKey{}, r), r
}

// Add adds d to the named phase of the context's Recorder, if it has one.
func Add(ctx context.Context, name string, d time.Duration) {
	r, ok := ctx.Value(contextKey{}).(*Recorder)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.phases {
		if r.phases[i].name == name {
			r.phases[i].total += d
			return
		}
	}
	r.phases = append(r.phases, phase{name, d})
}

// Header returns the value of the Server-Timing header, such as "pool;dur=3.1, query;dur=140.2".
func (r *Recorder) Header() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for i, p := range r.phases {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.name)
		b.WriteString(";dur=")
		b.WriteString(strconv.FormatFloat(float64(p.total.Microseconds())/1000, 'f', 1, 64))
	}
	return b.String()
}
