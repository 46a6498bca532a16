// What can be checked of docker-compose.yml and the Dockerfile without an engine, in their own parsers' words.

package main

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

var (
	sites    = []string{"site1", "site2", "site3"}
	observed = []string{"grafana", "prometheus"} // the profile observe
)

func TestComposeHasTheShapeOfTheDesign(t *testing.T) {
	project := loadCompose(t)
	want := append([]string{"balancer", "cache-redis", "postgres", "session-redis"}, sites...)
	if got := loadCompose(t, cli.WithProfiles(nil)).ServiceNames(); !slices.Equal(got, want) {
		t.Errorf("services %v; want %v", got, want)
	}
	want = append(want, observed...)
	slices.Sort(want)
	if got := project.ServiceNames(); !slices.Equal(got, want) {
		t.Errorf("with the profile observe: services %v; want %v", got, want)
	}
	for service, settings := range map[string][]string{
		"cache-redis":   {"--maxmemory 256mb", "--maxmemory-policy allkeys-lfu", "--appendonly no"},
		"session-redis": {"--maxmemory 64mb", "--maxmemory-policy noeviction", "--appendonly yes"},
		"postgres":      {"shared_preload_libraries=pg_stat_statements", "max_connections=200"},
	} {
		command := strings.Join(project.Services[service].Command, " ")
		for _, setting := range settings {
			if !strings.Contains(command, setting) {
				t.Errorf("%s runs %q; want %s in it", service, command, setting)
			}
		}
	}
}

func TestComposeStartsInOrder(t *testing.T) {
	project := loadCompose(t)
	for _, name := range project.ServiceNames() {
		service := project.Services[name]
		if service.HealthCheck == nil && service.Build == nil { // ours has one in the Dockerfile
			t.Errorf("%s has no health check", name)
		}
		for needed, dependency := range service.DependsOn {
			if dependency.Condition != types.ServiceConditionHealthy {
				t.Errorf("%s does not wait until %s is healthy", name, needed)
			}
		}
	}
	for _, site := range sites {
		if got := len(project.Services[site].DependsOn); got != 3 {
			t.Errorf("%s waits for %d servers; want 3", site, got)
		}
		if got := project.Services[site].StopGracePeriod; got == nil || got.String() != "15s" {
			t.Errorf("%s has %v to stop; want longer than the site's 10 s", site, got)
		}
	}
	if got := project.Services["balancer"].GetDependencies(); len(got) != 3 {
		t.Errorf("the balancer waits for %v; want all sites", got)
	}
}

func TestComposeImagesArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`:v?\d+(\.\d+){2}$|:\d+(\.\d+)+-[a-z]+$`)
	for name, service := range loadCompose(t).Services {
		if service.Build == nil && !pinned.MatchString(service.Image) {
			t.Errorf("%s: image %s does not name a version", name, service.Image)
		}
	}
}

func TestComposePublishesWhatPeopleLookAt(t *testing.T) {
	project := loadCompose(t)
	for name, service := range project.Services {
		if name != "balancer" && !slices.Contains(observed, name) && len(service.Ports) > 0 {
			t.Errorf("%s publishes a port", name)
		}
		for _, port := range service.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("port %s of %s is open to %q; want 127.0.0.1", port.Published, name, port.HostIP)
			}
		}
		_, front := service.Networks["front"]
		if isServer := strings.HasPrefix(service.Image, "postgres") || strings.HasPrefix(service.Image, "redis"); isServer && front {
			t.Errorf("%s is on the balancer's network", name)
		}
	}
	if !project.Networks["servers"].Internal {
		t.Error("the servers' network is not internal")
	}
}

func TestComposeMountsWhatExists(t *testing.T) {
	mounts := 0
	for name, service := range loadCompose(t).Services {
		for _, volume := range service.Volumes {
			if volume.Type != types.VolumeTypeBind {
				continue
			}
			mounts++
			if info, err := os.Stat(volume.Source); err != nil || info.IsDir() {
				t.Errorf("%s mounts %s, which is no file: %v", name, volume.Source, err)
			}
			if !volume.ReadOnly {
				t.Errorf("%s may write to %s", name, volume.Source)
			}
		}
	}
	if mounts == 0 {
		t.Error("no file is mounted")
	}
}

// The variables are those of config.go, with values that it accepts; PGPASSWORD is the driver's.
func TestComposeSetsWhatTheSiteReads(t *testing.T) {
	known := map[string]bool{"PGPASSWORD": true}
	for field := range reflect.TypeFor[config]().Fields() {
		known[field.Tag.Get("env")] = true
	}
	project := loadCompose(t)
	for _, site := range sites {
		environ := project.Services[site].Environment.ToMapping()
		var list []string
		for name, value := range environ {
			list = append(list, name+"="+value)
			if !known[name] {
				t.Errorf("%s sets %s, which nobody reads", site, name)
			}
		}
		cfg, err := configFromEnv(list)
		if err != nil {
			t.Errorf("%s: %v", site, err)
		}
		if cfg.DatabaseURL == "" || cfg.RedisURL == "" || cfg.SessionRedisURL == "" || cfg.RedisURL == cfg.SessionRedisURL {
			t.Errorf("%s lacks servers: %v", site, cfg)
		}
		if cfg.Lab {
			t.Errorf("%s has the lab on", site)
		}
		if environ["PGPASSWORD"] != project.Services["postgres"].Environment.ToMapping()["POSTGRES_PASSWORD"] {
			t.Errorf("%s does not know the database's password", site)
		}
	}
}

func TestBalancerKnowsAllSites(t *testing.T) {
	caddyfile := readText(t, "deploy/Caddyfile")
	for _, site := range sites {
		if !strings.Contains(caddyfile, " "+site+":8080") {
			t.Errorf("the balancer does not know %s", site)
		}
	}
	if !strings.Contains(caddyfile, "health_uri /readyz") {
		t.Error("the balancer does not ask whether a site is ready")
	}
}

func TestImageIsStaticAndNotRoot(t *testing.T) {
	dockerfile := readText(t, "Dockerfile")
	for _, want := range []string{
		"CGO_ENABLED=0", "-trimpath", "\nFROM scratch\n", "\nUSER 65532:65532\n",
		`CMD ["/podbor", "healthcheck"]`, `ENTRYPOINT ["/podbor"]`,
	} {
		if !strings.Contains(dockerfile, want) {
			t.Errorf("the Dockerfile lacks %q", want)
		}
	}
}

// loadCompose loads the file with all profiles, unless options say otherwise.
func loadCompose(t *testing.T, more ...cli.ProjectOptionsFn) *types.Project {
	t.Helper()
	more = append([]cli.ProjectOptionsFn{cli.WithResolvedPaths(true), cli.WithProfiles([]string{"*"})}, more...)
	options, err := cli.NewProjectOptions([]string{"docker-compose.yml"}, more...)
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return project
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
