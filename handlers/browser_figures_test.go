// How large the pages are and how quickly they show, and pictures of them to be looked at.

package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/chromedp/chromedp"
)

// Bytes as sent, compressed: of a page, and of all styles and scripts of the site.
const mostBytes = 30_000

// painted is when the largest part of the page was painted, in milliseconds, and how much moved after it had been.
const painted = `new Promise(done => {
	let moved = 0;
	const moves = new PerformanceObserver(list => { for (const e of list.getEntries()) moved += e.value });
	moves.observe({ type: "layout-shift", buffered: true });
	new PerformanceObserver(list => {
		const last = list.getEntries().at(-1).startTime;
		requestAnimationFrame(() => requestAnimationFrame(() => {
			for (const e of moves.takeRecords()) moved += e.value;
			done([last, moved]);
		}));
	}).observe({ type: "largest-contentful-paint", buffered: true });
})`

func TestPagesAreSmallAndQuick(t *testing.T) {
	s := newSite(t)
	browser := chromium(t)
	home := s.path(t, "/apartments/", `SELECT min(id) FROM apartments WHERE status = 'published'`)
	pages := map[string]string{
		"home": "/", "listing": "/moscow", "apartment": home, "districts": "/moscow/districts",
		"favourites": "/favourites", "compare": "/compare?ids=1,2,3", "russian": "/ru/moscow", "hindi": "/hi" + home,
	}
	sent := func(path string) int {
		a := s.get(t, path, "Accept-Encoding", "gzip")
		wantStatus(t, a, http.StatusOK)
		return len(a.body)
	}
	files := map[string]bool{}
	for name, path := range pages {
		bytes := sent(path)
		t.Logf("%s: %d bytes of HTML, compressed", name, bytes)
		if bytes > mostBytes {
			t.Errorf("%s has %d bytes, want at most %d", path, bytes, mostBytes)
		}
		s.page(t, path).Find("link[rel=stylesheet], script[src]").Each(func(_ int, e *goquery.Selection) {
			files[e.AttrOr("href", e.AttrOr("src", ""))] = true
		})
	}
	total := 0
	for file := range files {
		total += sent(file)
	}
	t.Logf("%d bytes of styles and scripts in %d files, compressed", total, len(files))
	if len(files) < 4 || total > mostBytes {
		t.Errorf("%d files of styles and scripts have %d bytes, want at most %d", len(files), total, mostBytes)
	}

	for name, path := range pages {
		b := s.tab(t, browser, laptop)
		for _, width := range []int64{phone, laptop} {
			b.look(t, width, "light")
			b.open(t, path)
			figures := ask[[]float64](t, b, painted)
			t.Logf("%s, %d px: largest paint after %.0f ms, layout shift %.3f", name, width, figures[0], figures[1])
			// Alone it takes a tenth of that; other tests run beside this one.
			if figures[0] > 5000 || figures[1] != 0 {
				t.Errorf("%s, %d px: largest paint after %.0f ms, layout shift %.3f; want 5 s at most, and 0", path, width, figures[0], figures[1])
			}
		}
	}
	if dir := os.Getenv("SCREENSHOTS"); dir != "" {
		s.photograph(t, browser, dir, pages)
	}
}

// photograph keeps pictures of pages, in both themes and three widths.
func (s *testSite) photograph(t *testing.T, browser context.Context, dir string, pages map[string]string) {
	must(t, os.MkdirAll(dir, 0o755))
	b := s.tab(t, browser, laptop)
	for name, path := range pages {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{phone, 768, laptop} {
				b.look(t, width, theme)
				b.open(t, path)
				picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
				must(t, err)
				must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, width, theme)), picture, 0o644))
			}
		}
	}
}
