// Phrases with places for values, and words that change with a number.

package locale

import "strings"

// A Phrase is a text with named places: "Apartments in {city}".
type Phrase string

// With puts values into the places of p; pairs holds names and values in turn. What a value contains is never taken for
// a place, so that a visitor's text stays as it is.
func (p Phrase) With(pairs ...string) string {
	b := make([]byte, 0, 128)
	rest := string(p)
	for {
		before, after, found := strings.Cut(rest, "{")
		b = append(b, before...)
		if !found {
			return string(b)
		}
		name, after, _ := strings.Cut(after, "}")
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				b = append(b, pairs[i+1]...)
			}
		}
		rest = after
	}
}

// A Plural is a text about n things, in the forms that n needs. English and Hindi use One and Many; Russian uses Few too:
// 1 дом, 2 дома, 5 домов.
type Plural struct{ One, Few, Many Phrase }

// A form is one of those of a Plural.
type form int

const (
	one form = iota
	few
	many
)

// Count writes a text about n things.
func (l *Locale) Count(n int, p Plural) string {
	return p.of(l.form(n)).With("n", l.Number(int64(n)))
}

func (p Plural) of(f form) Phrase { return [...]Phrase{one: p.One, few: p.Few, many: p.Many}[f] }

func englishForm(n int) form {
	if n == 1 {
		return one
	}
	return many
}

// russianForm goes by the last digit, except from 11 to 14.
func russianForm(n int) form {
	switch last := n % 10; {
	case n%100 >= 11 && n%100 <= 14:
		return many
	case last == 1:
		return one
	case last >= 2 && last <= 4:
		return few
	}
	return many
}

func hindiForm(n int) form {
	if n <= 1 {
		return one
	}
	return many
}
