// The import arrows of the design, each with its reason, checked by the compiler's own view of the code.

package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed lists what each package may import of this module. A package that is missing here may import nothing of ours.
var allowed = map[string]struct {
	imports []string
	why     string
}{
	"podbor":                              {[]string{"cache", "handlers", "models", "seed", "internal/servers", "internal/redisstats", "internal/checklist", "internal/visitor", "internal/herd", "internal/lab"}, "main wires the parts and does nothing else"},
	"podbor/cache":                        {nil, "the cache could be lifted into another project"},
	"podbor/templates":                    {[]string{"static", "internal/locale"}, "templates get view models; only texts and the names of static files come from elsewhere"},
	"podbor/static":                       {nil, "files and their fingerprints"},
	"podbor/models":                       {[]string{"cache", "internal/servertiming"}, "the domain, and in cached.go the cache"},
	"podbor/handlers":                     {[]string{"models", "templates", "static", "internal/locale", "internal/servertiming", "internal/visitor", "internal/checklist", "internal/lab", "internal/report"}, "handlers see the cache through models only"},
	"podbor/seed":                         {[]string{"models"}, "seeding writes what models reads"},
	"podbor/internal/locale":              {nil, "a leaf"},
	"podbor/internal/servertiming":        {nil, "a leaf"},
	"podbor/internal/servers":             {nil, "a leaf"},
	"podbor/internal/servers/serverstest": {[]string{"internal/servers"}, "servers for tests"},
	"podbor/internal/checklist":           {[]string{"cache", "models", "internal/redisstats", "internal/visitor"}, "it holds a running site to the policies"},
	"podbor/internal/redisstats":          {nil, "a leaf"},
	"podbor/internal/visitor":             {nil, "a leaf"},
	"podbor/internal/herd":                {[]string{"cache", "internal/report", "internal/servers"}, "processes, visitors and counts, of whatever page"},
	"podbor/internal/lab":                 {[]string{"cache", "models", "internal/herd", "internal/report", "internal/servers"}, "as the load script: it sees processes over HTTP, and looks into their cache"},
	"podbor/internal/report":              {[]string{"static"}, "one renderer for the load script and the lab: it gets data, and the colours of the site's pictures"},
	"podbor/loadtest":                     {[]string{"cache", "models", "seed", "internal/report", "internal/servers", "internal/herd"}, "the load script sees the site over HTTP, and looks into its cache"},
}

func TestImportsFollowTheArrows(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 5 {
		t.Fatalf("go list names only %d packages", len(lines))
	}
	for _, line := range lines {
		words := strings.Fields(line)
		rule := allowed[words[0]]
		for _, imported := range words[1:] {
			ours, found := strings.CutPrefix(imported, "podbor/")
			if found && !slices.Contains(rule.imports, ours) {
				t.Errorf("%s imports %s, but %s", words[0], imported, rule.why)
			}
		}
	}
}

// Only one file of models knows the cache, and the cache knows neither our words nor our frameworks.
func TestCacheMeetsTheDomainInOneFile(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "grep", "-l", `"podbor/cache"`, "-r", "models", "--include=*.go").Output()
	if err != nil {
		t.Fatalf("grep: %v", err)
	}
	for _, file := range strings.Fields(string(out)) {
		if file != "models/cached.go" && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s imports the cache; only models/cached.go may", file)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "grep", "-rliE", "apartment|echo/v4|gorm", "cache").Output(); err == nil {
		t.Errorf("these files of cache/ know the application: %s", strings.Fields(string(out)))
	}
}
