// A real browser on the site under test: Chromium without a window, its tabs, and what it complained about.

package handlers_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The widths that the site is held to: a common phone, and a laptop.
const (
	phone  = 390
	laptop = 1440
)

// chromium starts a browser, which ends with the test.
func chromium(t testing.TB) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.NoSandbox, // CI is root in a container
		chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Error(err)
		}
		cancel()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return ctx
}

// tab is one tab of a browser, with cookies of its own.
type tab struct {
	site   *testSite
	ctx    context.Context
	mu     sync.Mutex // protects faults
	faults []string
}

func (s *testSite) tab(t testing.TB, browser context.Context, width int64) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	ctx, stop := context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(func() { stop(); cancel() })
	b := &tab{site: s, ctx: ctx}
	must(t, chromedp.Listen(ctx, b.listen))
	b.look(t, width, "light")
	return b
}

// listen keeps what the browser writes to its console as an error: broken scripts, missing files, whatever the
// Content-Security-Policy stopped.
func (b *tab) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Source == log.EntrySourceSecurity {
			fault = e.Entry.Text + " " + e.Entry.URL
		}
	case *runtime.EventExceptionThrown:
		fault = e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			fault += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			fault = "console.error"
		}
	}
	if fault != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fault)
	}
}

// takeFaults returns the complaints since the last call, without that about a page whose own status is an error.
func (b *tab) takeFaults(path string) (kept []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		if !strings.HasPrefix(fault, "Failed to load resource") || !strings.HasSuffix(fault, " "+b.site.url+path) {
			kept = append(kept, fault)
		}
	}
	b.faults = nil
	return kept
}

// look sets the width and the theme. Nothing moves: a colour on its way to another would be measured.
func (b *tab) look(t testing.TB, width int64, theme string) {
	t.Helper()
	must(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900), func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme},
			{Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return chromedp.Void{}, err
	}))
}

func (b *tab) disableScript(t testing.TB) {
	t.Helper()
	must(t, chromedp.Do(b.ctx, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return chromedp.Void{}, err
	}))
}

func (b *tab) open(t testing.TB, path string) {
	t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(b.site.url+path)); err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
}

// click clicks like a hand does, where the element is on the screen.
func (b *tab) click(t testing.TB, selector string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		t.Fatalf("click %s on %s: %v", selector, ask[string](t, b, "location.href"), err)
	}
}

// follow clicks on what leads to another page, and waits for that.
func (b *tab) follow(t testing.TB, selector string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		t.Fatalf("follow %s on %s: %v", selector, ask[string](t, b, "location.href"), err)
	}
}

func (b *tab) press(t testing.TB, keys string) {
	t.Helper()
	must(t, chromedp.Do(b.ctx, chromedp.KeyEvent(keys)))
}

// wait waits until an expression is true in the page.
func (b *tab) wait(t testing.TB, expression string) {
	t.Helper()
	eventually(t, expression, func() bool { return ask[bool](t, b, expression) })
}

// ask evaluates an expression in the page, as the developer tools do: with script disabled too.
func ask[T any](t testing.TB, b *tab, expression string) T {
	t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.300s: %v", expression, err)
	}
	return value
}
