// What the process knows of its cache: samples of its own metrics, and what changed between two of them.

package handlers

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// opsLabels are the metrics that the page shows, with the labels that tell their series apart.
var opsLabels = map[string][2]string{
	"cache_requests_total":              {"prefix", "result"},
	"cache_hit_seconds":                 {"prefix", "level"},
	"cache_load_seconds":                {"prefix"},
	"cache_lease_wait_seconds":          {"prefix"},
	"cache_leases_total":                {"prefix", "event"},
	"cache_hot_key_requests_per_second": {"prefix", "key"},
	"cache_breaker_state":               {"server"},
	"process_start_time_seconds":        {},
	"site_info":                         {"strategy"},
	"redis_up":                          {"server"},
	"redis_memory_used_bytes":           {"server", "node"},
	"redis_memory_max_bytes":            {"server", "node"},
	"redis_connected_clients":           {"server", "node"},
	"redis_evicted_keys_total":          {"server", "node"},
	"redis_rejected_connections_total":  {"server", "node"},
}

// series are the values of the labels of one series, "" where it has none.
type series [2]string

// An opsSample is what the registry said at a time.
type opsSample struct {
	at      time.Time
	metrics map[string]map[series]*dto.Metric // by name
}

func readOps(registry prometheus.Gatherer, now time.Time) (opsSample, error) {
	families, err := registry.Gather()
	if err != nil {
		return opsSample{}, fmt.Errorf("read own metrics: %w", err)
	}
	sample := opsSample{now, map[string]map[series]*dto.Metric{}}
	for _, family := range families {
		labels, wanted := opsLabels[family.GetName()]
		if !wanted {
			continue
		}
		all := map[series]*dto.Metric{}
		for _, m := range family.GetMetric() {
			var key series
			for _, label := range m.GetLabel() {
				if i := slices.Index(labels[:], label.GetName()); i >= 0 {
					key[i] = label.GetValue()
				}
			}
			all[key] = m
		}
		sample.metrics[family.GetName()] = all
	}
	return sample, nil
}

func (s opsSample) value(name string, key series) float64 {
	m := s.metrics[name][key]
	return m.GetCounter().GetValue() + m.GetGauge().GetValue() // a metric is one of them
}

// series returns the label values that a metric has, in order.
func (s opsSample) series(name string) []series {
	return slices.SortedFunc(maps.Keys(s.metrics[name]), func(a, b series) int { return slices.Compare(a[:], b[:]) })
}

const (
	opsMinute  = time.Minute     // how far back the history goes
	opsSpacing = 5 * time.Second // between the samples that it keeps
)

// opsHistory keeps samples of the last minute, as far as somebody looked. Nothing runs when nobody does.
type opsHistory struct {
	mu      sync.Mutex
	samples []opsSample // the oldest first; guarded by mu
}

// add returns the oldest earlier sample of the last minute, if there is one, and keeps s for later.
func (h *opsHistory) add(s opsSample) (oldest opsSample, found bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.samples = slices.DeleteFunc(h.samples, func(old opsSample) bool { return s.at.Sub(old.at) > opsMinute })
	if n := len(h.samples); n == 0 || s.at.Sub(h.samples[n-1].at) >= opsSpacing {
		h.samples = append(h.samples, s)
		return h.samples[0], n > 0
	}
	return h.samples[0], true
}

// A period is the time between two samples; without a base, since the process started.
type period struct{ now, base opsSample }

// length of the period.
func (p period) length() time.Duration {
	if !p.base.at.IsZero() {
		return p.now.at.Sub(p.base.at)
	}
	started := time.UnixMilli(int64(p.now.value("process_start_time_seconds", series{}) * 1000))
	return p.now.at.Sub(started)
}

// count is by how much a counter grew.
func (p period) count(name string, key series) int64 {
	return int64(p.now.value(name, key) - p.base.value(name, key))
}

// timing is what a histogram saw.
type timing struct {
	count   int64
	average float64 // in seconds
	most    float64 // 99 of 100 took at most that long, by the histogram's bounds; 0 when longer than the last of them
	last    float64 // the last bound
}

func (p period) timing(name string, key series) timing {
	now, base := p.now.metrics[name][key].GetHistogram(), p.base.metrics[name][key].GetHistogram()
	t := timing{count: int64(now.GetSampleCount()) - int64(base.GetSampleCount())} //nolint:gosec // no process counts that far
	if t.count <= 0 {
		return timing{}
	}
	t.average = (now.GetSampleSum() - base.GetSampleSum()) / float64(t.count)
	for i, bucket := range now.GetBucket() {
		below := bucket.GetCumulativeCount()
		if i < len(base.GetBucket()) {
			below -= base.GetBucket()[i].GetCumulativeCount()
		}
		t.last = bucket.GetUpperBound()
		if t.most == 0 && float64(below) >= .99*float64(t.count) {
			t.most = t.last
		}
	}
	return t
}
