// Text: the quick way to write a string, for what a page repeats many times.

package templates

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// text renders a string, escaped. "@text(s)" writes what "{ s }" writes, without the detour through fmt that templ takes
// for any type of s: on a listing, with some 300 texts, that is a sixth of the whole request. Elsewhere use "{ s }".
type text string

func (t text) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, templ.EscapeString(t))
	return err
}
