// Loadtest reproduces a cache stampede against real processes of the site, real PostgreSQL and real Redis,
// then shows which strategies prevent it. It exits 0 only if the problem showed and the fix held.
//
//	go run ./loadtest [flags] scenario…
//
// Reading order: main.go · options.go · scenario.go (the table) · stampede.go and the file of each other scenario (what
// is done) · bench.go (servers) · run.go (one recorded run, step by step) · page.go and expiry.go (what it is about) ·
// result.go (figures) · verdict.go (the checks). Processes, requests and counts: internal/herd.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"podbor/internal/herd"
	"podbor/internal/report"
)

// Exit statuses.
const (
	exitOK    = 0
	exitFail  = 1 // a check did not hold, or the run could not be done
	exitUsage = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	if os.Getenv(editorVariable) != "" {
		if err := runEditor(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "editor: "+err.Error())
			os.Exit(exitFail)
		}
		return
	}
	code := command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// command is the whole program. The report's JSON or its table goes to stdout, progress to stderr.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintln(stderr, "loadtest: "+err.Error())
		return exitUsage
	}
	table := stdout
	if opts.json {
		table = stderr
	}
	result, err := run(ctx, opts, progress{table: table, log: stderr})
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintln(stderr, "loadtest: "+err.Error())
		return exitFail
	}
	if opts.json {
		if err := report.WriteJSON(stdout, result); err != nil {
			fmt.Fprintln(stderr, "loadtest: writing the report: "+err.Error())
			return exitFail
		}
	}
	if !result.OK() {
		return exitFail
	}
	return exitOK
}

// run makes the bench, runs every scenario on it and writes the report's files.
func run(ctx context.Context, opts options, out progress) (report.Report, error) {
	b, err := newBench(ctx, opts, out)
	if err != nil {
		return report.Report{}, err
	}
	defer b.close()
	defer herd.PlaceGenerator()()

	result := report.Report{Created: time.Now().Truncate(time.Second), Command: opts.commandLine(), Environment: herd.Environment(ctx, b.sql, b.cache, b.opts.rows)}
	for _, s := range opts.scenarios {
		start := time.Now()
		done, err := s.run(ctx, b, opts.of(s))
		if err != nil {
			return report.Report{}, fmt.Errorf("%s: %w", s.name, err)
		}
		done.DurationS = time.Since(start).Seconds()
		result.Scenarios = append(result.Scenarios, done)
		if err := report.WriteText(out.table, done); err != nil {
			return report.Report{}, err
		}
	}
	return result, writeFiles(opts.out, result, out)
}

// writeFiles writes report.json and report.html into dir.
func writeFiles(dir string, r report.Report, out progress) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the report's folder: %w", err)
	}
	for name, write := range map[string]func(io.Writer, report.Report) error{
		"report.json": report.WriteJSON,
		"report.html": report.WriteHTML,
	} {
		if err := writeFile(filepath.Join(dir, name), r, write); err != nil {
			return err
		}
	}
	out.say("report: %s", filepath.Join(dir, "report.html"))
	return nil
}

func writeFile(path string, r report.Report, write func(io.Writer, report.Report) error) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if err := errors.Join(write(f, r), f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// progress is what the person at the terminal sees: rows of the table, and lines about what is going on.
type progress struct{ table, log io.Writer }

func (p progress) say(format string, args ...any) { fmt.Fprintf(p.log, format+"\n", args...) }
func (p progress) row(line string)                { fmt.Fprintln(p.table, line) }
