// Package static holds the files that the program serves as they are: the stylesheet, the scripts and the icons.
//
// Each file is served under a name that contains a hash of its content, so that a browser may keep it for ever and a
// new version is a new name.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strings"
)

//go:embed css icons js pages
var files embed.FS

// An Asset is one file, ready to be sent.
type Asset struct {
	Path string // "/static/site.5f2c9a1b.css"
	Type string // media type
	Body []byte
	Gzip []byte // Body compressed; nil where that would not make it smaller
}

// assets are indexed by plain name; nothing changes them after the program has started.
var assets = load()

// Path returns the URL path of the file with the given plain name, such as "site.css". It panics when there is no such
// file: names are constants, so that is a mistake in the program, and the first page that is rendered shows it.
func Path(name string) string {
	a, ok := assets[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return a.Path
}

// Lookup returns the asset with the given URL path.
func Lookup(urlPath string) (Asset, bool) {
	stem, rest, _ := strings.Cut(path.Base(urlPath), ".")
	_, ext, _ := strings.Cut(rest, ".")
	a, ok := assets[stem+"."+ext]
	return a, ok && a.Path == urlPath
}

func load() map[string]Asset {
	loaded := map[string]Asset{}
	add := func(name string, body []byte) {
		ext := path.Ext(name)
		sum := sha256.Sum256(body)
		a := Asset{
			Path: "/static/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:4]) + ext,
			Type: mime.TypeByExtension(ext),
			Body: body,
		}
		if zipped := compress(body); len(zipped) < len(body) {
			a.Gzip = zipped
		}
		loaded[name] = a
	}
	// The stylesheet is written as several files, one idea each, and sent as one.
	add("site.css", bytes.Join(readAll("css"), []byte("\n")))
	for _, name := range names("js") {
		add(name, read("js/"+name))
	}
	// What only a few pages need is sent apart, so that visitors of the others do not pay for it.
	for _, name := range names("pages") {
		add(name, read("pages/"+name))
	}
	for _, name := range names("icons") {
		add(name, read("icons/"+name))
	}
	return loaded
}

func compress(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	w.Write(body) //nolint:errcheck // a bytes.Buffer takes everything
	w.Close()     //nolint:errcheck // same
	return b.Bytes()
}

func readAll(dir string) [][]byte {
	var bodies [][]byte
	for _, name := range names(dir) {
		bodies = append(bodies, read(dir+"/"+name))
	}
	return bodies
}

func names(dir string) []string {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		panic(err) // embedded: it cannot be missing at run time
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names // sorted by ReadDir
}

func read(name string) []byte {
	body, err := files.ReadFile(name)
	if err != nil {
		panic(err) // same
	}
	return body
}
