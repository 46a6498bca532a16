// The program's own source, which the lab shows beside its pictures.

package main

import "embed"

// sources are the files without their tests. A pattern cannot say "not _test.go"; these say "not in t", "in t, but not in
// st" and "in st, but not in est", and a test finds a file that falls between them.
//
//go:embed README.md main.go
//go:embed cache/*[^t].go cache/*[^s]t.go cache/lua
//go:embed models/*[^t].go models/*[^s]t.go models/*[^e]st.go models/lua models/migrations
//go:embed handlers/*[^t].go handlers/*[^s]t.go handlers/*[^e]st.go
var sources embed.FS
