// A child process that cannot outlive us, on Linux and macOS, whether we stop it, crash or are killed with SIGKILL.
//
// Neither kernel offers that (Linux' Pdeathsig is bound to a thread, macOS has nothing), so a watcher stands beside each
// server: a shell that reads from a pipe whose other end only we hold. The kernel closes our end however we end, the read
// returns, and the watcher stops the server. Stop uses the same way: one mechanism, exercised at each shutdown.

package servers

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// watched is run by sh with the server's command line as its arguments. `$$` is the server's process id, because exec
// keeps it. The watcher is forked twice, so that it is no child of the server (PostgreSQL takes an unknown child that
// dies for a crashed backend). It stays in the server's process group, and while it does no other process can be given
// the server's id: the signals cannot hit a stranger.
//
// INT asks for a fast, orderly stop, QUIT for a crash-safe one without delay; each has 10 s.
const watched = `
((
	read -r _ <&3
	for signal in INT QUIT KILL; do
		kill -s $signal $$ || exit
		tenths=100
		while kill -s 0 $$ && [ $tenths -gt 0 ]; do sleep 0.1; tenths=$((tenths - 1)); done
	done
) </dev/null >/dev/null 2>&1 &)
exec "$@" 3<&-`

const stopWithin = 25 * time.Second // more than the watcher needs; passed only if somebody killed the watcher

type command struct {
	path  string
	args  []string
	env   []string // besides PATH and LC_ALL
	dir   string
	stdin string              // for what must not be seen in the list of processes
	user  *syscall.Credential // nil: ours
}

type process struct {
	cmd      *exec.Cmd
	lifeline *os.File      // our end of the watcher's pipe
	asked    atomic.Bool   // stop was called
	exited   chan struct{} // closed when the process has been waited for
	err      error         // how it ended; written once before exited is closed
}

// startProcess runs c in a session of its own: a Ctrl-C in the terminal is for us, who stop the servers last. It also
// makes Linux share the processor between us and the server, rather than give both a single share.
func startProcess(c command, log *os.File) (*process, error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	cmd := exec.Command("/bin/sh", append([]string{"-c", watched, "sh", c.path}, c.args...)...)
	cmd.Dir, cmd.Env = c.dir, append(environment(), c.env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.stdin), log, log
	cmd.ExtraFiles = []*os.File{theirs} // becomes descriptor 3
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: c.user}
	if err := cmd.Start(); err != nil {
		ours.Close()
		return nil, err
	}
	p := &process{cmd: cmd, lifeline: ours, exited: make(chan struct{})}
	go p.wait()
	return p, nil
}

// wait ends with the process.
func (p *process) wait() {
	p.err = p.cmd.Wait()
	if p.err == nil && !p.asked.Load() {
		p.err = errors.New("stopped by somebody else")
	}
	// The watcher would end by itself within a tenth of a second; nothing else is in the group.
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	close(p.exited)
}

// stop lets the watcher end the process, and waits for it. The error says that it did not end in good order.
func (p *process) stop() error {
	select {
	case <-p.exited:
		return nil // by itself: err says how
	default:
	}
	p.asked.Store(true)
	p.lifeline.Close()
	select {
	case <-p.exited:
		return p.err
	case <-time.After(stopWithin):
	}
	if err := p.cmd.Process.Kill(); err != nil {
		return err
	}
	<-p.exited
	return fmt.Errorf("killed, because it did not stop within %v", stopWithin)
}

// environment keeps PGPORT, PGDATA, PGOPTIONS and their like away from the servers, and makes them speak English.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
}
