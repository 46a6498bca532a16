// Package lab sends herds at real processes of the site, which share its servers, and keeps what was seen.
//
// Reading order: record.go (what a run is) · runner.go (one at a time) · run.go (what is done) · shelf.go (kept runs).
package lab

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"podbor/cache"
	"podbor/internal/report"
)

// A Plan is what somebody asks for.
type Plan struct {
	Strategy  string `json:"strategy"`
	Herd      int    `json:"herd"`            // visitors, 1–1000
	Processes int    `json:"processes"`       // of the site, 1–5
	TimeoutMS int    `json:"timeout_ms"`      // a visitor's patience, 500–10000
	State     State  `json:"state"`           // of the key when they come
	Fault     Fault  `json:"fault,omitempty"` // brought about in the middle of the run
	Guess     *int   `json:"guess,omitempty"` // of the number of queries
}

// A State is what the cache has of the page when the herd arrives.
type State string

// The states.
const (
	Expired  State = "expired"  // its copy has just come to its end
	Stale    State = "stale"    // its copy is past its soft expiry
	Cold     State = "cold"     // nothing is cached at all
	Negative State = "negative" // an apartment that does not exist, and nobody has asked for it yet
)

// States lists them in the order of a form.
func States() []State { return []State{Expired, Stale, Cold, Negative} }

// The bounds of a plan.
const (
	MaxHerd                    = 1000
	MaxProcesses               = 5
	MinTimeoutMS, MaxTimeoutMS = 500, 10_000
)

// Check returns a sentence for the visitor if the plan cannot be carried out.
func (p Plan) Check() error {
	_, err := cache.ParseStrategy(p.Strategy)
	switch {
	case err != nil:
		return err
	case p.Herd < 1 || p.Herd > MaxHerd:
		return fmt.Errorf("the herd has 1 to %d visitors", MaxHerd)
	case p.Processes < 1 || p.Processes > MaxProcesses:
		return fmt.Errorf("there are 1 to %d processes", MaxProcesses)
	case p.TimeoutMS < MinTimeoutMS || p.TimeoutMS > MaxTimeoutMS:
		return fmt.Errorf("visitors wait %d to %d ms", MinTimeoutMS, MaxTimeoutMS)
	case !slices.Contains(States(), p.State):
		return fmt.Errorf("the key is one of %v", States())
	case p.Fault != "" && !slices.Contains(Faults(), p.Fault):
		return errors.New("nothing is known of that fault")
	}
	return nil
}

// Strategies lists the strategies from problem to cure.
func Strategies() []string {
	var names []string
	for _, s := range cache.Strategies {
		names = append(names, string(s))
	}
	return names
}

// A Phase is how far a run is.
type Phase string

// The phases: the first two are a run in progress, the others its ends.
const (
	Preparing Phase = "preparing"
	Running   Phase = "running"
	Done      Phase = "done"
	Cancelled Phase = "cancelled"
	Failed    Phase = "failed"
)

// Over reports whether nothing will change any more.
func (p Phase) Over() bool { return p != Preparing && p != Running }

// A Record is a run: what was asked for, how far it is, and what has been seen so far. Records are passed by value, and
// what their slices hold does not change.
type Record struct {
	ID          string             `json:"id"`
	Created     time.Time          `json:"created"`
	Plan        Plan               `json:"plan"`
	Phase       Phase              `json:"phase"`
	Step        string             `json:"step,omitempty"`    // while preparing: what is being done
	Problem     string             `json:"problem,omitempty"` // why it failed
	Environment report.Environment `json:"environment"`
	Run         report.Run         `json:"run"` // Run.Sample grows while the run goes on; Sample.Requests in order of their ends
}
