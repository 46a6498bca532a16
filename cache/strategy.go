// The seven strategies, from no protection to all of it.

package cache

import "fmt"

// A Strategy says what stands between a miss and the source. The seven follow the order in which
// a reader should meet them; each comment tells what the strategy still lets through.
type Strategy string

const (
	Off    Strategy = "off"    // no cache: everything
	Aside  Strategy = "aside"  // GET, load, SET with TTL: the whole herd at expiry
	Flight Strategy = "flight" // in-process single-flight: one load per process
	Lock   Strategy = "lock"   // Redis lease alone: one load, but every caller asks Redis
	Both   Strategy = "both"   // flight, then lease: the first caller still waits for one load
	SWR    Strategy = "swr"    // serve stale, refresh behind: stale for the length of one refresh
	XFetch Strategy = "xfetch" // probabilistic early refresh under the lease: nothing on a hot key
)

// Strategies lists them in reading order.
var Strategies = []Strategy{Off, Aside, Flight, Lock, Both, SWR, XFetch}

// ParseStrategy returns the strategy with the given name.
func ParseStrategy(name string) (Strategy, error) {
	for _, s := range Strategies {
		if string(s) == name {
			return s, nil
		}
	}
	return "", fmt.Errorf("unknown strategy %q: want one of %v", name, Strategies)
}

// joins reports whether callers of one process share a flight (and, with it, L1: only a flight may fill L1).
func (s Strategy) joins() bool { return s == Flight || s == Both || s == SWR || s == XFetch }

// leases reports whether a load needs the Redis lease of its key.
func (s Strategy) leases() bool { return s == Lock || s == Both || s == SWR || s == XFetch }

// servesStale reports whether a value outlives its soft expiry and is refreshed in the background.
func (s Strategy) servesStale() bool { return s == SWR || s == XFetch }
