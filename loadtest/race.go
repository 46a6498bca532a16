// The race of one strategy: edits of apartments, visitors who ask for them at that moment, and what they are shown after
// the edit was acknowledged.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"podbor/internal/herd"
)

const (
	raceSeed      = 7                      // of the moments at which visitors come
	racers        = 4                      // apartments that are being edited at once
	lookUnbounded = 100 * time.Millisecond // for an old value that nothing but its TTL ends
	lookBounded   = 2 * time.Second
)

// An apartment and its present version, as the database has it.
type apartment struct {
	id      int64
	version int
}

// A sighting is what one process showed of one edit.
type sighting struct {
	wrote bool          // it is the process that was asked to edit
	old   time.Duration // how long after the acknowledgement a visitor came who still was shown the old value; 0: none did
	stuck bool          // the new value had not been shown when we stopped looking
	again bool          // the old value was shown to a visitor who came after somebody had been shown the new one
}

// A race has its processes and what they showed.
type race struct {
	addresses []string
	http      *http.Client
	look      time.Duration // how long an old value is waited out

	mu     sync.Mutex // protects what follows
	random *rand.Rand
	usual  time.Duration // that an edit takes, lately
	seen   []sighting
}

func newRace(addresses []string, strategy string) *race {
	r := &race{
		addresses: addresses,
		http:      &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4 * racers}, Timeout: time.Minute},
		look:      lookBounded,
		random:    rand.New(rand.NewPCG(raceSeed, raceSeed)),
	}
	if unprotected(strategy) {
		r.look = lookUnbounded
	}
	return r
}

// run edits each apartment twice, a few at a time, until ctx ends or something fails.
func (r *race) run(ctx context.Context, apartments []apartment) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	todo := make(chan int)
	var group sync.WaitGroup
	for range racers {
		group.Go(func() {
			for i := range todo {
				if err := r.edits(ctx, apartments[i], i%len(r.addresses)); err != nil {
					fail(err)
				}
			}
		})
	}
	for i := range apartments {
		if ctx.Err() != nil {
			break
		}
		todo <- i
	}
	close(todo)
	group.Wait()
	r.http.CloseIdleConnections()
	return context.Cause(ctx)
}

// edits does two edits of an apartment in one process. At the first nobody has a copy, so that visitors load it meanwhile;
// after it every process has shown the apartment, and may have a copy of its own.
func (r *race) edits(ctx context.Context, a apartment, writer int) error {
	for range 2 {
		version, err := r.edit(ctx, a, writer)
		if err != nil {
			return fmt.Errorf("apartment %d: %w", a.id, err)
		}
		a.version = version
	}
	return nil
}

// edit changes an apartment while a visitor of each process asks for it, and looks at what is shown afterwards.
func (r *race) edit(ctx context.Context, a apartment, writer int) (version int, err error) {
	sent, delay := time.Now(), r.delay()
	visitors := make(chan error, 1)
	go func() {
		_, err := r.everywhere(func(process int) (sighting, error) {
			if err := herd.SleepUntil(ctx, time.Now().Add(delay)); err != nil {
				return sighting{}, err
			}
			_, err := r.version(ctx, process, a.id)
			return sighting{}, err
		})
		visitors <- err
	}()
	version, err = r.ask(ctx, http.MethodPost, fmt.Sprintf("http://%s/apartments/%d?version=%d", r.addresses[writer], a.id, a.version))
	acknowledged := time.Now()
	var seen []sighting
	if err == nil {
		seen, err = r.everywhere(func(process int) (sighting, error) { return r.watch(ctx, process, a.id, version, acknowledged) })
	}
	// An answer that was loaded before the edit may be stored only now.
	if err := errors.Join(err, <-visitors); err != nil {
		return 0, err
	}
	seen[writer].wrote = true
	last, err := r.everywhere(func(process int) (sighting, error) {
		shown, err := r.version(ctx, process, a.id)
		return sighting{again: shown < version}, err
	})
	for i := range last {
		seen[i].again = last[i].again && !seen[i].stuck
	}
	r.keep(seen, acknowledged.Sub(sent))
	return version, err
}

// watch asks one process for an apartment until it shows the edit.
func (r *race) watch(ctx context.Context, process int, id int64, version int, acknowledged time.Time) (sighting, error) {
	var s sighting
	for {
		asked := time.Since(acknowledged)
		shown, err := r.version(ctx, process, id)
		if err != nil || shown >= version {
			return s, err
		}
		s.old = asked
		if asked > r.look {
			s.stuck = true
			return s, nil
		}
	}
}

// everywhere does the same at all processes at once.
func (r *race) everywhere(do func(process int) (sighting, error)) ([]sighting, error) {
	all := make([]sighting, len(r.addresses))
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i], errs[i] = do(i) })
	}
	group.Wait()
	return all, errors.Join(errs...)
}

// delay is when the visitors come, after the edit was sent: at any moment of it.
func (r *race) delay() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Duration(r.random.Float64() * float64(r.usual))
}

func (r *race) keep(seen []sighting, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.usual += (took - r.usual) / 10
	r.seen = append(r.seen, seen...)
}

func (r *race) version(ctx context.Context, process int, id int64) (int, error) {
	return r.ask(ctx, http.MethodGet, fmt.Sprintf("http://%s/apartments/%d", r.addresses[process], id))
}

// ask makes one request, whose answer is a version.
func (r *race) ask(ctx context.Context, method, url string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return 0, err
	}
	response, err := r.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", response.StatusCode, strings.TrimSpace(string(text)))
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(text))
}
