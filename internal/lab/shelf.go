// The shelf: runs that are over, one file each.

package lab

import (
	"cmp"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// kept is how many runs there is room for; the oldest make it.
const kept = 50

// recorded holds runs that were made with the real thing, so that there is something to see before anybody has run one.
//
//go:embed recorded
var recorded embed.FS

// ErrUnknown says that there is no such run (any more).
var ErrUnknown = errors.New("no such run")

var validID = regexp.MustCompile(`^[0-9a-z]+-[0-9a-z]+$`)

type shelf struct {
	dir string

	mu    sync.Mutex
	heads []Record // without samples, the newest first
}

// openShelf reads what is there. A file that cannot be read is left alone: it may be of another version.
func openShelf(dir string) (*shelf, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making a folder for the lab's runs: %w", err)
	}
	s := &shelf{dir: dir}
	files, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if r, err := readRecord(os.DirFS(dir), filepath.Base(file)); err == nil {
			s.heads = append(s.heads, r.head())
		}
	}
	s.sort()
	return s, nil
}

func (r Record) head() Record {
	r.Run.Sample = nil
	return r
}

func (s *shelf) sort() {
	slices.SortFunc(s.heads, func(a, b Record) int { return cmp.Compare(b.Created.UnixMilli(), a.Created.UnixMilli()) })
}

// put stores a run, and drops the oldest beyond what is kept.
func (s *shelf) put(r Record) error {
	if err := writeRecord(filepath.Join(s.dir, r.ID+".json.gz"), r); err != nil {
		return fmt.Errorf("keeping a run: %w", err)
	}
	s.mu.Lock()
	s.heads = append(s.heads, r.head())
	s.sort()
	var old []Record
	if len(s.heads) > kept {
		s.heads, old = slices.Clone(s.heads[:kept]), slices.Clone(s.heads[kept:])
	}
	s.mu.Unlock()
	var errs []error
	for _, r := range old {
		errs = append(errs, os.Remove(filepath.Join(s.dir, r.ID+".json.gz")))
	}
	return errors.Join(errs...)
}

// get returns a run with all that was recorded, or ErrUnknown.
func (s *shelf) get(id string) (Record, error) {
	if !validID.MatchString(id) {
		return Record{}, ErrUnknown
	}
	r, err := readRecord(os.DirFS(s.dir), id+".json.gz")
	if errors.Is(err, fs.ErrNotExist) {
		r, err = readRecord(recorded, "recorded/"+id+".json.gz")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, ErrUnknown
	}
	return r, err
}

// recent lists the runs that are kept, the newest first, without samples.
func (s *shelf) recent() []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.heads)
}

// Builtin lists the runs that come with the program, without samples.
func Builtin() []Record {
	var heads []Record
	files, _ := fs.Glob(recorded, "recorded/*.json.gz")
	for _, file := range files {
		if r, err := readRecord(recorded, file); err == nil {
			heads = append(heads, r.head())
		}
	}
	slices.SortFunc(heads, func(a, b Record) int { return strings.Compare(a.Plan.Strategy, b.Plan.Strategy) })
	return heads
}

func readRecord(from fs.FS, name string) (r Record, err error) {
	file, err := from.Open(name)
	if err != nil {
		return r, err
	}
	defer file.Close() //nolint:errcheck // only read
	unpacked, err := gzip.NewReader(file)
	if err == nil {
		err = json.NewDecoder(unpacked).Decode(&r)
	}
	if err != nil {
		return r, fmt.Errorf("reading a run from %s: %w", name, err)
	}
	return r, nil
}

// writeRecord leaves a whole file or none.
func writeRecord(path string, r Record) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	packed := gzip.NewWriter(file)
	err = errors.Join(json.NewEncoder(packed).Encode(r), packed.Close(), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
