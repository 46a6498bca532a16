package servers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestFindPostgres(t *testing.T) {
	t.Setenv("PATH", os.Getenv("PATH"))
	real, err := findPostgres(0)
	if err != nil {
		t.Fatal(err)
	}
	newer := installation(t, "postgres (PostgreSQL) 99.1 (Debian)", "initdb")
	t.Setenv("PATH", newer+":"+os.Getenv("PATH"))
	if got, err := findPostgres(0); err != nil || got.major != 99 || got.dir != newer {
		t.Errorf("without data: %v, %v; want the one in PATH", got, err)
	}
	if real.dir == "/usr/lib/postgresql/"+fmt.Sprint(real.major)+"/bin" {
		if got, err := findPostgres(real.major); err != nil || got != real {
			t.Errorf("with data of version %d: %v, %v; want the version that wrote it", real.major, got, err)
		}
	}
}

func TestInstallationsThatDoNotCount(t *testing.T) {
	for reason, dir := range map[string]string{
		"too old":        installation(t, "postgres (PostgreSQL) 13.9", "initdb"),
		"without initdb": installation(t, "postgres (PostgreSQL) 16.1"),
		"something else": installation(t, "hello", "initdb"),
	} {
		if found := appendPostgres(nil, filepath.Join(dir, "postgres")); len(found) != 0 {
			t.Errorf("%s: found %v", reason, found)
		}
	}
}

func TestNoRedis(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	path, err := findRedis()
	if err == nil && !filepath.IsAbs(path) { // only Homebrew's are found outside PATH
		t.Errorf("findRedis = %q with an empty PATH", path)
	}
	if err != nil {
		wantError(t, err, "redis-server", "valkey-server", "make run")
	}
}

// installation is a folder with a postgres that says what it is, and the other programs named.
func installation(t *testing.T, says string, others ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(others, "postgres") {
		script := fmt.Sprintf("#!/bin/sh\necho '%s'\n", says)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
