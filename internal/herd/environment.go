// Where the figures were measured.

package herd

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"podbor/internal/report"
)

// Environment says where figures are measured.
func Environment(ctx context.Context, conn *pgx.Conn, cache redis.UniversalClient, rows int) report.Environment {
	e := report.Environment{
		Commit:   commit(ctx),
		CPU:      processor(ctx),
		Cores:    runtime.NumCPU(),
		OS:       runtime.GOOS + "/" + runtime.GOARCH,
		Go:       runtime.Version(),
		SeedRows: rows,
	}
	// Details that the report can do without are left out rather than spoiling it.
	_ = conn.QueryRow(ctx, `SHOW server_version`).Scan(&e.PostgreSQL)
	e.PostgreSQL, _, _ = strings.Cut(e.PostgreSQL, " ")
	if info, err := cache.InfoMap(ctx, "server").Result(); err == nil {
		e.Redis = info["Server"]["redis_version"]
	}
	return e
}

// commit names the source, and says when the work tree differs from it.
func commit(ctx context.Context) string {
	id, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return ""
	}
	name := strings.TrimSpace(string(id))
	if changes, err := exec.CommandContext(ctx, "git", "status", "--porcelain").Output(); err == nil && len(changes) > 0 {
		name += " with changes"
	}
	return name
}

func processor(ctx context.Context) string {
	if runtime.GOOS == "darwin" {
		name, _ := exec.CommandContext(ctx, "sysctl", "-n", "machdep.cpu.brand_string").Output()
		return strings.TrimSpace(string(name))
	}
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, found := strings.CutPrefix(lines.Text(), "model name"); found {
			return strings.TrimLeft(name, " \t:")
		}
	}
	return ""
}
