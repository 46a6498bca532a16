// The colours of the design, held to the contrasts of WCAG 2 AA.

package static_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestContrast(t *testing.T) {
	css, err := os.ReadFile("css/1-tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, found := strings.Cut(string(css), "prefers-color-scheme: dark")
	if !found {
		t.Fatal("no dark theme")
	}
	const text, mark = 4.5, 3 // what is read, and what is only seen: edges of controls, focus
	for theme, css := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]string{}
		for _, token := range regexp.MustCompile(`(--[a-z-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
			colours[token[1]] = token[2]
		}
		for _, rule := range []struct {
			least float64
			front string
			backs string
		}{
			{text, "--ink", "--paper --surface --sunken --accent-soft --warm-soft --bad-soft"},
			{text, "--muted", "--paper --surface --sunken"},
			{text, "--accent", "--paper --surface --sunken"},
			{text, "--accent-strong", "--paper --surface --sunken --accent-soft"},
			{text, "--on-accent", "--accent --accent-strong"},
			{text, "--new", "--surface --paper"},
			{text, "--drop", "--surface --paper"},
			{text, "--good", "--surface --paper"},
			{text, "--bad", "--surface --paper --bad-soft"},
			{mark, "--line-strong", "--paper --surface --sunken"},
			{mark, "--focus", "--paper --surface --sunken"},
		} {
			for back := range strings.FieldsSeq(rule.backs) {
				if colours[rule.front] == "" || colours[back] == "" {
					t.Fatalf("%s: no colour %s or %s", theme, rule.front, back)
				}
				if got := contrast(t, colours[rule.front], colours[back]); got < rule.least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", theme, rule.front, back, got, rule.least)
				}
			}
		}
	}
}

// contrast is the ratio of WCAG 2, from 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	light, dark := luminance(t, a), luminance(t, b)
	return (max(light, dark) + .05) / (min(light, dark) + .05)
}

func luminance(t *testing.T, hex string) float64 {
	sum := 0.0
	for i, weight := range []float64{.2126, .7152, .0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
