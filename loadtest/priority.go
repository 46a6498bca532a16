// Who gets the processor first.

package main

import (
	"fmt"
	"syscall"
)

// serverNice is the niceness of everything but the generator. Visitors bring their own computers: theirs do not stand
// in the queue for the server's processor, so neither may the generator, or it would report its own trouble. The
// servers keep their order among themselves. (Where Linux shares the processor by sessions first, it is the sessions
// of their own that keep the servers out of the generator's way, and this changes nothing.)
const serverNice = 5

// yieldToGenerator gives the process group of a server its niceness. It is called before the server has made the
// processes and threads that do the work, which inherit it.
func yieldToGenerator(pid int) error {
	if err := syscall.Setpriority(syscall.PRIO_PGRP, pid, serverNice); err != nil {
		return fmt.Errorf("setting the priority of process %d: %w", pid, err)
	}
	return nil
}
