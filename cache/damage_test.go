// Values that cannot be read: after damage, by another program, or of another version of this one.

package cache

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// damaged returns every kind of thing that can stand under a key instead of its value.
func damaged(good []byte) map[string]fakeValue {
	kinds := map[string]fakeValue{
		"nothing in it":          {bytes: []byte{}},
		"half of some JSON":      {bytes: []byte(`{"v":`)},
		"text that begins alike": {bytes: []byte("plain text that is longer than any header could ever be")},
		"cut off":                {bytes: good[:headerLen]},
		"a list":                 {wrongType: true},
	}
	for i := range good {
		b := append([]byte(nil), good...)
		b[i] ^= 0x10
		kinds[fmt.Sprintf("byte %d flipped", i)] = fakeValue{bytes: b}
	}
	// A sound envelope with a payload of another shape: somebody forgot to raise the schema.
	e, err := decodeEntry(good, 1)
	if err != nil {
		panic(err)
	}
	e.payload = []byte(`{"Text":17}`)
	kinds["a field of another type"] = fakeValue{bytes: e.encode()}
	return kinds
}

func TestADamagedValueIsLoadedOnceAndReplaced(t *testing.T) {
	eachStrategy(t, []Strategy{Flight, Lock, Both, SWR, XFetch}, func(t *testing.T, p *testProcess, f *fakeRedis) {
		s := holding("a", 100*time.Millisecond)
		p.get("1", s)
		for name, value := range damaged(f.peek(keyOf("1"))) {
			p.process.flush()
			f.put(keyOf("1"), value)
			before, counter := s.loads(), counted(t, p.kind.metrics.undecodable)
			wantText(t, "a", herd(50, func(int) (doc, error) { return p.Get(t.Context(), "1", s.load) })...)
			if got := s.loads() - before; got != 1 {
				t.Errorf("%s: %d loads, want 1", name, got)
			}
			if _, err := decodeEntry(f.peek(keyOf("1")), 1); err != nil {
				t.Errorf("%s: not replaced: %v", name, err)
			}
			if !value.wrongType && counted(t, p.kind.metrics.undecodable) == counter {
				t.Errorf("%s: not counted", name)
			}
		}
	})
}

func TestTwoSchemasSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeRedis()
		older, newer := f.startSchema(t, testPolicy(Both), 1), f.startSchema(t, testPolicy(Both), 2)
		s := holding("a", 10*time.Millisecond)
		schema := func() uint16 { return uint16(f.peek(keyOf("1"))[2])<<8 | uint16(f.peek(keyOf("1"))[3]) }

		// The older program is first.
		_, how := older.get("1", s)
		wantResult(t, how, Loaded)
		_, how = newer.get("1", s)
		wantResult(t, how, Loaded)
		if schema() != 2 {
			t.Error("the newer program's value is not in Redis")
		}
		wantCount(t, "values of another schema", newer.kind.metrics.undecodableSchema, 1)

		// Now the older one finds a value that it cannot read and must not replace.
		time.Sleep(6 * time.Second)
		a, how := older.get("1", s)
		wantText(t, "a", a)
		wantResult(t, how, Loaded)
		_, how = older.get("1", s)
		wantResult(t, how, HitL1)
		if schema() != 2 {
			t.Error("the older program replaced the newer one's value")
		}
		if token, _ := f.holder(keyOf("1")); token != "" {
			t.Error("the lease is still there")
		}
		_, how = newer.get("1", s)
		wantResult(t, how, HitRedis)
	})
}

func TestAFailureOfAnotherProcessIsToldInOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		processes := newFakeRedis().starts(t, 2, testPolicy(Both))
		s := holding("a", 10*time.Millisecond)
		s.bad = func() { panic("x") }
		for _, a := range herdOver(t, processes, 2, s) {
			wantErr(t, ErrLoadPanicked, a)
			if strings.Contains(a.err.Error(), "another process") && strings.Contains(a.err.Error(), "goroutine ") {
				t.Errorf("a stack travelled through Redis: %v", a.err)
			}
		}
	})
}
