// One copy of the program per data folder: a lock that the kernel drops when its holder ends, however it ends.

package servers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// lockFile locks path, or says who holds it. Closing the file unlocks.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the data folder: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		holder, _ := io.ReadAll(f)
		f.Close()
		return nil, fmt.Errorf("another copy of this program (process %s) is using %s: stop it first, or set DATA_DIR to another folder",
			strings.TrimSpace(string(holder)), path)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := f.Truncate(0); err == nil {
		_, _ = fmt.Fprintln(f, os.Getpid()) // only for the message above
	}
	return f, nil
}
