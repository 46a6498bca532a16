// The lab shows every file of the program that it should, and no tests.

package main

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSourcesAreAllButTests(t *testing.T) {
	var want []string
	for _, pattern := range []string{"README.md", "main.go", "cache/*.go", "cache/lua/*", "models/*.go", "models/lua/*", "models/migrations/*", "handlers/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		want = append(want, slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })...)
	}
	var got []string
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			got = append(got, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("embedded are %v, want %v", got, want)
	}
}
