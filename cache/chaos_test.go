// Chaos: random edits, callers, delays and faults, and one claim that no order of them may break.

package cache

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A dice is a random source that many goroutines may throw.
type dice struct {
	mu  sync.Mutex
	rnd *rand.Rand
}

func (d *dice) below(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rnd.IntN(n)
}

func (d *dice) wait(most time.Duration) { time.Sleep(time.Duration(d.below(int(most)))) }

// A caller who starts after an edit was acknowledged never sees what was there before. Messages arrive at once here, so
// this holds in all processes; void commands succeed, because an edit that Redis did not hear of is an error to its
// editor. All other commands may be late, refused, unanswered or both.
func TestNobodyStartsAfterAnEditAndSeesWhatWasBefore(t *testing.T) {
	for _, strategy := range fencing {
		t.Run(string(strategy), func(t *testing.T) {
			for seed := range uint64(20) {
				synctest.Test(t, func(t *testing.T) { chaos(t, strategy, &dice{rnd: rand.New(rand.NewPCG(seed, 0))}) })
				if t.Failed() {
					t.Fatalf("with seed %d", seed)
				}
			}
		})
	}
}

func chaos(t *testing.T, strategy Strategy, d *dice) {
	policy := Policy{
		Strategy: strategy, SoftTTL: 200 * time.Millisecond, HardTTL: time.Second, LocalTTL: 100 * time.Millisecond,
		Jitter: 0.1, Beta: 1, LoadTimeout: 300 * time.Millisecond, LeaseTTL: 100 * time.Millisecond,
	}
	processes := newFakeRedis().starts(t, 3, policy)
	for _, p := range processes {
		p.remote.delay = map[string]time.Duration{"get": time.Millisecond, "commit": 5 * time.Millisecond, "acquire": time.Millisecond}
		p.remote.onCommand(func(command string) fault {
			d.wait(20 * time.Millisecond)
			if command == "void" || d.below(5) > 0 {
				return none
			}
			return fault(1 + d.below(3))
		})
	}

	var row, acknowledged, answers atomic.Int64
	load := func(ctx context.Context) (doc, error) {
		read := row.Load()
		d.wait(200 * time.Millisecond)
		if d.below(20) == 0 {
			time.Sleep(time.Second) // and is deaf
		}
		return doc{Text: strconv.FormatInt(read, 10)}, ctx.Err()
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 15 {
			d.wait(300 * time.Millisecond)
			version := row.Add(1)
			if err := processes[d.below(3)].Group.Invalidate(t.Context(), "1"); err != nil {
				t.Error(err)
			}
			acknowledged.Store(version)
		}
	})
	for range 8 {
		wg.Go(func() {
			for range 30 {
				d.wait(100 * time.Millisecond)
				least := acknowledged.Load()
				ctx, trace := WithTrace(t.Context())
				got, err := processes[d.below(3)].Get(ctx, "1", load)
				if err != nil {
					continue // time-outs are part of it
				}
				answers.Add(1)
				if version, _ := strconv.ParseInt(got.Text, 10, 64); version < least {
					t.Errorf("version %d answered by %q, although %d was acknowledged before", version, trace.Lookups()[0].Result, least)
				}
			}
		})
	}
	wg.Wait()
	if answers.Load() < 100 {
		t.Errorf("only %d of 240 calls were answered: the chaos is too great to show anything", answers.Load())
	}
}
