package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"podbor/cache"
)

func Example_printHelp() {
	var help strings.Builder
	if err := printHelp(&help); err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(help.String(), "PORT               TCP port of the site, 1–65535 (default 8080)"))
	// Output: true
}

func TestSettings(t *testing.T) {
	defaults := config{Port: 8080, DataDir: ".data", SeedRows: 500_000, Strategy: cache.Both, DBPool: 20, LogFormat: "text"}
	changed := defaults
	changed.Port, changed.Strategy, changed.Lab, changed.RedisURL = 9000, cache.Aside, true, "redis://cache:6379/0"
	for name, c := range map[string]struct {
		environ []string
		want    config
	}{
		"nothing set":            {nil, defaults},
		"set to nothing":         {[]string{"PORT=", "STRATEGY=", "DATABASE_URL=", "LAB="}, defaults},
		"some set":               {[]string{"PORT=9000", "STRATEGY=aside", "LAB=1", "REDIS_URL=redis://cache:6379/0"}, changed},
		"variables of others":    {[]string{"PGPORT=1", "port=2", "HOME=/"}, defaults},
		"the last of two counts": {[]string{"PORT=1", "PORT=8080"}, defaults},
	} {
		if got, err := configFromEnv(c.environ); err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
		}
	}
}

func TestSettingsThatMakeNoSense(t *testing.T) {
	for variable, want := range map[string]string{
		"PORT=http":                           "PORT=http: want TCP port of the site",
		"PORT=0":                              "PORT=0: want a number from 1 to 65535",
		"PORT=65536":                          "PORT=65536: want",
		"PORT=99999999999999999999":           "PORT=99999999999999999999: want",
		"SEED_ROWS=0":                         "SEED_ROWS=0: want",
		"SEED_ROWS=-5":                        "SEED_ROWS=-5: want",
		"SEED_ROWS=1e5":                       "SEED_ROWS=1e5: want",
		"PPROF_PORT=-1":                       "PPROF_PORT=-1: want a number from 0 to 65535",
		"DB_POOL=1":                           "DB_POOL=1: want",
		"DB_POOL=200":                         "DB_POOL=200: want",
		"STRATEGY=Both":                       "STRATEGY=Both: want",
		"LAB=maybe":                           "LAB=maybe: want",
		"SITE_URL=example.com":                "SITE_URL: want a URL like https://",
		"SITE_URL=https://example.com/":       "SITE_URL=https://example.com/: want no slash at the end",
		"LOG_FORMAT=xml":                      "LOG_FORMAT=xml: want text or json",
		"DATABASE_URL=mysql://h/db":           "DATABASE_URL: want a URL like postgres://",
		"DATABASE_URL=host=localhost":         "DATABASE_URL: want a URL like postgres://",
		"DATABASE_URL=postgres://u:p%zz@h/db": "DATABASE_URL: want a URL like postgres://",
		"REDIS_URL=localhost:6379":            "REDIS_URL: want a URL like redis://",
		"REDIS_URL=redis:":                    "REDIS_URL: want a URL like redis://",
		"LISTING_REDIS_URL=h:1":               "LISTING_REDIS_URL: want a URL like redis://",
		"SESSION_REDIS_URL=http://h":          "SESSION_REDIS_URL: want a URL like redis://",
	} {
		_, err := configFromEnv([]string{variable})
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q; want one line that starts %q", variable, err, want)
		}
	}
}

func TestEveryMistakeIsTold(t *testing.T) {
	for _, environ := range [][]string{{"PORT=x", "LAB=x"}, {"PORT=0", "LOG_FORMAT=x"}} {
		_, err := configFromEnv(environ)
		if err == nil || strings.Count(err.Error(), "\n") != 1 {
			t.Errorf("%v: error %q; want two lines", environ, err)
		}
	}
}

func TestPasswordsAreNeverPrinted(t *testing.T) {
	cfg, err := configFromEnv([]string{"DATABASE_URL=postgres://u:hunter2@h/db", "REDIS_URL=redis://:hunter2@h", "SESSION_REDIS_URL=rediss://:hunter2@h", "LISTING_REDIS_URL=redis://:hunter2@h?master_name=main&password=hunter2"})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("settings", "config", cfg)
	for _, printed := range []string{log.String(), fmt.Sprint(cfg), fmt.Sprintf("%+v", cfg)} {
		if strings.Contains(printed, "hunter2") {
			t.Errorf("a password in %s", printed)
		}
		if !strings.Contains(printed, "xxxxx@h/db") || !strings.Contains(printed, "8080") {
			t.Errorf("settings are missing in %s", printed)
		}
	}
	_, err = configFromEnv([]string{"DATABASE_URL=postgres://u:hunter2%zz@h/db"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %v; want one without the password", err)
	}
}

func TestHelpNamesEverySetting(t *testing.T) {
	var help strings.Builder
	if err := printHelp(&help); err != nil {
		t.Fatal(err)
	}
	for field := range reflect.TypeFor[config]().Fields() {
		name, value := field.Tag.Get("env"), field.Tag.Get("envDefault")
		if !strings.Contains(help.String(), "  "+name+" ") || !strings.Contains(help.String(), "(default "+value+")") && value != "" {
			t.Errorf("the help does not tell %s or its default", name)
		}
		if field.Tag.Get("help") == "" {
			t.Errorf("nothing is said about %s", name)
		}
	}
	for _, strategy := range cache.Strategies {
		if !strings.Contains(help.String(), string(strategy)) {
			t.Errorf("the help does not tell the strategy %s", strategy)
		}
	}
}
