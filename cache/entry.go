// The entry: what is stored under a key, and the envelope it travels in.

package cache

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"
)

// An entry is one cached answer. It is stamped with the time before its load began: whatever
// changed after that moment may be missing from it.
type entry struct {
	schema   uint16        // version of the payload's type
	notFound bool          // the answer is "there is no such thing"
	start    time.Time     // when the load began; also the identity of this value, its stamp
	cost     time.Duration // δ, how long the load took
	soft     time.Time     // fresh until
	hard     time.Time     // may be shown until
	version  uint64        // of the thing itself, where it has one: see Group.Put
	payload  []byte
}

func (e entry) fresh(now time.Time) bool { return now.Before(e.soft) }

// The envelope is a fixed header, then the payload. Scripts read the schema (bytes 3–4, counted from
// one), the stamp (bytes 6–13) and the version (bytes 38–45) in place, so these offsets are part of the format.
//
//	0  magic 'p', format version 1
//	2  schema
//	4  kind: 1 value, 2 not found
//	5  load start, Unix ns
//	13 load cost, ns
//	21 soft expiry, Unix ms
//	29 hard expiry, Unix ms
//	37 version of the thing
//	45 CRC-32C of everything else
//	49 payload
const headerLen = 49

const (
	magic     = 'p'
	format    = 1
	kindValue = 1
	kindNone  = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (e entry) encode() []byte {
	b := make([]byte, headerLen, headerLen+len(e.payload))
	b[0], b[1] = magic, format
	binary.BigEndian.PutUint16(b[2:], e.schema)
	b[4] = kindValue
	if e.notFound {
		b[4] = kindNone
	}
	putInt(b[5:], e.start.UnixNano())
	putInt(b[13:], int64(e.cost))
	putInt(b[21:], e.soft.UnixMilli())
	putInt(b[29:], e.hard.UnixMilli())
	binary.BigEndian.PutUint64(b[37:], e.version)
	b = append(b, e.payload...)
	binary.BigEndian.PutUint32(b[45:], checksum(b))
	return b
}

var (
	errUndecodable = errors.New("undecodable entry")
	errOtherSchema = errors.New("entry of another schema")
)

// decodeEntry returns the entry in b, errUndecodable, or errOtherSchema. It never panics, and any
// single flipped bit is noticed. The payload aliases b.
func decodeEntry(b []byte, schema uint16) (entry, error) {
	if len(b) < headerLen || b[0] != magic || b[1] != format ||
		b[4] != kindValue && b[4] != kindNone || binary.BigEndian.Uint32(b[45:]) != checksum(b) {
		return entry{}, errUndecodable
	}
	e := entry{
		schema:   binary.BigEndian.Uint16(b[2:]),
		notFound: b[4] == kindNone,
		start:    time.Unix(0, getInt(b[5:])),
		cost:     time.Duration(getInt(b[13:])),
		soft:     time.UnixMilli(getInt(b[21:])),
		hard:     time.UnixMilli(getInt(b[29:])),
		version:  binary.BigEndian.Uint64(b[37:]),
		payload:  b[headerLen:],
	}
	if e.schema != schema {
		return entry{}, errOtherSchema
	}
	return e, nil
}

// stamp returns the entry's identity as the acquire script reads it from the envelope.
func (e entry) stamp() string {
	b := make([]byte, 8)
	putInt(b, e.start.UnixNano())
	return string(b)
}

// stampOf returns the identity of a stored value, decodable or not.
func stampOf(b []byte) string {
	if len(b) < 13 {
		return string(b)
	}
	return string(b[5:13])
}

func checksum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:45], castagnoli), castagnoli, b[headerLen:])
}

func putInt(b []byte, v int64) { binary.BigEndian.PutUint64(b, uint64(v)) }
func getInt(b []byte) int64    { return int64(binary.BigEndian.Uint64(b)) }
