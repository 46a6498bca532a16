// PostgreSQL refuses to run as root. Then it runs as an unprivileged user, in a folder that this user can reach.

package servers

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

const elsewhere = "/var/lib/podbor-minuta" // for the data of checkouts below a folder like /root, mode 0700

// postgresHome makes the folder that holds PostgreSQL's data and password, and returns it with the account that the
// server runs under (nil: ours). The folder belongs to that account.
func postgresHome(path string) (home string, account *syscall.Credential, err error) {
	if os.Geteuid() != 0 {
		return path, nil, os.MkdirAll(path, 0o700)
	}
	account, err = unprivileged(path)
	if err != nil {
		return "", nil, err
	}
	if home, err = filepath.EvalSymlinks(path); errors.Is(err, os.ErrNotExist) {
		home, err = path, os.RemoveAll(path) // a link to nothing
	}
	if err != nil {
		return "", nil, err
	}
	if err := giveFolder(home, account); err != nil || canUse(home, account) {
		return home, account, err
	}
	// Nothing of PostgreSQL's can be in there: it could never reach it.
	if err := os.Remove(path); err != nil {
		return "", nil, fmt.Errorf("user %d cannot reach %s: %w", account.Uid, path, err)
	}
	sum := sha256.Sum256([]byte(path))
	home = filepath.Join(elsewhere, hex.EncodeToString(sum[:8]))
	if err := os.MkdirAll(elsewhere, 0o755); err != nil {
		return "", nil, err
	}
	if err := giveFolder(home, account); err != nil {
		return "", nil, err
	}
	slog.Info("PostgreSQL cannot run as root and its user cannot reach the data folder: the data is elsewhere, behind a link",
		"link", path, "folder", home, "uid", account.Uid)
	return home, account, os.Symlink(home, path)
}

// unprivileged is the account that owns the data already, else postgres, else nobody.
func unprivileged(home string) (*syscall.Credential, error) {
	if info, err := os.Stat(filepath.Join(home, "data")); err == nil {
		if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 0 {
			return &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}, nil
		}
	}
	for _, name := range []string{"postgres", "_postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and there is no user postgres or nobody: run the program as another user")
}

func giveFolder(path string, account *syscall.Credential) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	return os.Chown(path, int(account.Uid), int(account.Gid))
}

// canUse tries it as that user: modes, ACLs and mount options all count, and only the kernel knows them all.
func canUse(folder string, account *syscall.Credential) bool {
	test := exec.Command("/bin/sh", "-c", `test -w "$1" && test -x "$1"`, "sh", folder)
	test.Dir = "/"
	test.SysProcAttr = &syscall.SysProcAttr{Credential: account}
	return test.Run() == nil
}
