// Package report holds the result of a stampede run and draws it.
//
// A Report is plain data: the load script fills it, WriteJSON writes it, WriteHTML draws it as one
// self-contained page, WriteText prints the summary. Nothing here measures anything; everything
// here can be redrawn from a stored report.json.
//
// Reading order: report.go (the data) · summary.go (from repeats to one figure) · story.go (figures
// in words) · chart.go, waterfall.go, pool.go, latency.go (data to shapes) · page.go and page.templ.
package report

import (
	"encoding/json"
	"io"
	"math"
	"time"
)

// A Report is what one call of the load script found out.
type Report struct {
	Created     time.Time   `json:"created,omitzero"`
	Command     string      `json:"command,omitempty"`
	Environment Environment `json:"environment"`
	Scenarios   []Scenario  `json:"scenarios"`
}

// Environment says where the figures were measured. A figure without it is worth little.
type Environment struct {
	Commit     string `json:"commit,omitempty"`
	CPU        string `json:"cpu,omitempty"`
	Cores      int    `json:"cores,omitempty"`
	OS         string `json:"os,omitempty"`
	Go         string `json:"go,omitempty"`
	PostgreSQL string `json:"postgresql,omitempty"`
	Redis      string `json:"redis,omitempty"`
	SeedRows   int    `json:"seed_rows,omitempty"`
}

// Values of Scenario.Verdict.
const (
	Pass = "pass"
	Fail = "fail"
)

// A Scenario is one question put to several strategies under the same conditions.
type Scenario struct {
	Name    string  `json:"name"`
	Verdict string  `json:"verdict"`
	Checks  []Check `json:"checks"`
	Runs    []Run   `json:"runs"` // one per strategy, unprotected first

	Asked     string   `json:"asked,omitempty"`    // one sentence: what was done
	Headline  string   `json:"headline,omitempty"` // one sentence: what came of it; without it, one about the expiry of a copy
	Method    []string `json:"method,omitempty"`   // how it was measured, a sentence each
	Computed  []Fact   `json:"computed,omitempty"` // figures that were chosen by a formula, not measured
	Charts    []Chart  `json:"charts,omitempty"`   // pictures beside the recordings of requests
	DurationS float64  `json:"duration_s,omitempty"`
}

// A Check is one thing that had to be true.
type Check struct {
	Name string `json:"name"`
	Got  string `json:"got"`
	Want string `json:"want"`
	OK   bool   `json:"ok"`
}

// A Fact is a named figure with its unit and, where it helps, its origin.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	How   string `json:"how,omitempty"`
}

// A Measure is a figure that only some scenarios have.
type Measure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"` // "ms", another unit, or "" for a number of something
}

// A Run is what one strategy did. With Repeats its figures are their medians; without, it is one repeat.
type Run struct {
	Strategy string         `json:"strategy"`
	Pods     int            `json:"pods"`
	Requests int            `json:"requests"` // for the page under test
	OK       int            `json:"ok"`
	Timeouts int            `json:"timeouts"` // the client gave up
	Errors   int            `json:"errors"`   // answers other than 200, and broken connections
	Status   map[string]int `json:"status"`

	Counted            string         `json:"counted,omitempty"`         // the kind of query that the next two count; without it the heavy one
	DBQueries          int            `json:"db_queries"`                // queries started for what is under test, by the processes
	DBQueriesCompleted int            `json:"db_queries_completed"`      // the same, ended, by PostgreSQL
	Queries            map[string]int `json:"queries"`                   // started, every kind
	DBActivePeak       int            `json:"db_active_peak"`            // queries running at once, by PostgreSQL
	DBBusyS            float64        `json:"db_busy_s"`                 // time with a query running
	TotalS             float64        `json:"total_s"`                   // first arrival to last answer or time-out
	Runs               int            `json:"runs"`                      // repeats behind the figures
	Pool               int            `json:"pool"`                      // connections per process
	SingleQueryMS      float64        `json:"single_query_ms,omitempty"` // one request, cold key, nothing else running

	Latency         Latency  `json:"latency_ms"`                 // of all Requests; a time-out counts as the time waited
	Unrelated       *Latency `json:"unrelated_ms,omitempty"`     // of the other pages
	UnrelatedErrors *int     `json:"unrelated_errors,omitempty"` // of the other pages: time-outs and errors
	Expiries        *int     `json:"expiries,omitempty"`         // of the key under test, by Redis; absent without a cache
	StaleServed     *int     `json:"stale_served,omitempty"`
	TakeoverMS      *float64 `json:"takeover_ms,omitempty"`

	Measures  []Measure `json:"measures,omitempty"` // of this scenario alone, in the order of its other runs
	Story     string    `json:"story,omitempty"`    // what happened, in words; without it, a story about an expiry
	Generator Generator `json:"generator"`
	Notes     []string  `json:"notes,omitempty"` // what a reader must know to trust the figures, e.g. why two counts differ
	Repeats   []Run     `json:"repeats,omitempty"`
	Sample    *Sample   `json:"sample,omitempty"`
}

// Latency holds percentiles in milliseconds, from the intended start.
type Latency struct {
	P50 float64 `json:"p50,omitempty"`
	P90 float64 `json:"p90,omitempty"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Generator says whether the load generator itself can be trusted.
type Generator struct {
	CPUShare  float64 `json:"cpu_share"`   // of all cores, 0 … 1
	LateP99MS float64 `json:"late_p99_ms"` // from intended to real sending
	LateMaxMS float64 `json:"late_max_ms"`
	KeptUp    bool    `json:"kept_up"`
}

// A Sample is the recording of one repeat. Times are milliseconds from its zero, the moment that it is about: in most
// scenarios the expiry of a copy.
type Sample struct {
	From      float64   `json:"from"`
	To        float64   `json:"to"`
	TimeoutMS float64   `json:"timeout_ms"`
	Requests  []Request `json:"requests"`
	Unrelated []Request `json:"unrelated"`
	Spans     []Span    `json:"spans"`
	Pools     []Pool    `json:"pools"`
	Leases    []Lease   `json:"leases,omitempty"`
	Events    []Event   `json:"events,omitempty"`
}

// A Request is one request as its client saw it. Latency is End − Start: it counts from when the
// request should have been sent, so that a generator held up by a slow answer cannot hide the wait.
type Request struct {
	Start     float64            `json:"start"` // intended
	Sent      float64            `json:"sent"`
	FirstByte float64            `json:"first_byte,omitempty"`
	End       float64            `json:"end"`
	Process   int                `json:"process"` // from 1
	Status    int                `json:"status,omitempty"`
	Outcome   Outcome            `json:"outcome"`
	Phases    map[string]float64 `json:"phases,omitempty"` // ms, as the server reported them
	Error     string             `json:"error,omitempty"`
}

// Latency returns how long the client waited, in milliseconds.
func (r Request) Latency() float64 { return r.End - r.Start }

// A Span is one query on one database connection, as PostgreSQL showed it.
type Span struct {
	Process int     `json:"process"`
	PID     int     `json:"pid"` // of the PostgreSQL backend, that is: the connection
	Start   float64 `json:"start"`
	End     float64 `json:"end"`
	Kind    string  `json:"kind"`
}

// A Pool is the state of one process's connection pool at one moment.
type Pool struct {
	At      float64 `json:"at"`
	Process int     `json:"process"`
	InUse   int     `json:"in_use"`
	Waiting int     `json:"waiting"`
}

// An Event is something that was done to the system at a moment, such as a kill.
type Event struct {
	At   float64 `json:"at"`
	Name string  `json:"name"`
}

// A Lease is something that happened to a lease, as the process that holds or wants it counts it (cache_leases_total). At is
// when it was first seen to be counted.
type Lease struct {
	At      float64 `json:"at"`
	Process int     `json:"process"`
	Event   string  `json:"event"` // the label of the metric: acquired, committed, …
}

// A Chart is a picture of figures: its series are drawn one beneath the other on the same axes.
type Chart struct {
	Title    string   `json:"title"`    // what is drawn
	Sentence string   `json:"sentence"` // what it shows
	Kind     PlotKind `json:"kind"`
	X        string   `json:"x"` // what the axes tell, with the unit
	Y        string   `json:"y"`
	Series   []Series `json:"series"` // unprotected first
}

// A PlotKind says how points are drawn.
type PlotKind string

// The kinds: upright bars, each from its x to that of the next point, or a line through the points.
const (
	Bars PlotKind = "bars"
	Line PlotKind = "line"
)

// A Series is what one strategy has to show; its points are in order of X.
type Series struct {
	Name   string  `json:"name"`
	Points []Point `json:"points"`
}

// A Point is one pair of figures.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// MS returns a duration in milliseconds, the unit of all times here.
func MS(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Measure returns a figure of the run by its name.
func (r Run) Measure(name string) float64 {
	for _, m := range r.Measures {
		if m.Name == name {
			return m.Value
		}
	}
	return math.NaN()
}

// OK reports whether every scenario passed.
func (r Report) OK() bool {
	for _, s := range r.Scenarios {
		if s.Verdict != Pass {
			return false
		}
	}
	return len(r.Scenarios) > 0
}

// WriteJSON writes the report as JSON.
func WriteJSON(w io.Writer, r Report) error {
	return json.NewEncoder(w).Encode(r)
}
