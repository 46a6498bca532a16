// The program's own source, which the lab shows beside its pictures.

package main

import "embed"

// sources are the files without their tests. A pattern cannot say "not _test.go"; these say "not in t", and "in t, but not
// in st", and a test finds the file that falls between them.
//
//go:embed README.md main.go
//go:embed cache/*[^t].go cache/*[^s]t.go cache/lua
//go:embed models/*[^t].go models/*[^s]t.go models/lua models/migrations
//go:embed handlers/*[^t].go handlers/*[^s]t.go
var sources embed.FS
