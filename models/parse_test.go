// Every parameter of a listing, in every way it can be wrong.

package models

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var testCity = City{ID: 1, Slug: "moscow", Name: Names{EN: "Moscow"}, Districts: []District{
	{ID: 1, Slug: "arbat"}, {ID: 2, Slug: "sokol"}, {ID: 3, Slug: "mar-ino"},
}}

func ExampleParseFilter() {
	q, _ := url.ParseQuery("rooms=3&district=Sokol&rooms=2&district=arbat&rooms=2&price_max=90&price_min=100&utm_source=x&page=1")
	f, err := ParseFilter(q, testCity)
	fmt.Println(f.Encode(), err)
	// Output: district=arbat&district=sokol&rooms=2&rooms=3&price_min=90&price_max=100 <nil>
}

// Each query either becomes the canonical one on its right or is refused.
func TestParseFilter(t *testing.T) {
	const refused = "refused"
	long := strings.Repeat("9", 400)
	tests := []struct{ query, want string }{
		{"", ""},
		{"utm_source=mail&Rooms=2&colour=red", ""},

		{"district=", ""},
		{"district=arbat", "district=arbat"},
		{"district=ARBAT&district=arbat&district=", "district=arbat"},
		{"district=sokol&district=arbat", "district=arbat&district=sokol"},
		{"district=nowhere", refused},
		{"district=arbat,sokol", refused},
		{"district=%D0%90%D1%80%D0%B1%D0%B0%D1%82", refused},
		{"district=arbat%00", refused},
		{"district=%ff%fe", refused},
		{"district=" + long, refused},

		{"rooms=", ""},
		{"rooms=0", "rooms=0"},
		{"rooms=3&rooms=1&rooms=3&rooms=01", "rooms=1&rooms=3"},
		{"rooms=5", "rooms=5"},
		{"rooms=6", refused},
		{"rooms=-1", refused},
		{"rooms=two", refused},
		{"rooms=NaN", refused},
		{"rooms=%D9%A2", refused}, // ARABIC-INDIC DIGIT TWO
		{"rooms=2&rooms=x", refused},
		{"rooms=" + long, refused},

		{"sort=", ""},
		{"sort=newest", ""},
		{"sort=price_asc", "sort=price_asc"},
		{"sort=PPM2", "sort=ppm2"},
		{"sort=price_asc&sort=area_desc", "sort=area_desc"},
		{"sort=price_asc&sort=", "sort=price_asc"},
		{"sort=id;drop+table", refused},
		{"sort=-price", refused},

		{"page=", ""},
		{"page=0", ""},
		{"page=1", ""},
		{"page=007", "page=7"},
		{"page=100", "page=100"},
		{"page=101", "page=100"},
		{"page=" + long, "page=100"},
		{"page=2&page=3", "page=3"},
		{"page=-1", refused},
		{"page=1.5", refused},
		{"page=NaN", refused},
		{"page=%EF%BC%92", refused}, // FULLWIDTH DIGIT TWO

		{"price_min=20&price_max=10", "price_min=10&price_max=20"},
		{"price_min=20&price_max=20", "price_min=20&price_max=20"},
		{"price_min=20&price_max=0", "price_min=20"},
		{"area_min=60&area_max=40", "area_min=40&area_max=60"},
		{"price_min=1000000000001", refused},
		{"area_max=100000", "area_max=100000"},
		{"area_max=100001", refused},
		{"ppm2_max=1000000000001", refused},
		{"floor_min=9&floor_max=2", "floor_min=2&floor_max=9"},
		{"floor_max=201", refused},
		{"metro_max=181", refused},
		{"metro_min=5", ""},
		{"year_min=2000&year_max=1950", "year_min=1950&year_max=2000"},
		{"year_max=2101", refused},

		{"amenities=", ""},
		{"amenities=lift", "amenities=lift"},
		{"amenities=Lift&amenities=balcony&amenities=lift", "amenities=balcony&amenities=lift"},
		{"amenities=lift,balcony", refused},
		{"amenities=helipad", refused},
		{"amenities=lift&amenities=1", refused},
		{"amenities=" + long, refused},

		{"amenities=pets&year_max=2020&year_min=1960&metro_max=10&floor_max=9&floor_min=2&ppm2_max=400000&area_min=30",
			"ppm2_max=400000&area_min=30&floor_min=2&floor_max=9&metro_max=10&year_min=1960&year_max=2020&amenities=pets"},
		{"page=3&sort=ppm2&area_max=90&area_min=30&price_max=9&price_min=1&rooms=1&district=sokol",
			"district=sokol&rooms=1&price_min=1&price_max=9&area_min=30&area_max=90&sort=ppm2&page=3"},
	}
	for _, field := range []string{"price_min", "price_max", "area_min", "area_max",
		"ppm2_max", "floor_min", "floor_max", "metro_max", "year_min", "year_max"} {
		for value, want := range map[string]string{
			"": "", "0": "", "000": "", "1": "=1", "00042": "=42",
			"-1": refused, "%2B5": refused, "+5": refused, "5+": refused, "5+000": refused, "1.5": refused, "1e5": refused,
			"0x10": refused, "1_000": refused, "1%2C000": refused, "ten": refused, "NaN": refused, "Inf": refused, "%D9%A5": refused, "%00": refused,
			long: refused,
		} {
			if strings.HasPrefix(want, "=") {
				want = field + want
			}
			tests = append(tests, struct{ query, want string }{field + "=" + value, want})
		}
		tests = append(tests, struct{ query, want string }{field + "=x&" + field + "=7&" + field + "=", field + "=7"})
	}

	for _, tt := range tests {
		q, err := url.ParseQuery(tt.query)
		if err != nil && !strings.Contains(err.Error(), "semicolon") {
			t.Fatal(err)
		} else if err != nil { // net/http drops such a pair; here the value alone is of interest
			q = url.Values{"sort": {strings.TrimPrefix(tt.query, "sort=")}}
		}
		f, err := ParseFilter(q, testCity)
		got := f.Encode()
		if err != nil {
			got = refused
			if input, ok := errors.AsType[*InputError](err); !ok || input.Fault == "" || q[input.Field] == nil {
				t.Errorf("ParseFilter(%q): error %v does not say which field and why", tt.query, err)
			}
		}
		if got != tt.want {
			t.Errorf("ParseFilter(%q) = %q (%v), want %q", tt.query, got, err, tt.want)
		}
	}
}

func TestFacetsIDIgnoresOrderAndPage(t *testing.T) {
	f := Filter{Districts: []string{"arbat"}, Rooms: []int{2}, Sort: PerM2Ascending, Page: 4}
	if got, want := f.FacetsID(), "district=arbat&rooms=2"; got != want {
		t.Errorf("FacetsID = %q, want %q", got, want)
	}
	if got, want := f.ListID(), "district=arbat&rooms=2&sort=ppm2&page=4"; got != want {
		t.Errorf("ListID = %q, want %q", got, want)
	}
}

// Whatever arrives, what is accepted is already canonical, can be a cache key, and does not depend on how it
// was written.
func FuzzParseFilter(f *testing.F) {
	f.Add("district=arbat&rooms=2&rooms=1&price_min=9&price_max=1&sort=ppm2&page=3", uint64(1))
	f.Add("area_min=007&area_max=&district=SOKOL&district=sokol&page=999", uint64(2))
	f.Add("amenities=pets&amenities=Balcony&amenities=pets&metro_max=10&year_min=2020&year_max=1990&floor_min=2&ppm2_max=9", uint64(4))
	f.Add("rooms=%D9%A2&price_min=1e5", uint64(3))
	alphabet := regexp.MustCompile(`^[a-z0-9&=_,.-]*$`)

	f.Fuzz(func(t *testing.T, raw string, seed uint64) {
		q, _ := url.ParseQuery(raw) // as net/http: what can be read is used
		filter, err := ParseFilter(q, testCity)
		if err != nil {
			if _, ok := errors.AsType[*InputError](err); !ok {
				t.Fatalf("ParseFilter(%q): %v is not an InputError", raw, err)
			}
			return
		}
		id := filter.ListID()
		if !alphabet.MatchString(id) || !alphabet.MatchString(filter.FacetsID()) {
			t.Fatalf("ParseFilter(%q) has id %q", raw, id)
		}
		again, err := url.ParseQuery(filter.Encode())
		if err != nil {
			t.Fatalf("Encode gives %q: %v", filter.Encode(), err)
		}
		if f2, err := ParseFilter(again, testCity); err != nil || f2.ListID() != id {
			t.Fatalf("ParseFilter(%q) = %q, parsed again %q (%v)", raw, id, f2.ListID(), err)
		}
		if f3, err := ParseFilter(scramble(q, seed), testCity); err != nil || f3.ListID() != id {
			t.Fatalf("ParseFilter(%q) = %q, scrambled %q (%v)", raw, id, f3.ListID(), err)
		}
	})
}

// scramble writes the same wish differently: repeatable values shuffled, doubled, in the other case.
func scramble(q url.Values, seed uint64) url.Values {
	rnd := rand.New(rand.NewPCG(seed, 0))
	out := url.Values{"utm_source": {"mail"}}
	for name, values := range q {
		out[name] = slices.Clone(values)
	}
	for _, name := range []string{"district", "rooms", "amenities"} {
		for _, v := range q[name] {
			out[name] = append(out[name], strings.ToUpper(v))
		}
		rnd.Shuffle(len(out[name]), func(i, j int) { out[name][i], out[name][j] = out[name][j], out[name][i] })
	}
	return out
}
