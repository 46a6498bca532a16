// The test of the test: without any one rule of the fence, the histories of a fleet must become impossible.

package cache

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
)

// A rule of the fence, and the round that finds out that it is missing.
type rule struct {
	name     string
	file     string // its source,
	is       string // the text there that is the rule,
	instead  string // and what is there without it: Lua, or Go in which «removed» tells whether this is the rule to go
	strategy Strategy
	round    round
}

var rules = []rule{
	{
		"Redis: commit asks whether the lease is still ours", "lua/commit.lua",
		"if redis.call('GET', KEYS[2]) ~= ARGV[1] then", "if false then",
		Lock, round{trouble: peace, held: true},
	}, {
		"Redis: commit takes no lease for one that is lost", "lua/commit.lua",
		"if redis.call('GET', KEYS[2]) ~= ARGV[1] then", "if (redis.call('GET', KEYS[2]) or ARGV[1]) ~= ARGV[1] then",
		Lock, round{trouble: peace, held: true},
	}, {
		"Redis: void deletes the lease", "lua/void.lua",
		"redis.call('DEL', KEYS[1], KEYS[2])", "redis.call('DEL', KEYS[1])",
		Lock, round{trouble: peace, held: true},
	}, {
		"Redis: void deletes the value", "lua/void.lua",
		"redis.call('DEL', KEYS[1], KEYS[2])", "redis.call('DEL', KEYS[2])",
		Lock, round{trouble: peace},
	}, {
		"Redis: renew creates no lease", "lua/renew.lua",
		"if redis.call('GET', KEYS[2]) == ARGV[1] then", "if redis.call('SET', KEYS[2], ARGV[1]) then",
		Lock, round{trouble: peace, held: true},
	}, {
		"Redis: replace deletes the lease", "lua/replace.lua",
		"redis.call('DEL', KEYS[2])", "",
		Lock, round{trouble: peace, held: true, put: true},
	}, {
		"Redis: replace keeps a newer version", "lua/replace.lua",
		"number(current, 38, 45) > number(ARGV[1], 38, 45)", "false",
		Lock, round{trouble: peace, put: true},
	}, {
		"process: only a call that is still registered fills L1", "flight.go",
		"p.currentLocked(key, c) && localTTL > 0", "(«removed» || p.currentLocked(key, c)) && localTTL > 0",
		Both, round{trouble: peace, held: true},
	}, {
		"process: void ends running calls", "flight.go",
		"delete(p.flights, key)\n\tdelete(p.refreshes, key)\n\tp.l1", "if !«removed» {\n\tdelete(p.flights, key)\n\t}\n\tp.l1",
		Both, round{trouble: peace, held: true},
	}, {
		"process: void forgets the copy", "flight.go",
		"\tp.l1.Invalidate(key)\n}", "\tif !«removed» {\n\tp.l1.Invalidate(key)\n\t}\n}",
		Both, round{trouble: peace},
	}, {
		"process: messages are obeyed", "backplane.go",
		"if m.Kind == voided {", "if m.Kind == voided && !«removed» {",
		Both, round{trouble: peace},
	}, {
		"process: copies from before a flush are not shown", "flight.go",
		"e.epoch != p.epoch.Load()", "(!«removed» && e.epoch != p.epoch.Load())",
		Both, round{trouble: unheard},
	}, {
		"process: a flush ends running calls", "flight.go",
		"clear(p.flights)", "if !«removed» {\n\tclear(p.flights)\n\t}",
		Both, round{trouble: unheard, held: true},
	}, {
		"process: a new subscription is a flush", "backplane.go",
		"c.Flush()\n", "if !«removed» {\n\tc.Flush()\n\t}\n",
		Both, round{trouble: unheard},
	},
}

// removedRule is the number of the rule that this process does without, counted from one.
var removedRule atomic.Int64

// Remove makes a member of the changed binary do without a rule, or with all of them again: 0.
func (m *Member) Remove(rule int64, _ *bool) error { removedRule.Store(rule); return nil }

//nolint:unused // the changed sources call it
func removed(rule int64) bool { return removedRule.Load() == rule }

// changedScript returns a script without the rule that is removed.
//
//nolint:unused // the changed sources call it
func changedScript(s *redis.Script) *redis.Script {
	for i, r := range rules {
		text, err := scripts.ReadFile(r.file)
		if err == nil && removed(int64(i+1)) && redis.NewScript(string(text)).Hash() == s.Hash() {
			return redis.NewScript(strings.Replace(string(text), r.is, r.instead, 1))
		}
	}
	return s
}

func TestEveryRuleOfTheFenceIsNeeded(t *testing.T) {
	t.Parallel()
	binary := buildWithRemovableRules(t)
	fleets := map[Strategy]*fleet{Lock: startFleet(t, binary, Lock), Both: startFleet(t, binary, Both)}
	for i, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			f := fleets[r.strategy]
			possible := func() bool {
				h := f.play(t, r.round)
				return h.possible(t, promise(r.strategy, h))
			}
			if !possible() {
				t.Error("the round finds something although the rule is there")
			}
			f.remove(t, i+1)
			defer f.remove(t, 0)
			for n := range 20 { // most need one, but some are a matter of luck
				if !possible() {
					t.Log("noticed in round", n+1)
					return
				}
			}
			t.Error("nobody notices that it is gone")
		})
	}
}

func (f *fleet) remove(t *testing.T, rule int) {
	t.Helper()
	for number := range processes {
		if err := f.member(number).Call("Member.Remove", int64(rule), new(bool)); err != nil {
			t.Fatal(err)
		}
	}
}

// buildWithRemovableRules builds this test binary from sources in which each rule can be switched off. With none switched
// off it behaves as the original does, as does a cache whose mistakes nobody would find.
func buildWithRemovableRules(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	changed := map[string]string{"redis.go": readFile(t, "redis.go")}
	change := func(file, is, instead string) {
		if strings.Count(changed[file], is) != 1 {
			t.Fatalf("%s does not have this once any more, so the rules here must follow:\n%s", file, is)
		}
		changed[file] = strings.Replace(changed[file], is, instead, 1)
	}
	change("redis.go", "script.Run(ctx, r.client", "changedScript(script).Run(ctx, r.client")
	for i, r := range rules {
		if changed[r.file] == "" {
			changed[r.file] = readFile(t, r.file)
		}
		if filepath.Ext(r.file) == ".go" {
			change(r.file, r.is, strings.ReplaceAll(r.instead, "«removed»", fmt.Sprintf("removed(%d)", i+1)))
		} else if strings.Count(changed[r.file], r.is) != 1 {
			t.Fatalf("%s does not have this once any more:\n%s", r.file, r.is)
		}
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range changed {
		path := filepath.Join(dir, strings.ReplaceAll(file, "/", "-"))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		original, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		overlay.Replace[original] = path
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"test", "-c", "-vet=off", "-ldflags=-w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", filepath.Join(dir, "changed.test")}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-race" { // as we are, so that the packages below need not be built again
				args = append(args, "-race="+s.Value)
			}
		}
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return filepath.Join(dir, "changed.test")
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
