// The envelope: what is written is read again, and nothing else is.

package cache

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func sampleEntry() entry {
	start := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	return entry{
		schema: 0x0102, start: start, cost: 150 * time.Millisecond,
		soft: start.Add(time.Minute), hard: start.Add(10 * time.Minute), version: 7, payload: []byte(`{"Text":"a"}`),
	}
}

// The Lua scripts read the schema and the stamp at these offsets; redis-cli shows the same bytes.
func Example_envelope() {
	b := sampleEntry().encode()
	fmt.Printf("magic, format   %q %d\n", b[0], b[1])
	fmt.Printf("schema          % x\n", b[2:4])
	fmt.Printf("kind            %d\n", b[4])
	fmt.Printf("start           % x\n", b[5:13])
	fmt.Printf("cost            % x\n", b[13:21])
	fmt.Printf("soft            % x\n", b[21:29])
	fmt.Printf("hard            % x\n", b[29:37])
	fmt.Printf("version         % x\n", b[37:45])
	fmt.Printf("checksum        % x\n", b[45:49])
	fmt.Printf("payload         %s\n", b[49:])
	// Output:
	// magic, format   'p' 1
	// schema          01 02
	// kind            1
	// start           18 86 ca f2 1c 96 32 06
	// cost            00 00 00 00 08 f0 d1 80
	// soft            00 00 01 9b 7c aa 76 e8
	// hard            00 00 01 9b 7c b2 b4 48
	// version         00 00 00 00 00 00 00 07
	// checksum        f5 b4 77 20
	// payload         {"Text":"a"}
}

func TestAnEntryIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		millis := func(name string) time.Time { return time.UnixMilli(rapid.Int64Range(0, 1<<42).Draw(t, name)) }
		e := entry{
			schema:   rapid.Uint16().Draw(t, "schema"),
			notFound: rapid.Bool().Draw(t, "not found"),
			start:    time.Unix(0, rapid.Int64Range(0, 1<<62).Draw(t, "start")),
			cost:     time.Duration(rapid.Int64Range(0, 1<<62).Draw(t, "cost")),
			soft:     millis("soft"),
			hard:     millis("hard"),
			version:  rapid.Uint64().Draw(t, "version"),
			payload:  rapid.SliceOf(rapid.Byte()).Draw(t, "payload"),
		}
		b := e.encode()
		got, err := decodeEntry(b, e.schema)
		if err != nil {
			t.Fatal(err)
		}
		if got.notFound != e.notFound || !got.start.Equal(e.start) || got.cost != e.cost || !got.soft.Equal(e.soft) ||
			!got.hard.Equal(e.hard) || got.version != e.version || !bytes.Equal(got.payload, e.payload) {
			t.Fatalf("wrote %+v, read %+v", e, got)
		}
		if stampOf(b) != e.stamp() {
			t.Fatalf("stamp %q in the envelope, %q of the entry", stampOf(b), e.stamp())
		}
		if _, err := decodeEntry(b, e.schema+1); !errors.Is(err, errOtherSchema) {
			t.Fatalf("read with another schema: %v", err)
		}
	})
}

func TestEveryFlippedBitAndEveryCutIsNoticed(t *testing.T) {
	b := sampleEntry().encode()
	for i := range b {
		for bit := range 8 {
			flipped := bytes.Clone(b)
			flipped[i] ^= 1 << bit
			if _, err := decodeEntry(flipped, 0x0102); !errors.Is(err, errUndecodable) {
				t.Errorf("bit %d of byte %d flipped: %v", bit, i, err)
			}
		}
		if _, err := decodeEntry(b[:i], 0x0102); !errors.Is(err, errUndecodable) {
			t.Errorf("cut to %d bytes: %v", i, err)
		}
	}
}

func FuzzDecodeEntry(f *testing.F) {
	e := sampleEntry()
	f.Add(e.encode(), e.schema)
	f.Add([]byte{}, uint16(0))
	f.Add([]byte(`{"v":`), uint16(1))
	f.Add(e.encode()[:headerLen], e.schema)
	f.Fuzz(func(t *testing.T, b []byte, schema uint16) {
		_ = stampOf(b)
		e, err := decodeEntry(b, schema)
		if err != nil {
			return
		}
		if again := e.encode(); !bytes.Equal(again, b) {
			t.Errorf("read %x, wrote %x", b, again)
		}
	})
}
