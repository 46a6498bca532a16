// Sentences of the lab: "[lease]" links to the glossary, "[the wait|pool-wait]" does in other words, and `code` is code.

package handlers

import (
	"fmt"
	"strings"

	"podbor/templates"
)

// prose reads a paragraph.
func prose(text string) (p templates.LabProse, err error) {
	plain := func(s string) {
		for i, piece := range strings.Split(s, "`") {
			if piece != "" {
				p = append(p, templates.LabText{Text: piece, Code: i%2 == 1})
			}
		}
	}
	for text != "" {
		before, rest, found := strings.Cut(text, "[")
		plain(before)
		if !found {
			break
		}
		var link string
		link, text, found = strings.Cut(rest, "]")
		words, id, named := strings.Cut(link, "|")
		if !named {
			id = termID(words)
		}
		if !found || !knownTerm(id) {
			return nil, fmt.Errorf("lab: the glossary has no %q", id)
		}
		p = append(p, templates.LabText{Text: words, URL: "/lab/glossary#" + id})
	}
	return p, nil
}

// termID is a term as the end of a URL.
func termID(term string) string {
	return strings.ReplaceAll(strings.ToLower(term), " ", "-")
}
