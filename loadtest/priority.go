// Who gets the processor first.

package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// serverNice is the niceness of everything but the generator. Visitors bring their own computers: theirs do not stand
// in the queue for the server's processor, so neither may the generator, or it would report its own trouble. The
// servers keep their order among themselves.
const serverNice = 10

// yieldToGenerator gives the process group of a server its niceness. It is called before the server has made the
// processes and threads that do the work, which inherit it.
func yieldToGenerator(pid int) error {
	if err := syscall.Setpriority(syscall.PRIO_PGRP, pid, serverNice); err != nil {
		return fmt.Errorf("setting the priority of process %d: %w", pid, err)
	}
	// Where Linux shares the processor by sessions first (autogroup), the server's session has a niceness of its own.
	// Elsewhere there is no such file; and a refusal costs the generator a little promptness, which is measured.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/autogroup", pid), []byte(strconv.Itoa(serverNice)), 0)
	return nil
}
