package herd

import (
	"maps"
	"strings"
	"testing"
)

const exported = `# HELP db_queries_started_total Statements sent to PostgreSQL.
# TYPE db_queries_started_total counter
db_queries_started_total{query="facets"} 3
db_queries_started_total{query="list"} 1e+01

db_pool_waiting 42
go_sql_in_use_connections{db_name="site"} 20
cache_leases_total{event="acquired",prefix="facets"} 2
cache_leases_total{event="acquired",prefix="list"} 1
cache_leases_total{event="acquired",prefix="cities"} 9
cache_leases_total{event="held",prefix="facets"} 5
go_gc_duration_seconds{quantile="1"} NaN
db_labelled{text="a b"} 7
`

func TestParseMetrics(t *testing.T) {
	m, err := parseMetrics(strings.NewReader(exported))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.started(), map[string]int{"facets": 3, "list": 10}; !maps.Equal(got, want) {
		t.Errorf("started %v, want %v", got, want)
	}
	if got, want := m.leases("facets"), map[string]int{"acquired": 2, "held": 5}; !maps.Equal(got, want) {
		t.Errorf("leases %v, want %v", got, want)
	}
	if m.waiting() != 42 || m.inUse() != 20 || m[`db_labelled{text="a b"}`] != 7 {
		t.Errorf("waiting %d, in use %d, labelled %v", m.waiting(), m.inUse(), m[`db_labelled{text="a b"}`])
	}
	if got := Queries([]Metrics{m, m}); got["facets"] != 6 {
		t.Errorf("two processes started %v", got)
	}
	for _, broken := range []string{"db_lonely\n", "db_name word\n"} {
		if _, err := parseMetrics(strings.NewReader(broken)); err == nil {
			t.Errorf("no error for %q", broken)
		}
	}
}
