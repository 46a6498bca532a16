package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

const gorunTest = "GORUN_TEST" // "parent" or "child": the part that this test binary plays when the test runs it again

func TestEndsWithItsParent(t *testing.T) {
	switch os.Getenv(gorunTest) {
	case "parent": // starts the child and ends once that has begun to watch
		if err := testAs(t, "child").Start(); err != nil {
			t.Fatal(err)
		}
		awaitFile(t, "watching")
		return
	case "child":
		ctx, stop := endWithParent(t.Context())
		defer stop()
		writeFile(t, "watching")
		select {
		case <-ctx.Done():
			writeFile(t, "ended")
		case <-time.After(time.Minute):
		}
		return
	}
	parent := testAs(t, "parent")
	parent.Dir = t.TempDir()
	if out, err := parent.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Chdir(parent.Dir)
	awaitFile(t, "ended")
}

func TestGoesOnWithItsParent(t *testing.T) {
	ctx, stop := endWithParent(t.Context())
	defer stop()
	select {
	case <-ctx.Done():
		t.Error("the parent lives, and yet the context ended")
	case <-time.After(2 * parentPoll):
	}
}

func testAs(t *testing.T, part string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestEndsWithItsParent$") //nolint:noctx // the child outlives the parent
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s", gorunTest, part))
	return cmd
}

func writeFile(t *testing.T, name string) {
	t.Helper()
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func awaitFile(t *testing.T, name string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(name); err == nil {
			return
		}
	}
	dir, _ := filepath.Abs(".")
	t.Fatalf("no file %s in %s", name, dir)
}
