// The runner: one run at a time, for all who look on.

package lab

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"podbor/internal/herd"
	"podbor/internal/report"
)

// idleAfter is how long processes are kept that nobody has sent visitors to.
const idleAfter = 5 * time.Minute

// ErrBusy says that a run is in progress.
var ErrBusy = errors.New("a run is in progress: watch it, or cancel it")

// A Config is what the runner needs. All fields but Redis are required.
type Config struct {
	Dir     string // for the records and the processes' logs
	SiteURL string // of the site itself, which puts copies into the cache
	Site    herd.Site
	Cache   redis.UniversalClient

	Namespace string // of the cache
	Redis     *Redis // that of the cache, if it may be broken; else nil
	Log       *slog.Logger
}

// A Runner carries out plans.
type Runner struct {
	cfg   Config
	shelf *shelf
	ctx   context.Context // ends with the runner
	stop  context.CancelFunc
	tasks sync.WaitGroup
	idle  *time.Timer

	mu      sync.Mutex // protects what follows; held for moments
	busy    bool
	closed  bool
	cancel  context.CancelFunc // of what is in progress
	active  []*run             // in progress, waiting, and what was just finished, until it is on the shelf
	current *run

	crew   *crew // only for who is busy
	ground *ground
}

// Open reads what earlier runs have left.
func Open(cfg Config) (*Runner, error) {
	s, err := openShelf(cfg.Dir)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &Runner{cfg: cfg, shelf: s, ctx: ctx, stop: stop}
	r.idle = time.AfterFunc(idleAfter, r.dismiss)
	return r, nil
}

// Close cancels what is in progress and ends the processes.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.idle.Stop()
	r.stop()
	r.tasks.Wait()
	r.letGo()
	if r.Ours() && r.cfg.Redis.now() == frozen { // or it would not hear that it is to stop
		if err := r.cfg.Redis.mend(context.Background()); err != nil {
			r.cfg.Log.Warn("Redis stays frozen", "err", err)
		}
	}
}

// take makes the caller the only one at work, if nobody is.
func (r *Runner) take() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy || r.closed {
		return false
	}
	r.busy = true
	r.tasks.Add(1)
	return true
}

func (r *Runner) release() {
	r.mu.Lock()
	r.busy, r.cancel, r.active, r.current = false, nil, nil, nil
	r.mu.Unlock()
	r.tasks.Done()
}

// dismiss ends processes that have been idle.
func (r *Runner) dismiss() {
	if r.take() {
		r.letGo()
		r.release()
	}
}

// letGo ends the processes, if there are any.
func (r *Runner) letGo() {
	if r.crew == nil {
		return
	}
	if err := r.crew.close(); err != nil {
		r.cfg.Log.Warn("the lab's processes did not stop in good order", "err", err)
	}
	r.crew = nil
}

// Start begins to carry out plans, one after the other, and returns their ids. The plans have been checked.
func (r *Runner) Start(plans ...Plan) ([]string, error) {
	if !r.take() {
		return nil, ErrBusy
	}
	ctx, cancel := context.WithCancel(r.ctx)
	created := time.Now()
	var runs []*run
	var ids []string
	for i, p := range plans {
		u := newRun(Record{
			ID:      strconv.FormatInt(created.UnixMilli()+int64(i), 36) + "-" + p.Strategy,
			Created: created.Add(time.Duration(i) * time.Millisecond), Plan: p, Phase: Preparing, Step: "waiting for its turn",
			Run: report.Run{Strategy: p.Strategy, Requests: p.Herd, Pods: p.Processes, Pool: r.cfg.Site.Pool, Sample: &report.Sample{TimeoutMS: float64(p.TimeoutMS)}},
		})
		runs, ids = append(runs, u), append(ids, u.record.ID)
	}
	r.mu.Lock()
	r.active, r.cancel = runs, cancel
	r.mu.Unlock()
	go func() { // ends with ctx, which Close ends; release counts it
		defer r.release()
		defer cancel()
		for i, u := range runs {
			if i > 0 && ctx.Err() != nil {
				break // those that never began leave nothing
			}
			r.mu.Lock()
			r.current = u
			r.mu.Unlock()
			r.carryOut(ctx, u)
		}
		r.idle.Reset(idleAfter)
	}()
	return ids, nil
}

// carryOut does one run and keeps it.
func (r *Runner) carryOut(ctx context.Context, u *run) {
	err := u.do(ctx, r)
	switch {
	case ctx.Err() != nil:
		u.end(Cancelled, "")
	case err != nil:
		r.cfg.Log.Warn("a run of the lab failed", "err", err)
		u.end(Failed, err.Error())
	default:
		u.end(Done, "")
	}
	if err != nil || ctx.Err() != nil {
		r.letGo() // whatever they are doing, nobody waits for it
	}
	if err := r.shelf.put(u.snapshot()); err != nil {
		r.cfg.Log.Warn("a run of the lab is lost", "err", err)
	}
}

// Cancel ends what is in progress.
func (r *Runner) Cancel() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		r.cancel()
	}
}

// Get returns a run as it is now, or ErrUnknown.
func (r *Runner) Get(id string) (Record, error) {
	r.mu.Lock()
	for _, u := range r.active {
		if u.record.ID == id {
			r.mu.Unlock()
			return u.snapshot(), nil
		}
	}
	r.mu.Unlock()
	record, err := r.shelf.get(id)
	if err != nil && !errors.Is(err, ErrUnknown) {
		err = fmt.Errorf("looking for a run: %w", err)
	}
	return record, err
}

// Current returns the run in progress; none and "".
func (r *Runner) Current() (id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.current == nil {
		return ""
	}
	return r.current.record.ID
}

// Recent lists the runs that are over, the newest first, without samples.
func (r *Runner) Recent() []Record { return r.shelf.recent() }
