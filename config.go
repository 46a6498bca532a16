// The settings of the program. This is the only file that reads the environment; the help is made from the struct, so
// that the two cannot differ.

package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/caarlos0/env/v11"

	"podbor/cache"
)

type config struct {
	Port            int            `env:"PORT" envDefault:"8080" help:"TCP port of the site, 1–65535"`
	DatabaseURL     string         `env:"DATABASE_URL" secret:"yes" help:"postgres://… to use; without it a private PostgreSQL is started"`
	RedisURL        string         `env:"REDIS_URL" secret:"yes" help:"redis://… of the cache; ?master_name=main&addr=host:port for Sentinels, ?addr=host:port or ?cluster=true for a Cluster; without it a private Redis is started"`
	ListingRedisURL string         `env:"LISTING_REDIS_URL" secret:"yes" help:"redis://… for lists and counts alone, so that a storm of filters starves nothing else; without it they share REDIS_URL"`
	SessionRedisURL string         `env:"SESSION_REDIS_URL" secret:"yes" help:"redis://… of the sessions, where nothing is evicted; without it a private one is started, or REDIS_URL serves for both"`
	DataDir         string         `env:"DATA_DIR" envDefault:".data" help:"folder of the private servers"`
	SeedRows        int            `env:"SEED_ROWS" envDefault:"500000" help:"apartments put into an empty database, 1–5000000"`
	Strategy        cache.Strategy `env:"STRATEGY" envDefault:"both" help:"what stands between a miss and the database: off, aside, flight, lock, both, swr, xfetch"`
	Lab             bool           `env:"LAB" envDefault:"false" help:"whether the stampede lab (/lab) exists, where anybody may send herds: true or false"`
	DBPool          int            `env:"DB_POOL" envDefault:"20" help:"most database connections open at once, 2–190"`
	SiteURL         string         `env:"SITE_URL" help:"https://host by which the world knows the site, for links that name it; without it each request's own"`
	PprofPort       int            `env:"PPROF_PORT" envDefault:"0" help:"local TCP port of the profiler, 0 for none"`
	LogFormat       string         `env:"LOG_FORMAT" envDefault:"text" help:"log lines for people or for programs: text or json"`
}

// configFromEnv reads and checks the settings in environ (as os.Environ has them). The error has one line per mistake.
// A variable that is set to nothing counts as not set: compose files pass those.
func configFromEnv(environ []string) (config, error) {
	set := env.ToMap(environ)
	for name, value := range set {
		if value == "" {
			delete(set, name)
		}
	}
	cfg, err := env.ParseAsWithOptions[config](env.Options{
		Environment: set,
		FuncMap: map[reflect.Type]env.ParserFunc{
			reflect.TypeFor[cache.Strategy](): func(s string) (any, error) { return cache.ParseStrategy(s) },
		},
	})
	if err != nil {
		return config{}, namedErrors(err, set)
	}
	return cfg, cfg.check()
}

func (c config) check() error {
	return errors.Join(
		want(c.Port >= 1 && c.Port <= 65535, "PORT", c.Port, "a number from 1 to 65535"),
		want(c.SeedRows >= 1 && c.SeedRows <= 5_000_000, "SEED_ROWS", c.SeedRows, "a number from 1 to 5000000"),
		want(c.DBPool >= 2 && c.DBPool <= 190, "DB_POOL", c.DBPool, "a number from 2 to 190"), // PostgreSQL has 200
		want(c.PprofPort >= 0 && c.PprofPort <= 65535, "PPROF_PORT", c.PprofPort, "a number from 0 to 65535"),
		want(slices.Contains([]string{"text", "json"}, c.LogFormat), "LOG_FORMAT", c.LogFormat, "text or json"),
		wantURL("DATABASE_URL", c.DatabaseURL, "postgres", "postgresql"),
		wantURL("REDIS_URL", c.RedisURL, "redis", "rediss", "unix"),
		wantURL("LISTING_REDIS_URL", c.ListingRedisURL, "redis", "rediss", "unix"),
		wantURL("SESSION_REDIS_URL", c.SessionRedisURL, "redis", "rediss", "unix"),
		wantURL("SITE_URL", c.SiteURL, "https", "http"),
		want(!strings.HasSuffix(c.SiteURL, "/"), "SITE_URL", c.SiteURL, "no slash at the end"),
	)
}

func want(ok bool, name string, value any, wanted string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s=%v: want %s", name, value, wanted)
}

// wantURL does not repeat the value, and not the error of url.Parse either, which does: it may hold a password.
func wantURL(name, value string, schemes ...string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || !slices.Contains(schemes, u.Scheme) || u.Host+u.Path == "" {
		return fmt.Errorf("%s: want a URL like %s://user:password@host:port/…, special characters in the password as %%XX", name, schemes[0])
	}
	return nil
}

// namedErrors says the variable where env says the struct's field.
func namedErrors(err error, set map[string]string) error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	var named []error
	for _, err := range all.Errors {
		var parse env.ParseError
		if !errors.As(err, &parse) {
			named = append(named, err)
			continue
		}
		field, _ := reflect.TypeFor[config]().FieldByName(parse.Name)
		name := field.Tag.Get("env")
		named = append(named, fmt.Errorf("%s=%s: want %s", name, set[name], field.Tag.Get("help")))
	}
	return errors.Join(named...)
}

// LogValue prints the settings by the names of their variables, without passwords.
func (c config) LogValue() slog.Value {
	var attrs []slog.Attr
	for field, value := range reflect.ValueOf(c).Fields() {
		shown := value.Interface()
		if field.Tag.Get("secret") != "" {
			shown = redacted(value.String())
		}
		attrs = append(attrs, slog.Any(field.Tag.Get("env"), shown))
	}
	return slog.GroupValue(attrs...)
}

func (c config) String() string { return c.LogValue().String() }

func redacted(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(not a URL)"
	}
	if query := u.Query(); query.Has("password") { // of the servers that Sentinels watch
		query.Set("password", "xxxxx")
		u.RawQuery = query.Encode()
	}
	return u.Redacted()
}

// printHelp lists what the program understands, with the defaults.
func printHelp(w io.Writer) error {
	fmt.Fprint(w, `Podbor serves an apartment-listing site whose cache survives a stampede.

  podbor              serve the site (make run does it with the lab on)
  podbor admin        podbor admin add NAME makes an account for /admin and prints its password; reset NAME prints a new one
  podbor checklist    hold the site on PORT and its servers to the policy table; exit 1 if they fall short
  podbor flag         list the feature flags; podbor flag NAME on|off sets one, and every process follows at once
  podbor healthcheck  exit 0 if the site on PORT is ready
  podbor -h           this help

Environment:
`)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for field := range reflect.TypeFor[config]().Fields() {
		text := field.Tag.Get("help")
		if value := field.Tag.Get("envDefault"); value != "" {
			text += " (default " + value + ")"
		}
		fmt.Fprintf(t, "  %s\t%s\n", field.Tag.Get("env"), strings.TrimSpace(text))
	}
	return t.Flush()
}
