// Whether the generator itself can be trusted: its lateness and its share of the processor.

package herd

import (
	"runtime"
	"slices"
	"syscall"
	"time"

	"podbor/internal/report"
)

// LateP99 is the bound: a generator has kept up if it sent 99 % of the requests within that of their time. Beyond that, what it measures
// is its own trouble. Under the unprotected strategies some 60 queries compete with it for the processor.
const LateP99 = 200 * time.Millisecond

// Judge looks at when requests were due and when they were sent.
func Judge(requests []report.Request, cpuShare float64) report.Generator {
	late := make([]float64, len(requests))
	for i, r := range requests {
		late[i] = max(0, r.Sent-r.Start)
	}
	slices.Sort(late)
	p99 := report.Percentile(late, 99)
	return report.Generator{
		CPUShare:  cpuShare,
		LateP99MS: p99,
		LateMaxMS: report.Percentile(late, 100),
		KeptUp:    p99 <= report.MS(LateP99),
	}
}

// Usage is the processor time of this process from a moment on.
type Usage struct {
	wall time.Time
	cpu  time.Duration
}

// StartUsage begins to count.
func StartUsage() Usage { return Usage{time.Now(), processorTime()} }

// Share returns the part of all cores that this process has used since the start, 0 … 1.
func (u Usage) Share() float64 {
	wall := time.Since(u.wall) * time.Duration(runtime.NumCPU())
	return float64(processorTime()-u.cpu) / float64(max(wall, 1))
}

func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0 // cannot fail with these arguments
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
