// What must be written to the letter, where a template would add spaces: lines of code and sentences with links.

package templates

import (
	"context"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// A LabLine is a line of a file, in pieces.
type LabLine []LabPiece

// A LabPiece is a run of characters of one colour: "com", "key", "str" or none.
type LabPiece struct{ Text, Class string }

// A LabPart is a named range of lines, which a link can point at.
type LabPart struct {
	Name     string
	From, To int
}

// labLines writes the lines of a file. Each has an id, and so has each part round its lines, so that the stylesheet can
// mark what a link points at. The numbers come from the stylesheet: they are not copied with the code.
func labLines(p LabSource) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		parts := p.Parts
		for i, line := range p.Lines {
			n := i + 1
			if len(parts) > 0 && parts[0].From == n {
				fmt.Fprintf(&b, `<span class="part" id="%s">`, html.EscapeString(parts[0].Name))
			}
			fmt.Fprintf(&b, `<span class="line" id="L%d">`, n)
			for _, piece := range line {
				if piece.Class == "" {
					b.WriteString(html.EscapeString(piece.Text))
				} else {
					fmt.Fprintf(&b, `<span class="%s">%s</span>`, piece.Class, html.EscapeString(piece.Text))
				}
			}
			b.WriteString("\n</span>")
			if len(parts) > 0 && parts[0].To == n {
				b.WriteString("</span>")
				parts = parts[1:]
			}
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// LabProse is a paragraph.
type LabProse []LabText

// A LabText is a part of it: words, code, or a link.
type LabText struct {
	Text, URL string
	Code      bool
}

// labProse writes a paragraph's words.
func labProse(p LabProse) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		for _, t := range p {
			text := html.EscapeString(t.Text)
			switch {
			case t.URL != "":
				fmt.Fprintf(&b, `<a href="%s">%s</a>`, html.EscapeString(t.URL), text)
			case t.Code:
				b.WriteString("<code>" + text + "</code>")
			default:
				b.WriteString(text)
			}
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}
