// Package locale is everything about the site that depends on the reader's language: its texts, and how numbers, money
// and dates are written. A new text is a field in texts.go and a line in en.go, ru.go and hi.go; a test names what is
// missing. Nothing here changes after the program has started, and nothing here knows the application's types.
package locale

import (
	"strings"

	"golang.org/x/text/language"
)

// A Locale is one language of the site. Every method may be used by many requests at once.
type Locale struct {
	Tag    string // as in the lang attribute: "en"
	Prefix string // of the paths in this language: "/ru"; English has none
	Name   string // what the language calls itself
	T      *Texts

	format format
	form   func(n int) form // which form of a Plural goes with n
}

// All lists the languages in display order; the first is the one of those who asked for nothing.
var All = []*Locale{English, Russian, Hindi}

// URL returns the path by which a page, named by its path in English, is reached in this language.
func (l *Locale) URL(path string) string { return l.Prefix + path }

// ByTag returns the language with the given tag, or nil.
func ByTag(tag string) *Locale {
	for _, l := range All {
		if l.Tag == tag {
			return l
		}
	}
	return nil
}

// OfPath splits a path into its language and the path of the page in English, which is "" for a bare prefix. A path
// without a prefix is English.
func OfPath(path string) (l *Locale, rest string) {
	for _, l := range All {
		rest, ok := strings.CutPrefix(path, l.Prefix)
		if ok && l.Prefix != "" && (rest == "" || rest[0] == '/') {
			return l, rest
		}
	}
	return English, path
}

// Accepted returns the language that an Accept-Language header likes best, and English when it likes none of ours.
func Accepted(header string) *Locale {
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return English
	}
	for _, tag := range tags { // the most wanted first
		// A lower confidence means a related language, or the same in another script: not what was asked for.
		if _, i, confidence := matcher.Match(tag); confidence >= language.High {
			return All[i]
		}
	}
	return English
}

// matcher has the languages in the order of All.
var matcher = language.NewMatcher([]language.Tag{language.English, language.Russian, language.Hindi})
