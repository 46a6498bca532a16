// How a request was answered: names, labels and meanings in one table.

package report

// An Outcome says how a request was answered. Apart from Timeout they are the cache's own results.
type Outcome string

// The outcomes, from the cheapest answer to none at all.
const (
	L1        Outcome = "l1"
	Redis     Outcome = "redis"
	Stale     Outcome = "stale"
	Negative  Outcome = "negative"
	Coalesced Outcome = "coalesced"
	Waited    Outcome = "waited"
	Loaded    Outcome = "loaded"
	Shed      Outcome = "shed"
	Error     Outcome = "error"
	Timeout   Outcome = "timeout"
)

// outcomes fixes the order of legends and tables.
func outcomes() []Outcome {
	return []Outcome{L1, Redis, Stale, Negative, Coalesced, Waited, Loaded, Shed, Error, Timeout}
}

// Label returns the outcome in words.
func (o Outcome) Label() string {
	switch o {
	case L1:
		return "from the process's own memory"
	case Redis:
		return "from Redis"
	case Stale:
		return "a stale copy"
	case Negative:
		return "known to be absent"
	case Coalesced:
		return "joined a load in the same process"
	case Waited:
		return "waited for another process's load"
	case Loaded:
		return "ran the query itself"
	case Shed:
		return "turned away"
	case Timeout:
		return "gave up waiting"
	default:
		return "an error"
	}
}

// class is the CSS class that gives the outcome its colour and dash. An outcome that this
// version does not know is drawn as an error rather than passed through into the page.
func (o Outcome) class() string {
	for _, known := range outcomes() {
		if o == known {
			return "o-" + string(o)
		}
	}
	return "o-" + string(Error)
}

// lost reports whether the visitor got nothing useful.
func (o Outcome) lost() bool { return o == Shed || o == Error || o == Timeout }
