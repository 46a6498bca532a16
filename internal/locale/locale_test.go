// The languages against each other: texts, places, forms, formats, and which of them a visitor gets.

package locale

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// texts calls visit with every text of a language and the path to it.
func texts(v reflect.Value, path string, visit func(path, text string)) {
	switch v.Kind() {
	case reflect.Pointer:
		texts(v.Elem(), path, visit)
	case reflect.Struct:
		for field, value := range v.Fields() {
			texts(value, path+"."+field.Name, visit)
		}
	case reflect.Array:
		for i, value := range v.Seq2() {
			texts(value, fmt.Sprint(path, "[", i, "]"), visit)
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			texts(value, fmt.Sprint(path, "[", key, "]"), visit)
		}
	case reflect.String:
		visit(path, v.String())
	default:
		panic("no text: " + path)
	}
}

var (
	place = regexp.MustCompile(`\{[a-z]+\}`)
	forms = regexp.MustCompile(`\.(One|Few|Many)$`)
)

// No language lacks a text or a form that it needs, and each text has the same places everywhere.
func TestCataloguesAreComplete(t *testing.T) {
	places := map[string]string{}
	for _, l := range All {
		seen := map[string]bool{}
		texts(reflect.ValueOf(l.T), "", func(path, text string) {
			seen[path] = true
			if strings.HasSuffix(path, ".Few") && l != Russian {
				if text != "" {
					t.Errorf("%s%s is never used", l.Tag, path)
				}
				return
			}
			if strings.TrimSpace(text) == "" || text != strings.TrimSpace(text) {
				t.Errorf("%s%s is %q", l.Tag, path, text)
			}
			found := place.FindAllString(text, -1)
			slices.Sort(found)
			path = forms.ReplaceAllString(path, "")
			got := strings.Join(slices.Compact(found), " ")
			if want, known := places[path]; known && got != want {
				t.Errorf("%s%s has the places %q, elsewhere %q", l.Tag, path, got, want)
			}
			places[path] = got
			if rest := place.ReplaceAllString(text, ""); strings.ContainsAny(rest, "{}") {
				t.Errorf("%s%s has a broken place: %q", l.Tag, path, text)
			}
		})
		if len(seen) < 100 {
			t.Errorf("%s has only %d texts", l.Tag, len(seen))
		}
	}
	if places[".Listing.Shown"] != "{first} {last} {total}" {
		t.Errorf("the test sees no places: %q", places[".Listing.Shown"])
	}
}

// A language that still says what English says was not translated.
func TestCataloguesAreTranslated(t *testing.T) {
	english := map[string]string{}
	texts(reflect.ValueOf(English.T), "", func(path, text string) { english[path] = text })
	latin := regexp.MustCompile(`[A-Za-z]{2,}`)
	for _, l := range []*Locale{Russian, Hindi} {
		texts(reflect.ValueOf(l.T), "", func(path, text string) {
			if latin.MatchString(place.ReplaceAllString(text, "")) && text == english[path] {
				t.Errorf("%s%s is English: %q", l.Tag, path, text)
			}
		})
	}
}

func TestForms(t *testing.T) {
	names := map[plural.Form]form{plural.One: one, plural.Few: few, plural.Many: many, plural.Other: many}
	for n := range 2500 {
		for _, l := range All {
			want := names[plural.Cardinal.MatchPlural(language.MustParse(l.Tag), n, 0, 0, 0, 0)]
			if got := l.form(n); got != want {
				t.Errorf("%s: form %d for %d, CLDR says %d", l.Tag, got, n, want)
			}
		}
	}
}

func TestPhrase(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Phrase("{a} of {b}, {a}").With("b", "{a}", "a", "1"), "1 of {a}, 1"},
		{Phrase("none").With("a", "1"), "none"},
		{Phrase("").With(), ""},
		{Russian.Count(1, Russian.T.Common.Homes), "1 квартира"},
		{Russian.Count(22, Russian.T.Common.Homes), "22 квартиры"},
		{Russian.Count(1011, Russian.T.Common.Homes), "1\u00a0011 квартир"},
		{English.Count(0, English.T.Common.Homes), "0 homes"},
		{English.Count(1234, English.T.Common.Homes), "1,234 homes"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func TestFormats(t *testing.T) {
	now := time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	for _, test := range []struct {
		what       string
		write      func(l *Locale) string
		en, ru, hi string // with _ for a no-break space
	}{
		{"0", func(l *Locale) string { return l.Number(0) }, "0", "0", "0"},
		{"999", func(l *Locale) string { return l.Number(999) }, "999", "999", "999"},
		{"1000", func(l *Locale) string { return l.Number(1000) }, "1,000", "1_000", "1,000"},
		{"100000", func(l *Locale) string { return l.Number(100000) }, "100,000", "100_000", "1,00,000"},
		{"1234567", func(l *Locale) string { return l.Number(1234567) }, "1,234,567", "1_234_567", "12,34,567"},
		{"12345678", func(l *Locale) string { return l.Number(12345678) }, "12,345,678", "12_345_678", "1,23,45,678"},
		{"-1234", func(l *Locale) string { return l.Number(-1234) }, "−1,234", "−1_234", "−1,234"},
		{"54.5", func(l *Locale) string { return l.Decimal(54.5) }, "54.5", "54,5", "54.5"},
		{"54", func(l *Locale) string { return l.Decimal(54) }, "54", "54", "54"},
		{"50", func(l *Locale) string { return l.Decimal(50) }, "50", "50", "50"},
		{"0.04", func(l *Locale) string { return l.Decimal(0.04) }, "0", "0", "0"},
		{"roubles", func(l *Locale) string { return l.Money(12_500_000, "RUB") }, "₽12,500,000", "12_500_000_₽", "₽1,25,00,000"},
		{"rupees", func(l *Locale) string { return l.Money(12_500_000, "INR") }, "₹12,500,000", "12_500_000_₹", "₹1,25,00,000"},
		{"euros", func(l *Locale) string { return l.Money(1000, "EUR") }, "EUR_1,000", "1_000_EUR", "EUR_1,000"},
		{"per m²", func(l *Locale) string { return l.PerM2(250_000, "RUB") }, "₽250,000/m²", "250_000_₽/м²", "₽2,50,000/मी²"},
		{"short 0", func(l *Locale) string { return l.ShortMoney(0, "RUB") }, "₽0", "0_₽", "₽0"},
		{"short 1500", func(l *Locale) string { return l.ShortMoney(1500, "RUB") }, "₽1.5K", "1,5_тыс._₽", "₽1.5_हज़ार"},
		{"short 20 lakh", func(l *Locale) string { return l.ShortMoney(2_000_000, "INR") }, "₹2M", "2_млн_₹", "₹20_लाख"},
		{"short 5.75 crore", func(l *Locale) string { return l.ShortMoney(57_500_000, "RUB") }, "₽57.5M", "57,5_млн_₽", "₽5.75_करोड़"},
		{"short 200 crore", func(l *Locale) string { return l.ShortMoney(2_000_000_000, "INR") }, "₹2B", "2_млрд_₹", "₹200_करोड़"},
		{"down", func(l *Locale) string { return l.Change(3, 2) }, "−33.3%", "−33,3_%", "−33.3%"},
		{"up", func(l *Locale) string { return l.Change(100, 112) }, "+12%", "+12_%", "+12%"},
		{"unchanged", func(l *Locale) string { return l.Change(100, 100) }, "+0%", "+0_%", "+0%"},
		{"date", func(l *Locale) string { return l.Date(now) }, "2_Dec_2026", "2_дек._2026", "2_दिस॰_2026"},
		{"today", func(l *Locale) string { return l.Listed(now.Add(time.Hour), now) }, "Listed today", "Размещено сегодня", "आज जोड़ा गया"},
		{"yesterday", func(l *Locale) string { return l.Listed(day(1), now) }, "Listed yesterday", "Размещено вчера", "कल जोड़ा गया"},
		{"3 days", func(l *Locale) string { return l.Listed(day(3), now) }, "Listed 3 days ago", "Размещено 3 дня назад", "3 दिन पहले जोड़ा गया"},
		{"21 days", func(l *Locale) string { return l.Listed(day(21), now) }, "Listed 21 days ago", "Размещено 21 день назад", "21 दिन पहले जोड़ा गया"},
		{"30 days", func(l *Locale) string { return l.Listed(day(30), now) }, "Listed on 2_Nov_2026", "Размещено 2_нояб._2026", "2_नव॰_2026 को जोड़ा गया"},
	} {
		for i, want := range []string{test.en, test.ru, test.hi} {
			if got := strings.ReplaceAll(test.write(All[i]), nbsp, "_"); got != want {
				t.Errorf("%s in %s: %q, want %q", test.what, All[i].Tag, got, want)
			}
		}
	}
}

func TestOfPath(t *testing.T) {
	for path, want := range map[string]string{
		"/": "en /", "/moscow": "en /moscow", "/ru": "ru ", "/ru/": "ru /", "/ru/moscow": "ru /moscow", "/hi/ru/x": "hi /ru/x",
		"/rule": "en /rule", "/RU/moscow": "en /RU/moscow", "": "en ", "//ru/": "en //ru/",
	} {
		if l, rest := OfPath(path); l.Tag+" "+rest != want {
			t.Errorf("%q is %s %q, want %q", path, l.Tag, rest, want)
		}
	}
}

func TestAccepted(t *testing.T) {
	for header, want := range map[string]string{
		"": "en", "*": "en", "ru": "ru", "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7": "ru", "hi-IN": "hi", "en-GB,ru;q=0.5": "en",
		"de,ru;q=0.8,en;q=0.5": "ru", "de,fr": "en", "ru;q=0,hi;q=0.1": "hi", "en;q=0.1,hi;q=0.2": "hi", "uk": "en", "hi-Latn": "en",
		"RU-ru": "ru", "\x00,,;q=": "en", "xx-invalid-tag-that-is-very-long": "en", strings.Repeat("a-", 3000): "en",
	} {
		if got := Accepted(header); got.Tag != want {
			t.Errorf("Accepted(%.60q) = %s, want %s", header, got.Tag, want)
		}
	}
}

func TestByTag(t *testing.T) {
	for _, l := range All {
		if ByTag(l.Tag) != l || Accepted(l.Tag) != l {
			t.Errorf("%s is not found by its tag", l.Tag)
		}
	}
	if l := ByTag("de"); l != nil {
		t.Errorf("German is %s", l.Tag)
	}
}
