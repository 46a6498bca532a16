// What a server's log says about its end.

package servers

import (
	"bytes"
	"errors"
	"os"
	"strings"
)

var errPortTaken = errors.New("its port was taken by another program")

// earlyExit says why a server ended before it answered, in the server's own words.
func (s *Server) earlyExit() error {
	log, err := os.ReadFile(s.logPath)
	if err != nil {
		return err
	}
	if bytes.Contains(log, []byte("ddress already in use")) {
		return errPortTaken
	}
	return errors.New(telling(log))
}

// telling picks the line of a server's log that says what went wrong: the last complaint, else the last line.
func telling(log []byte) string {
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		for _, word := range []string{"FATAL:", "PANIC:", "error:"} {
			if at := strings.Index(lines[i], word); at >= 0 {
				return strings.TrimSpace(lines[i][at:])
			}
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return "it wrote nothing"
}
