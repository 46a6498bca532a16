// Whether the generator itself can be trusted: its lateness and its share of the processor.

package main

import (
	"runtime"
	"slices"
	"syscall"
	"time"

	"podbor/internal/report"
)

// A generator has kept up if it sent 99 % of the requests within lateP99 of their time. Beyond that, what it measures
// is its own trouble. Under the unprotected strategies some 60 queries compete with it for the processor.
const lateP99 = 200 * time.Millisecond

// judgeGenerator looks at when requests were due and when they were sent.
func judgeGenerator(requests []report.Request, cpuShare float64) report.Generator {
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
		KeptUp:    p99 <= milliseconds(lateP99),
	}
}

// usage is the processor time of this process from a moment on.
type usage struct {
	wall time.Time
	cpu  time.Duration
}

func startUsage() usage { return usage{time.Now(), processorTime()} }

// share returns the part of all cores that this process has used since the start, 0 … 1.
func (u usage) share() float64 {
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
