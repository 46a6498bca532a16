package static_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"strings"
	"testing"

	"podbor/static"
)

func TestNamesCarryAFingerprint(t *testing.T) {
	for _, name := range []string{"site.css", "favicon.svg"} {
		path := static.Path(name)
		stem, ext, _ := strings.Cut(name, ".")
		if !regexp.MustCompile(`^/static/` + stem + `\.[0-9a-f]{8}\.` + ext + `$`).MatchString(path) {
			t.Errorf("Path(%q) = %q", name, path)
		}
		asset, ok := static.Lookup(path)
		if !ok || len(asset.Body) == 0 || asset.Type == "" {
			t.Errorf("Lookup(%q) = %+v, %t", path, asset, ok)
		}
		if asset.Gzip == nil {
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(asset.Gzip))
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(r); err != nil || !bytes.Equal(body, asset.Body) {
			t.Errorf("%s: the compressed form differs (%v)", name, err)
		}
	}
}

func TestOtherNamesAreUnknown(t *testing.T) {
	for _, path := range []string{"", "/", "/static/", "/static/site.css", "/static/site.00000000.css", "/other" + static.Path("site.css"), "/static/x/../site.css"} {
		if _, ok := static.Lookup(path); ok {
			t.Errorf("Lookup(%q) finds something", path)
		}
	}
}

func TestPathOfAMissingFilePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	static.Path("missing.css")
}

// The stylesheet asks for nothing from elsewhere, and every custom property it uses is defined.
func TestStylesheet(t *testing.T) {
	asset, _ := static.Lookup(static.Path("site.css"))
	css := string(asset.Body)
	if strings.Contains(css, "url(") || strings.Contains(css, "@import") {
		t.Error("the stylesheet fetches something")
	}
	for _, use := range regexp.MustCompile(`var\((--[a-z0-9-]+)\)`).FindAllStringSubmatch(css, -1) {
		if !strings.Contains(css, use[1]+":") {
			t.Errorf("%s is used but never defined", use[1])
		}
	}
	if len(asset.Gzip) > 8_000 {
		t.Errorf("the stylesheet has %d bytes compressed", len(asset.Gzip))
	}
}
