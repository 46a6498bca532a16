// A fleet: three members on one Redis and one source, and what can be done to them.

package cache

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"net/rpc"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const processes = 3

type fleet struct {
	binary   string // the test binary, perhaps a changed one
	strategy Strategy
	redis    *redisServer
	admin    redis.UniversalClient
	source   *versions
	url      string // of the source
	rounds   int

	mu      sync.Mutex // guards members
	members [processes]*member
}

// A member is the parent's end of a Member.
type member struct {
	*rpc.Client
	cmd *exec.Cmd
}

func startFleet(t *testing.T, binary string, strategy Strategy) *fleet {
	t.Helper()
	f := &fleet{binary: binary, strategy: strategy, redis: startRedis(t), source: &versions{rows: map[string]*row{}}}
	f.admin = f.redis.client(t)
	server := httptest.NewServer(f.source)
	t.Cleanup(server.Close)
	f.url = server.URL
	for i := range processes {
		f.start(t, i)
	}
	return f
}

// start starts a member, or another in the place of one that was killed.
func (f *fleet) start(t *testing.T, number int) {
	t.Helper()
	config, err := json.Marshal(memberConfig{Number: number, Redis: f.redis.url(), Source: f.url, Strategy: f.strategy})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(f.binary)
	cmd.Env = append(os.Environ(), memberEnv+"="+string(config))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m := &member{rpc.NewClient(struct {
		io.Reader
		io.WriteCloser
	}{out, in}), cmd}
	t.Cleanup(func() {
		_ = m.Close() // its standard input, and so it ends
		if err := cmd.Wait(); err != nil && cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Errorf("member %d: %v", number, err)
		}
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members[number] = m
}

func (f *fleet) member(number int) *member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.members[number]
}

func (f *fleet) signal(t *testing.T, number int, s syscall.Signal) {
	t.Helper()
	if err := f.member(number).cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// read notes one read. A member that is killed answers nothing.
func (f *fleet) read(t *testing.T, h *history, client, number int, id string) {
	since, version := h.now(), uint64(0)
	err := f.member(number).Call("Member.Read", id, &version)
	if _, refused := errors.AsType[rpc.ServerError](err); refused {
		t.Errorf("member %d: %v", number, err)
	}
	if err == nil {
		h.did(client, since, op{opRead, number, version})
	}
}

// edit commits a new version, and tells the cache of it until it has heard, as an outbox does.
func (f *fleet) edit(t *testing.T, h *history, number int, id string, put bool) {
	client, whole := h.client(), h.client()
	since := h.now()
	version := f.source.commit(id)
	h.did(client, since, op{opCommit, number, version})
	told := h.now()
	pause(t.Context(), rand.N(10*time.Millisecond)) // edits overtake each other
	tell := func() error { return f.member(number).Call("Member.Invalidate", id, new(bool)) }
	if put {
		tell = func() error { return f.member(number).Call("Member.Put", Edit{id, version}, new(bool)) }
	}
	for err := tell(); err != nil; err = tell() {
		if h.now() > int64(20*time.Second) {
			t.Errorf("the cache does not hear of an edit: %v", err)
			return
		}
		pause(t.Context(), 10*time.Millisecond)
	}
	h.did(client, told, op{opTell, number, version})
	h.did(whole, since, op{opEdit, number, version})
}

func (f *fleet) settle(t *testing.T, h *history, number int) {
	since := h.now()
	if err := f.member(number).Call("Member.Settle", false, new(bool)); err != nil {
		t.Errorf("member %d does not settle: %v", number, err)
	}
	h.did(h.client(), since, op{opSettle, number, 0})
}

// lost reports whether any member has been without Redis since the last call.
func (f *fleet) lost(t *testing.T) (any bool) {
	t.Helper()
	for number := range processes {
		var lost bool
		if err := f.member(number).Call("Member.Lost", false, &lost); err != nil {
			t.Errorf("member %d: %v", number, err)
		}
		any = any || lost
	}
	return any
}
