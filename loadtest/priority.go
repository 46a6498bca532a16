// Who gets the processor first: the generator. Visitors bring their own computers: theirs do not stand in the queue for
// the server's processor, so neither may the generator, or it would report its own trouble.

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// serverNice is the niceness of everything but the generator; the servers keep their order among themselves.
const serverNice = 5

// generatorNice is the niceness of the generator's session.
const generatorNice = -10

// yieldToGenerator gives the process group of a server its niceness. It is called before the server has made the
// processes and threads that do the work, which inherit it.
func yieldToGenerator(pid int) error {
	if err := syscall.Setpriority(syscall.PRIO_PGRP, pid, serverNice); err != nil {
		return fmt.Errorf("setting the priority of process %d: %w", pid, err)
	}
	return nil
}

// autogroup is where Linux keeps the niceness of this session. With autogroups it shares the processor among sessions
// first, and what setpriority says holds only within one. The site and each of PostgreSQL's backends have sessions of
// their own: sixty, each with a claim as good as the generator's.
const autogroup = "/proc/self/autogroup"

// raiseGenerator puts the generator's session before the others and returns how to undo it, which matters because the
// session is that of the user's terminal. (Lowering the others instead was tried: the kernel then spreads them badly
// over the processors, and a single query takes half as long again.) Without the privilege, or without autogroups,
// everything stays as it is, and the generator's lateness, which is measured and checked, tells whether that was enough.
func raiseGenerator() (restore func()) {
	before, err := os.ReadFile(autogroup) // such as "/autogroup-42 nice 0"
	if err != nil {
		return func() {}
	}
	_, nice, found := strings.Cut(strings.TrimSpace(string(before)), " nice ")
	if !found || os.WriteFile(autogroup, []byte(strconv.Itoa(generatorNice)), 0) != nil {
		return func() {}
	}
	return func() { _ = os.WriteFile(autogroup, []byte(nice), 0) }
}
