// What deploy/ asks Prometheus for is what the real site tells: every metric, label and value in alerts and dashboard.

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/VictoriaMetrics/metricsql"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v4"

	"podbor/cache"
)

func TestAlertsAndDashboardAskForWhatTheSiteTells(t *testing.T) {
	scrape := busyScrape(t, runSite(t, cache.Both))
	questions := map[string]string{}
	for name, rule := range loadAlerts(t) {
		questions["alert "+name] = rule.Expr
	}
	for _, p := range loadDashboard(t).Panels {
		for _, target := range p.Targets {
			questions[fmt.Sprintf("panel %q, %s", p.Title, target.RefID)] = strings.ReplaceAll(target.Expr, "$__rate_interval", "1m")
		}
	}
	for where, question := range questions {
		parsed, err := metricsql.Parse(question)
		if err != nil || metricsql.IsLikelyInvalid(parsed) {
			t.Errorf("%s: %s: %v", where, question, err)
			continue
		}
		asked := 0
		metricsql.VisitAll(parsed, func(e metricsql.Expr) {
			if selector, ok := e.(*metricsql.MetricExpr); ok {
				asked++
				if err := answers(scrape, selector.LabelFilterss[0]); err != nil {
					t.Errorf("%s: %s: %v", where, question, err)
				}
			}
		})
		if asked == 0 {
			t.Errorf("%s: %s asks for no metric", where, question)
		}
	}
}

// answers says what in the filters of a selector, the metric's name first, matches nothing in the scrape.
func answers(scrape map[string][]model.Metric, filters []metricsql.LabelFilter) error {
	series := scrape[filters[0].Value]
	if len(series) == 0 {
		return fmt.Errorf("the site has no %s", filters[0].Value)
	}
	for _, f := range filters[1:] {
		if f.Label == "status" {
			continue // nothing fails here
		}
		for _, value := range strings.Split(f.Value, "|") {
			if !slices.ContainsFunc(series, func(m model.Metric) bool { return string(m[model.LabelName(f.Label)]) == value }) {
				return fmt.Errorf("no %s has %s=%q", filters[0].Value, f.Label, value)
			}
		}
	}
	return nil
}

func TestAlertsSayWhatToDo(t *testing.T) {
	alerts := loadAlerts(t)
	for _, name := range []string{"BreakerOpen", "LeaseWaitLong", "HitRatioLow", "LoadsShed", "CacheEvicts", "RedisRejectsConnections"} {
		if alerts[name].Expr == "" {
			t.Errorf("no alert %s", name)
		}
	}
	for name, rule := range alerts {
		if len(rule.Annotations) != 2 || rule.Annotations["summary"] == "" || rule.Annotations["do"] == "" {
			t.Errorf("%s has annotations %v; want summary and do", name, slices.Sorted(maps.Keys(rule.Annotations)))
		}
		if _, err := model.ParseDuration(rule.For); rule.For != "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPrometheusAsksEverySite(t *testing.T) {
	var config struct {
		Global struct {
			ScrapeInterval     string `yaml:"scrape_interval"`
			EvaluationInterval string `yaml:"evaluation_interval"`
		}
		RuleFiles     []string `yaml:"rule_files"`
		ScrapeConfigs []struct {
			JobName       string                       `yaml:"job_name"`
			StaticConfigs []struct{ Targets []string } `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	loadYAML(t, "deploy/prometheus.yml", &config)
	for _, site := range sites {
		if !slices.Contains(config.ScrapeConfigs[0].StaticConfigs[0].Targets, site+":8080") {
			t.Errorf("Prometheus does not ask %s", site)
		}
	}
	for _, file := range config.RuleFiles {
		mounted := false
		for _, volume := range loadCompose(t).Services["prometheus"].Volumes {
			mounted = mounted || volume.Target == file
		}
		if !mounted {
			t.Errorf("Prometheus reads its rules from %s, where nothing is mounted", file)
		}
	}
}

func TestDashboardIsWellFormed(t *testing.T) {
	if !strings.Contains(readText(t, "deploy/grafana/datasource.yml"), "\n    uid: prometheus\n") {
		t.Error("Grafana has no source of data with the uid prometheus")
	}
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range loadDashboard(t).Panels {
		if ids[p.ID] {
			t.Errorf("%s has the id of another panel", p.Title)
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%s lies on %s, or beside the page", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		if p.Type != "row" && (p.Datasource.UID != "prometheus" || len(p.Targets) == 0) {
			t.Errorf("%s asks %q for %d things", p.Title, p.Datasource.UID, len(p.Targets))
		}
	}
}

type dashboard struct {
	Panels []struct {
		ID          int
		Type, Title string
		GridPos     struct{ X, Y, W, H int }
		Datasource  struct{ UID string }
		Targets     []struct{ RefID, Expr string }
	}
}

func loadDashboard(t *testing.T) (d dashboard) {
	t.Helper()
	if err := json.Unmarshal([]byte(readText(t, "deploy/grafana/podbor.json")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

type rule struct {
	Alert, Expr, For string
	Annotations      map[string]string
}

func loadAlerts(t *testing.T) map[string]rule {
	t.Helper()
	var file struct {
		Groups []struct {
			Name  string
			Rules []rule
		}
	}
	loadYAML(t, "deploy/alerts.yml", &file)
	alerts := map[string]rule{}
	for _, group := range file.Groups {
		for _, r := range group.Rules {
			alerts[r.Alert] = r
		}
	}
	return alerts
}

// loadYAML refuses fields that into does not have.
func loadYAML(t *testing.T, path string, into any) {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(readText(t, path)))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// busyScrape visits the site until one key is hot, which is the last metric to appear, and returns what /metrics has then
// and what Prometheus adds.
func busyScrape(t *testing.T, cfg config) map[string][]model.Metric {
	t.Helper()
	site := fmt.Sprintf("http://127.0.0.1:%d", cfg.Port)
	for deadline := time.Now().Add(30 * time.Second); ; {
		for range 100 {
			fetchText(t, site+"/moscow")
		}
		text := fetchText(t, site+"/metrics")
		if strings.Contains(text, "cache_hot_key_requests_per_second{") {
			return parseMetrics(t, text)
		}
		if time.Now().After(deadline) {
			t.Fatal("no key became hot")
		}
	}
}

func fetchText(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %s (%v)", url, response.Status, err)
	}
	return string(body)
}

func parseMetrics(t *testing.T, text string) map[string][]model.Metric {
	t.Helper()
	decoder := &expfmt.SampleDecoder{
		Dec:  expfmt.NewDecoder(strings.NewReader(text), expfmt.NewFormat(expfmt.TypeTextPlain)),
		Opts: &expfmt.DecodeOptions{},
	}
	scrape := map[string][]model.Metric{"up": {{"job": "site"}}}
	for {
		var samples model.Vector
		err := decoder.Decode(&samples)
		if err == io.EOF { //nolint:errorlint // Decode returns it bare
			return scrape
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range samples {
			name := string(s.Metric[model.MetricNameLabel])
			scrape[name] = append(scrape[name], s.Metric)
		}
	}
}
