// The PostgreSQL cluster on disk: made whole or not at all, and never touched by another major version.

package servers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

type cluster struct {
	bin      postgresBin
	data     string // PGDATA
	password string
	account  *syscall.Credential
}

// openCluster finds the cluster below home (base path of the server), or makes it.
func openCluster(ctx context.Context, base string) (*cluster, error) {
	home, account, err := postgresHome(base)
	if err != nil {
		return nil, fmt.Errorf("prepare PostgreSQL's folder: %w", err)
	}
	c := &cluster{data: filepath.Join(home, "data"), account: account}
	major, err := dataVersion(c.data)
	if err != nil {
		return nil, err
	}
	if c.bin, err = findPostgres(major); err != nil {
		return nil, err
	}
	if major != 0 && major != c.bin.major {
		return nil, fmt.Errorf("the data in %s was written by PostgreSQL %d, but PostgreSQL %d is installed: install version %d, or start afresh with `make clean`",
			c.data, major, c.bin.major, major)
	}
	if c.password, err = keptPassword(filepath.Join(home, "password"), account); err != nil {
		return nil, err
	}
	if major == 0 {
		if err := c.init(ctx, home); err != nil {
			return nil, fmt.Errorf("create the PostgreSQL data in %s: %w", c.data, err)
		}
	}
	return c, nil
}

// dataVersion is the major version of PostgreSQL that wrote the data; 0: there is none.
func dataVersion(data string) (int, error) {
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read PostgreSQL's data (was it made by another user?): %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("%s is damaged: %w", filepath.Join(data, "PG_VERSION"), err)
	}
	return major, nil
}

// init runs initdb beside the final folder and renames at the end, so that an interrupted one leaves nothing half made.
func (c *cluster) init(ctx context.Context, home string) error {
	unfinished := c.data + ".unfinished"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	locale := "--locale=C.UTF-8" // the same order of names on every machine
	if runtime.GOOS == "darwin" {
		locale = "--no-locale" // macOS has no C.UTF-8
	}
	initdb := exec.CommandContext(ctx, c.bin.path("initdb"), "--pgdata="+unfinished, "--username="+role,
		"--auth=scram-sha-256", "--pwfile="+filepath.Join(home, "password"), "--encoding=UTF8", locale)
	initdb.Dir, initdb.Env = home, environment()
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: c.account}
	if output, err := initdb.CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("initdb: %w: %s", err, telling(output)), os.RemoveAll(unfinished))
	}
	return os.Rename(unfinished, c.data)
}

// keptPassword reads the password of the cluster, and draws it the first time.
func keptPassword(path string, account *syscall.Credential) (string, error) {
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 {
		return strings.TrimSpace(string(text)), nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	password := rand.Text()
	if err := os.WriteFile(path, []byte(password+"\n"), 0o600); err != nil {
		return "", err
	}
	if account != nil {
		return password, os.Chown(path, int(account.Uid), int(account.Gid)) // initdb reads it
	}
	return password, nil
}
