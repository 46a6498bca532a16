// The visitor's cookie: whatever is in it is read as homes or not at all.

package handlers

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func FuzzMine(f *testing.F) {
	for _, seed := range []string{
		"", "~~~", "1z.a~b~a.c~t5zk8o", "a~a~a~a", "a.a.a~~~", strings.Repeat("1.", 500) + "~~~", "-1.0.+1~ 2~0x1~", "3w5e11264sgsg.3w5e11264sgsf~~~", "~~~~", "}~*{display:none}~\"~;",
		strings.Repeat("zzzz.zzzy.", 40) + "~" + strings.Repeat("zzzz.", 70) + "~1.2.3.4.5.6.7.8.9.a.b.c.d.e~1",
	} {
		f.Add(seed)
	}
	now := time.Unix(1_800_000_000, 0)
	f.Fuzz(func(t *testing.T, value string) {
		m := parseMine(value)
		again := parseMine(m.String())
		if again.String() != m.String() {
			t.Errorf("%q is read as %q, and that as %q", value, m, again)
		}
		if len(m.saved) > mostSaved || len(m.hidden) > mostHidden || len(m.seen) > mostSeen {
			t.Errorf("%q holds %d, %d and %d homes", value, len(m.saved), len(m.hidden), len(m.seen))
		}
		if n := len(m.String()); n > 2000 {
			t.Errorf("the cookie would have %d bytes", n)
		}
		for _, ids := range [][]int64{m.saved, m.hidden, m.seen} {
			sorted := slices.Sorted(slices.Values(ids))
			if len(slices.Compact(slices.Clone(sorted))) != len(ids) || len(ids) > 0 && sorted[0] <= 0 {
				t.Errorf("%q holds the ids %v", value, ids)
			}
		}
		for _, id := range m.saved {
			if slices.Contains(m.hidden, id) {
				t.Errorf("%q: home %d is saved and hidden", value, id)
			}
		}
		// Nothing of the cookie but numbers gets into the stylesheet.
		for _, rule := range strings.Split(strings.TrimSuffix(string(m.style(now)), "\n"), "\n") {
			if rule != "" && (strings.Count(rule, "{") != 1 || !strings.HasSuffix(rule, "}")) {
				t.Errorf("%q makes the rule %q", value, rule)
			}
		}
	})
}

func TestMine(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	var m mine
	for _, step := range []struct {
		action string
		id     int64
		want   string
	}{
		{"save", 10, "a~~~"},
		{"save", 11, "b.a~~~"},
		{"save", 10, "a.b~~~"},
		{"hide", 10, "b~a~~tro8w0"}, // no home is both
		{"hide", 12, "b~c.a~~tro8w0"},
		{"show", 12, "b~a~~"},
		{"save", 10, "a.b~~~"},
		{"drop", 11, "a~~b~"}, // still at hand
		{"drop", 11, "a~~b~"},
		{"show", 99, "a~~b~"},
	} {
		if !m.do(step.action, step.id, now) {
			t.Fatalf("%s %d is refused", step.action, step.id)
		}
		if got := m.String(); got != step.want {
			t.Errorf("%s %d makes %q, want %q", step.action, step.id, got, step.want)
		}
	}

	for id := range int64(mostHidden + 5) {
		m.do("hide", 100+id, now)
	}
	if len(m.hidden) != mostHidden || m.hidden[0] != 100+mostHidden+4 || slices.Contains(m.hidden, 104) || !slices.Contains(m.hidden, 105) {
		t.Errorf("after %d were hidden, these are: %v", mostHidden+5, m.hidden)
	}
	if gone := m.gone(now.Add(undoFor - time.Second)); len(gone) != mostHidden-1 || slices.Contains(gone, m.hidden[0]) {
		t.Errorf("the home that was hidden just now has no way back: %v", gone)
	}
	for _, at := range []time.Time{now.Add(undoFor), now.Add(-time.Hour)} {
		if gone := m.gone(at); len(gone) != mostHidden {
			t.Errorf("at %v %d homes are gone, want all %d", at, len(gone), mostHidden)
		}
	}
	for id := range int64(mostSeen + 3) {
		m.look(id + 1)
	}
	if len(m.seen) != mostSeen || m.seen[0] != mostSeen+3 || m.look(mostSeen+3) {
		t.Errorf("seen: %v", m.seen)
	}
	for id := range int64(mostSaved - 1) {
		m.do("save", 1000+id, now)
	}
	before := m.String()
	if len(m.saved) != mostSaved || m.do("save", 2000, now) || m.String() != before {
		t.Errorf("a full shortlist of %d takes another home", len(m.saved))
	}
	if !m.do("save", 1000, now) || m.saved[0] != 1000 {
		t.Error("a home that is saved cannot be saved again")
	}
	if !m.forget([]int64{1000, 5}) || m.forget([]int64{1000, 5}) || slices.Contains(m.saved, 1000) {
		t.Errorf("forgotten homes remain: %q", m)
	}
}
