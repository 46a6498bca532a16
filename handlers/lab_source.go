// The program's own source in the lab: files with line numbers, and links to declarations, which stay right when lines move.

package handlers

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"podbor/models"
	"podbor/templates"
)

// sources are the files that may be shown.
type sources struct{ files fs.FS }

// A spot is what a text points at: a declaration of a Go file, or the first line of another file that begins with some
// words. Without either it is the file.
type spot struct{ file, at string }

// link resolves a spot.
func (s sources) link(p spot) (templates.LabCode, error) {
	src, err := fs.ReadFile(s.files, p.file)
	if err != nil {
		return templates.LabCode{}, fmt.Errorf("source of the lab: %w", err)
	}
	code := templates.LabCode{URL: "/lab/source/" + p.file, Name: path.Base(p.file), File: p.file}
	switch {
	case p.at == "":
		return code, nil
	case path.Ext(p.file) == ".go":
		declarations, err := declarationsOf(src)
		if err != nil {
			return templates.LabCode{}, fmt.Errorf("%s: %w", p.file, err)
		}
		for _, d := range declarations {
			if d.name == p.at {
				code.URL += "#" + d.name
				code.Name = d.name
				code.Lines = fmt.Sprintf("%d–%d", d.from, d.to)
				return code, nil
			}
		}
	default:
		for i, line := range strings.Split(string(src), "\n") {
			if strings.HasPrefix(line, p.at) {
				code.URL += fmt.Sprintf("#L%d", i+1)
				code.Lines = fmt.Sprint(i + 1)
				return code, nil
			}
		}
	}
	return templates.LabCode{}, fmt.Errorf("%s has no %q", p.file, p.at)
}

// source shows a file.
func (l *labPages) source(c echo.Context) error {
	file := c.Param("*")
	src, err := fs.ReadFile(l.learn.files, file) // it takes no path that leads out
	if err != nil {
		return models.ErrNotFound
	}
	view := templates.LabSource{Path: file, Lines: plainLines(src)}
	if path.Ext(file) == ".go" {
		declarations, err := declarationsOf(src)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		view.Lines = goLines(src)
		for _, d := range declarations {
			view.Parts = append(view.Parts, templates.LabPart{Name: d.name, From: d.from, To: d.to})
		}
	}
	return l.render(c, http.StatusOK, templates.LabSourcePage(view))
}

// sourceIndex lists the files by directory.
func (l *labPages) sourceIndex(c echo.Context) error {
	return l.render(c, http.StatusOK, templates.LabSourcesPage(l.learn.index))
}

// indexOf lists the files of each directory, with what their first lines say they are for.
func (s sources) indexOf() (index []templates.LabDirectory, err error) {
	err = fs.WalkDir(s.files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		src, err := fs.ReadFile(s.files, file)
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(string(src), "\n")
		dir := path.Dir(file)
		at := slices.IndexFunc(index, func(d templates.LabDirectory) bool { return d.Name == dir })
		if at < 0 {
			at = len(index)
			index = append(index, templates.LabDirectory{Name: dir})
		}
		index[at].Files = append(index[at].Files, templates.LabFile{
			URL: "/lab/source/" + file, Name: path.Base(file), About: strings.TrimLeft(first, "/-# "),
		})
		return nil
	})
	return index, err
}

// A declaration is one of a Go file: its lines, from its comment to its end.
type declaration struct {
	name     string // "Cache.fill" for a method
	from, to int
}

// declarationsOf returns the declarations of a file in order. A group of constants or variables has the name of its first.
func declarationsOf(src []byte) (all []declaration, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		name, doc := "", (*ast.CommentGroup)(nil)
		switch d := d.(type) {
		case *ast.FuncDecl:
			name, doc = d.Name.Name, d.Doc
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
		case *ast.GenDecl:
			doc = d.Doc
			switch spec := d.Specs[0].(type) {
			case *ast.TypeSpec:
				name = spec.Name.Name
			case *ast.ValueSpec:
				name = spec.Names[0].Name
			}
		}
		begin := d.Pos()
		if doc != nil {
			begin = doc.Pos()
		}
		taken := slices.ContainsFunc(all, func(other declaration) bool { return other.name == name })
		if name != "" && name != "_" && !taken { // imports have no name, and init may be there twice
			all = append(all, declaration{name, files.Position(begin).Line, files.Position(d.End()).Line})
		}
	}
	return all, nil
}

// receiver returns the name of a method's type.
func receiver(expr ast.Expr) string {
	switch t := expr.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr: // generic
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// goLines cuts a Go file into lines of coloured pieces.
func goLines(src []byte) []templates.LabLine {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	var pieces []templates.LabPiece
	done := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		class := ""
		switch {
		case tok == token.COMMENT:
			class = "com"
		case tok.IsKeyword():
			class = "key"
		case tok == token.STRING || tok == token.CHAR:
			class = "str"
		}
		if class == "" {
			continue
		}
		at := file.Offset(pos)
		pieces = append(pieces, templates.LabPiece{Text: string(src[done:at])}, templates.LabPiece{Text: literal, Class: class})
		done = at + len(literal)
	}
	return linesOf(append(pieces, templates.LabPiece{Text: string(src[done:])}))
}

// plainLines cuts any other file. Whole lines of comment are told from the rest.
func plainLines(src []byte) []templates.LabLine {
	var pieces []templates.LabPiece
	for line := range strings.Lines(string(src)) {
		piece := templates.LabPiece{Text: line}
		if strings.HasPrefix(strings.TrimSpace(line), "--") {
			piece.Class = "com"
		}
		pieces = append(pieces, piece)
	}
	return linesOf(pieces)
}

// linesOf cuts pieces, some of which go over several lines, at the ends of lines.
func linesOf(pieces []templates.LabPiece) []templates.LabLine {
	lines := []templates.LabLine{nil}
	for _, p := range pieces {
		for i, text := range strings.Split(p.Text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if text != "" {
				lines[len(lines)-1] = append(lines[len(lines)-1], templates.LabPiece{Text: text, Class: p.Class})
			}
		}
	}
	if len(lines[len(lines)-1]) == 0 { // a file ends with the end of a line
		lines = lines[:len(lines)-1]
	}
	return lines
}
