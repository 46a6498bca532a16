// Opening, migrating and naming a database.

package models_test

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"podbor/internal/servers/serverstest"
	"podbor/models"
)

// open returns the database at url, with the schema, for the length of the test.
func open(t *testing.T, url string) *models.DB {
	t.Helper()
	db, err := models.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestProcessesThatStartTogetherMigrateOnce(t *testing.T) {
	url := serverstest.Database(t)
	first, err := models.Open(t.Context(), url, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if err := first.Ready(t.Context()); err == nil {
		t.Error("an empty database is called ready")
	}

	var g errgroup.Group
	for range 4 {
		g.Go(func() error {
			db, err := models.Open(t.Context(), url, 1)
			if err != nil {
				return err
			}
			defer db.Close()
			return db.Migrate(t.Context())
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := first.Ready(t.Context()); err != nil {
		t.Errorf("after the migration: %v", err)
	}
}

func TestEachDatabaseHasANamespaceOfItsOwn(t *testing.T) {
	url := serverstest.Database(t)
	namespace := func(db *models.DB) string {
		t.Helper()
		id, err := db.Namespace(t.Context())
		if err != nil || len(id) != 36 {
			t.Fatalf("Namespace = %q, %v; want a UUID", id, err)
		}
		return id
	}
	a, again, b := namespace(open(t, url)), namespace(open(t, url)), namespace(open(t, serverstest.Database(t)))
	if a != again {
		t.Errorf("one database has namespaces %s and %s", a, again)
	}
	if a == b {
		t.Errorf("two databases share namespace %s", a)
	}
}

func TestOpenSaysInOneSentenceWhatIsWrong(t *testing.T) {
	good := serverstest.Database(t)
	change := func(f func(u *url.URL)) string {
		u, err := url.Parse(good)
		if err != nil {
			t.Fatal(err)
		}
		f(u)
		return u.String()
	}
	for _, tt := range []struct{ name, url, want string }{
		{"port where nothing listens", change(func(u *url.URL) { u.Host = "127.0.0.1:1" }), "PostgreSQL at 127.0.0.1:1 cannot be reached"},
		{"database that does not exist", change(func(u *url.URL) { u.Path = "/nowhere" }), `has no database "nowhere"`},
		{"user that does not exist", change(func(u *url.URL) { u.User = url.UserPassword("nobody", "s3cret") }), `does not let user "nobody" in`},
		{"not a URL", "postgres://a b:s3cret@x/", "the database URL cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db, err := models.Open(t.Context(), tt.url, 1)
			if err == nil {
				db.Close()
				t.Fatal("it opened")
			}
			if text := err.Error(); !strings.Contains(text, tt.want) || strings.Contains(text, "\n") || strings.Contains(text, "s3cret") {
				t.Errorf("error is %q; want one line with %q and without the password", text, tt.want)
			}
		})
	}
}
