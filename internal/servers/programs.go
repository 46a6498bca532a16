// Which PostgreSQL and which Redis: the ones of PATH, else those where Debian, Red Hat and Homebrew put them.

package servers

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

const oldestPostgres = 14 // major version

var (
	errNoPostgres = fmt.Errorf("no PostgreSQL %d or newer is installed: install it (Debian, Ubuntu: postgresql; macOS: brew install postgresql@17), or let `make run` do it", oldestPostgres)
	errNoRedis    = errors.New("no redis-server or valkey-server is installed: install one (Debian, Ubuntu: redis-server; macOS: brew install redis), or let `make run` do it")
)

// postgresBin is one installation: the folder of postgres and initdb, and its major version.
type postgresBin struct {
	dir   string
	major int
}

// findPostgres picks the installation that wrote the data (major; 0: there is none yet), else the one in PATH, else the newest.
func findPostgres(major int) (postgresBin, error) {
	var inPath, elsewhere []postgresBin
	if p, err := exec.LookPath("postgres"); err == nil {
		inPath = appendPostgres(inPath, p)
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin/postgres",
		"/usr/pgsql-*/bin/postgres",
		"/opt/homebrew/opt/postgresql@*/bin/postgres",
		"/usr/local/opt/postgresql@*/bin/postgres",
	} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			elsewhere = appendPostgres(elsewhere, p)
		}
	}
	slices.SortStableFunc(elsewhere, func(a, b postgresBin) int { return cmp.Compare(b.major, a.major) })
	found := slices.Concat(inPath, elsewhere)
	if len(found) == 0 {
		return postgresBin{}, errNoPostgres
	}
	if i := slices.IndexFunc(found, func(b postgresBin) bool { return b.major == major }); i >= 0 {
		return found[i], nil
	}
	return found[0], nil
}

var postgresVersion = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// appendPostgres adds the installation of a postgres binary if it is complete, new enough and can be run.
func appendPostgres(found []postgresBin, path string) []postgresBin {
	path, err := filepath.EvalSymlinks(path) // initdb is beside the binary, not beside a link to it
	if err != nil {
		return found
	}
	dir := filepath.Dir(path)
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return found
	}
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return found
	}
	version := postgresVersion.FindSubmatch(out)
	if version == nil {
		return found
	}
	major, err := strconv.Atoi(string(version[1]))
	if err != nil || major < oldestPostgres {
		return found
	}
	return append(found, postgresBin{dir, major})
}

func (b postgresBin) path(program string) string { return filepath.Join(b.dir, program) }

// has tells whether a loadable library is installed; Debian, Red Hat and Homebrew each have their folder for them.
func (b postgresBin) has(library string) bool {
	for _, pattern := range []string{"../lib", "../lib/postgresql*", "../../../postgresql/*/lib"} {
		if files, _ := filepath.Glob(filepath.Join(b.dir, pattern, library+".*")); len(files) > 0 {
			return true
		}
	}
	return false
}

func findRedis() (string, error) {
	for _, name := range []string{
		"redis-server", "valkey-server",
		"/opt/homebrew/opt/redis/bin/redis-server", "/usr/local/opt/redis/bin/redis-server",
		"/opt/homebrew/opt/valkey/bin/valkey-server", "/usr/local/opt/valkey/bin/valkey-server",
	} {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", errNoRedis
}
