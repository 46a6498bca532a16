// A program of our own, such as a process of the site, under the same guarantee as the servers.

package servers

import (
	"fmt"
	"os"
)

// Child is a program that lives no longer than we do.
type Child struct{ process *process }

// StartChild runs the program at path with env added to a bare environment; its output goes to log.
func StartChild(path string, env []string, log *os.File) (*Child, error) {
	p, err := startProcess(command{path: path, env: env}, log)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return &Child{p}, nil
}

// PID is the process id, for signals and statistics.
func (c *Child) PID() int { return c.process.cmd.Process.Pid }

// Exited is closed when the process has ended, for whatever reason.
func (c *Child) Exited() <-chan struct{} { return c.process.exited }

// Stop asks the process to finish, ends it by force if it does not, and returns when it is gone.
func (c *Child) Stop() error { return c.process.stop() }
