// Inspect: what a stored value tells about itself, for tools that look into Redis behind a running program.

package cache

import (
	"encoding/binary"
	"time"
)

// Stored is the envelope of a stored value without the value.
type Stored struct {
	NotFound bool
	Start    time.Time     // when its load began
	Cost     time.Duration // how long that took
	Soft     time.Time     // fresh until
	Hard     time.Time     // may be shown until
}

// Inspect reads the envelope of a value of any schema. Its error means that the bytes are no value of this cache.
func Inspect(b []byte) (Stored, error) {
	if len(b) < headerLen {
		return Stored{}, errUndecodable
	}
	e, err := decodeEntry(b, binary.BigEndian.Uint16(b[2:]))
	if err != nil {
		return Stored{}, err
	}
	return Stored{NotFound: e.notFound, Start: e.start, Cost: e.cost, Soft: e.soft, Hard: e.hard}, nil
}
