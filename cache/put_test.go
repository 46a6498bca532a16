// Put: set after commit, with a version.

package cache

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// A versioned thing, as an editor's program has it at hand after an edit.
type thing struct{ Version uint64 }

func (t thing) CacheVersion() uint64 { return t.Version }

// things starts n processes that cache things on f.
func things(t testing.TB, f *fakeRedis, n int, s Strategy) []*Group[thing] {
	t.Helper()
	var groups []*Group[thing]
	for range n {
		g, err := NewGroup[thing](f.start(t, testPolicy(s)).Cache, "things", 1, testPolicy(s))
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, g)
	}
	return groups
}

func TestPut(t *testing.T) {
	never := func(context.Context) (thing, error) { t.Error("loaded"); return thing{}, nil }
	bubble(t, map[string]func(t *testing.T){
		"shows the new version in every process without a load": func(t *testing.T) {
			groups := things(t, newFakeRedis(), 3, Both)
			for _, g := range groups {
				_, _ = g.Get(t.Context(), "1", func(context.Context) (thing, error) { return thing{1}, nil })
			}
			if err := groups[0].Put(t.Context(), "1", thing{2}); err != nil {
				t.Fatal(err)
			}
			for i, g := range groups {
				if v, err := g.Get(t.Context(), "1", never); err != nil || v.Version != 2 {
					t.Errorf("process %d shows %v, %v; want version 2", i, v, err)
				}
			}
		},
		"voids a load in progress, whose older answer is stored nowhere": func(t *testing.T) {
			groups := things(t, newFakeRedis(), 2, Both)
			read, release := make(chan struct{}), make(chan struct{})
			var old sync.WaitGroup
			old.Go(func() {
				_, _ = groups[1].Get(t.Context(), "1", func(context.Context) (thing, error) { close(read); <-release; return thing{1}, nil })
			})
			<-read
			if err := groups[0].Put(t.Context(), "1", thing{2}); err != nil {
				t.Fatal(err)
			}
			close(release)
			old.Wait()
			synctest.Wait()
			for i, g := range groups {
				if v, err := g.Get(t.Context(), "1", never); err != nil || v.Version != 2 {
					t.Errorf("process %d shows %v, %v; want version 2", i, v, err)
				}
			}
		},
		"that fails leaves nothing old in the writer's own memory": func(t *testing.T) {
			f := newFakeRedis()
			p := f.start(t, testPolicy(Both))
			g, err := NewGroup[thing](p.Cache, "things", 1, testPolicy(Both))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = g.Get(t.Context(), "1", func(context.Context) (thing, error) { return thing{1}, nil })
			p.remote.onCommand(failing(refused))
			if err := g.Put(t.Context(), "1", thing{2}); err == nil {
				t.Error("no error, although Redis refused")
			}
			if v, err := g.Get(t.Context(), "1", func(context.Context) (thing, error) { return thing{2}, nil }); err != nil || v.Version != 2 {
				t.Errorf("the writer shows %v, %v; want version 2", v, err)
			}
		},
	})
}

// In whichever order the Puts of a series of edits arrive, and whatever is read in between, what is shown never goes
// back, and in the end the newest edit is there.
func TestAnOlderVersionNeverReplacesANewer(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		order := rapid.Permutation([]uint64{1, 2, 3, 4, 5, 6, 7, 8}).Draw(rt, "order of arrival")
		reads := rapid.SliceOfN(rapid.IntRange(0, 2), len(order), len(order)).Draw(rt, "readers")
		synctest.Test(t, func(t *testing.T) {
			groups := things(t, newFakeRedis(), 3, Both)
			var newest uint64
			for i, v := range order {
				if err := groups[i%3].Put(t.Context(), "1", thing{v}); err != nil {
					t.Fatal(err)
				}
				newest = max(newest, v)
				got, err := groups[reads[i]].Get(t.Context(), "1", func(context.Context) (thing, error) {
					return thing{}, fmt.Errorf("loaded, although a value was put")
				})
				if err != nil || got.Version != newest {
					t.Fatalf("after puts %v: version %d, %v; want %d", order[:i+1], got.Version, err, newest)
				}
				time.Sleep(time.Millisecond)
			}
		})
	})
}
