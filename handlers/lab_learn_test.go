// What the lab teaches: every strategy is explained, every link leads to what it names, and nothing else can be read.

package handlers_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"podbor/cache"
	"podbor/handlers"
	"podbor/internal/lab"
)

// programSources are the files that main embeds.
var programSources = sync.OnceValue(func() fs.FS {
	files := fstest.MapFS{}
	for _, pattern := range []string{"README.md", "main.go", "cache/*.go", "cache/lua/*", "models/*.go", "models/lua/*", "models/migrations/*", "handlers/*.go"} {
		names, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil {
			panic(err)
		}
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				panic(err)
			}
			if !strings.HasSuffix(name, "_test.go") {
				files[strings.TrimPrefix(filepath.ToSlash(name), "../")] = &fstest.MapFile{Data: body}
			}
		}
	}
	return files
})

// declares is what the line of a declaration begins with, for one named in a link.
func declares(name string) *regexp.Regexp {
	typ, method, isMethod := strings.Cut(name, ".")
	if isMethod {
		return regexp.MustCompile(`(?m)^func \(\w+ \*?` + typ + `(\[\w+\])?\) ` + method + `\(`)
	}
	return regexp.MustCompile(`(?m)^(func|type|const|var)?\s*` + name + `\b`)
}

// wantCodeLinks follows every link to code on a page.
func wantCodeLinks(t *testing.T, s *testSite, doc *goquery.Document) {
	t.Helper()
	links := doc.Find(".learn-code a")
	if links.Length() == 0 {
		t.Fatal("no link leads to code")
	}
	links.Each(func(_ int, a *goquery.Selection) {
		href := a.AttrOr("href", "")
		file, at, found := strings.Cut(href, "#")
		page := s.page(t, file)
		if !found {
			return
		}
		part := page.Find(`[id="` + at + `"]`)
		switch {
		case part.Length() != 1:
			t.Errorf("%s: %d such places", href, part.Length())
		case at == "" || at[0] == 'L' && strings.HasSuffix(file, ".md"):
			// a line, found by its beginning
		case !declares(at).MatchString(part.Text()):
			t.Errorf("%s leads to %.80q", href, part.Text())
		}
		if where := a.Parent().Find(".muted").Text(); !strings.HasSuffix(file, ".md") {
			from, to, _ := strings.Cut(where[strings.LastIndexByte(where, ':')+1:], "–")
			if lines := part.Find(".line"); lines.First().AttrOr("id", "") != "L"+from || lines.Last().AttrOr("id", "") != "L"+to {
				t.Errorf("%s is said to be %s, and is %s to %s", href, where, lines.First().AttrOr("id", ""), lines.Last().AttrOr("id", ""))
			}
		}
	})
}

func TestEveryStrategyIsExplained(t *testing.T) {
	s := newSite(t)
	glossary := s.page(t, "/lab/glossary")
	wantCodeLinks(t, s, glossary)
	for _, strategy := range cache.Strategies {
		doc := s.explanation(t, string(strategy))
		wantCodeLinks(t, s, doc)
		if doc.Find("h2 code").Text() != string(strategy) || doc.Find("h3").Length() < 6 {
			t.Errorf("%s is explained by %.300s", strategy, doc.Text())
		}
		doc.Find(`a[href^="/lab/source/README.md"]`).Each(func(_ int, a *goquery.Selection) {
			file, line, _ := strings.Cut(a.AttrOr("href", ""), "#")
			if text := s.page(t, file).Find("#" + line).Text(); !strings.Contains(text, "`"+string(strategy)+"`") {
				t.Errorf("%s: its line of the README is %q", strategy, text)
			}
		})
		wantTerms(t, doc, glossary)
	}
	wantTerms(t, glossary, glossary)
	for n := 1; n <= 7; n++ {
		wantTerms(t, s.tour(t, n, nil), glossary)
	}
}

// wantTerms checks that links into the glossary arrive.
func wantTerms(t *testing.T, doc, glossary *goquery.Document) {
	t.Helper()
	doc.Find(`a[href^="/lab/glossary#"], .learn-terms a`).Each(func(_ int, a *goquery.Selection) {
		_, id, _ := strings.Cut(a.AttrOr("href", ""), "#")
		if glossary.Find(`.learn-glossary [id="`+id+`"]`).Length() != 1 {
			t.Errorf("the glossary does not have %q", id)
		}
	})
}

func TestSourceIsShownAsItIs(t *testing.T) {
	s := newSite(t)
	for _, file := range []string{"cache/flight.go", "cache/lua/acquire.lua", "README.md", "handlers/lab_source.go", "models/facets.go"} {
		want, err := os.ReadFile("../" + file)
		must(t, err)
		doc := s.page(t, "/lab/source/"+file)
		if got := doc.Find(".source").Text(); strings.TrimSpace(got) != strings.TrimSpace(string(want)) {
			t.Errorf("%s is not shown as it is", file)
		}
		lines := strings.Split(string(want), "\n")
		for n := 1; n < len(lines); n += 7 {
			if got := strings.TrimSuffix(doc.Find("#L"+strconv.Itoa(n)).Text(), "\n"); got != lines[n-1] {
				t.Fatalf("%s, line %d: %q, want %q", file, n, got, lines[n-1])
			}
		}
	}
	doc := s.page(t, "/lab/source/cache/refresh.go")
	for class, want := range map[string]string{".com": "// Stale-while-revalidate", ".key": "func", ".str": `"being refreshed by another process"`} {
		if !strings.Contains(doc.Find(".source "+class).Text(), want) {
			t.Errorf("%s is not coloured as %s", want, class)
		}
	}
	s.page(t, "/lab/source").Find(".learn-files a").Each(func(_ int, a *goquery.Selection) {
		wantStatus(t, s.get(t, a.AttrOr("href", "")), http.StatusOK)
	})
}

func TestOnlyTheProgramsSourceCanBeRead(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{
		"nothing.go", "cache", "cache/nothing.go", "go.mod", "cache/lease_test.go", "..%2fgo.mod", "cache/..%2f..%2fgo.mod", "%2e%2e/go.mod",
		"%2fetc%2fpasswd", "/etc/passwd", "cache%5clease.go", "cache/lease.go%00", "./cache/lease.go%2f..%2flease.go",
	} {
		wantStatus(t, s.get(t, "/lab/source/"+path), http.StatusNotFound)
	}
}

func (s *testSite) explanation(t *testing.T, strategy string) *goquery.Document {
	t.Helper()
	explanation, _, err := handlers.Learned(programSources())
	must(t, err)
	return rendered(t, explanation(strategy))
}

func (s *testSite) tour(t *testing.T, step int, run *lab.Record) *goquery.Document {
	t.Helper()
	_, tour, err := handlers.Learned(programSources())
	must(t, err)
	return rendered(t, tour(step, "token", run))
}

func rendered(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var b strings.Builder
	must(t, c.Render(t.Context(), &b))
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	must(t, err)
	return doc
}
