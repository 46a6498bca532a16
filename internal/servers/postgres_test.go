package servers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPostgresKeepsItsData(t *testing.T) {
	dir := folder(t)
	first := startPostgres(t, dir)
	query(t, first.URL, "CREATE TABLE kept AS SELECT 42 AS answer")
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	second := startPostgres(t, dir)
	if got := query(t, second.URL, "SELECT answer FROM kept"); got != 42 {
		t.Errorf("the data on the second start: %d; want 42", got)
	}
	if password(t, first.URL) != password(t, second.URL) {
		t.Error("the password changed")
	}
}

func TestPostgresCountsStatements(t *testing.T) {
	s := startPostgres(t, folder(t))
	query(t, s.URL, "CREATE EXTENSION pg_stat_statements")
	query(t, s.URL, "/* facets */ SELECT 1")
	if n := query(t, s.URL, "SELECT count(*)::int FROM pg_stat_statements WHERE query LIKE '/* facets */%'"); n != 1 {
		t.Errorf("pg_stat_statements knows %d statements with our comment; want 1", n)
	}
}

func TestDataOfAnotherMajorVersion(t *testing.T) {
	dir := folder(t)
	if err := startPostgres(t, dir).Stop(); err != nil {
		t.Fatal(err)
	}
	version := filepath.Join(dir, "postgres", "data", "PG_VERSION")
	right, err := os.ReadFile(version)
	if err != nil {
		t.Fatal(err)
	}
	for content, words := range map[string][]string{
		"11\n":      {"written by PostgreSQL 11", "make clean"},
		"nonsense":  {"PG_VERSION is damaged"},
		"9.6\n":     {"PG_VERSION is damaged"},
		"999999 \n": {"written by PostgreSQL 999999"},
	} {
		if err := os.WriteFile(version, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := StartPostgres(t.Context(), dir)
		wantError(t, err, words...)
	}
	if err := os.WriteFile(version, right, 0o600); err != nil {
		t.Fatal(err)
	}
	startPostgres(t, dir) // unharmed
}

func TestAnInterruptedInitdbIsRepeated(t *testing.T) {
	dir := folder(t)
	unfinished := filepath.Join(dir, "postgres", "data.unfinished")
	if err := os.MkdirAll(filepath.Join(unfinished, "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	startPostgres(t, dir)
	if _, err := os.Stat(unfinished); !os.IsNotExist(err) {
		t.Errorf("the unfinished cluster is still there: %v", err)
	}
}

// As root, the data of a checkout below a folder like /root (0700) moves to where PostgreSQL's user can reach it;
// without root it stays where it is.
func TestFolderThatPostgresCannotReach(t *testing.T) {
	dir := t.TempDir() // 0700
	s := startPostgres(t, dir)
	home, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	want := dir
	if os.Geteuid() == 0 {
		want = elsewhere
		t.Cleanup(func() {
			if err := os.RemoveAll(home); err != nil {
				t.Error(err)
			}
		})
	}
	if !strings.HasPrefix(home, want) {
		t.Errorf("the data is in %s; want it below %s", home, want)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	startPostgres(t, dir) // through the link
}
