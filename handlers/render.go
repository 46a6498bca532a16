// Rendering and sending: a page is complete before its first byte is sent.

package handlers

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"podbor/internal/servertiming"
)

// render sends a page for one visitor, or an error page. A template that fails becomes an error page, not half a page.
func (s *site) render(c echo.Context, status int, page templ.Component) error {
	b := s.bodies.buffer()
	defer s.bodies.release(b)
	if err := renderInto(c.Request().Context(), b, page); err != nil {
		return err
	}
	header := c.Response().Header()
	if header.Get(echo.HeaderCacheControl) == "" {
		header.Set(echo.HeaderCacheControl, "private, no-cache")
	}
	return s.bodies.send(c, status, htmlType, b.Bytes())
}

const htmlType = "text/html; charset=utf-8"

func renderInto(ctx context.Context, b *bytes.Buffer, page templ.Component) error {
	start := time.Now()
	if err := page.Render(ctx, b); err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	servertiming.Add(ctx, "render", time.Since(start))
	return nil
}

// bodies sends complete bodies, compressed where the client and the size make that worth it. Knowing the whole body, it
// needs no wrapper round the response (which is what a compressing middleware is) and always states the length.
// The zero value is ready to use.
type bodies struct {
	buffers sync.Pool // of *bytes.Buffer
	zippers sync.Pool // of *gzip.Writer
}

const (
	minGzip   = 1024    // shorter bodies fit into one packet anyway
	maxPooled = 1 << 20 // a buffer that grew beyond this is left to the garbage collector
)

func (p *bodies) send(c echo.Context, status int, contentType string, body []byte) error {
	if len(body) < minGzip || !acceptsGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)) {
		return p.sendZipped(c, status, contentType, body, nil)
	}
	start := time.Now()
	b := p.buffer()
	defer p.release(b)
	zipper, ok := p.zippers.Get().(*gzip.Writer)
	if !ok {
		// The fastest level costs a third of the default one and makes pages a fifth larger.
		zipper, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	}
	defer p.zippers.Put(zipper)
	zipper.Reset(b)
	if _, err := zipper.Write(body); err != nil {
		return fmt.Errorf("compress page: %w", err)
	}
	if err := zipper.Close(); err != nil {
		return fmt.Errorf("compress page: %w", err)
	}
	servertiming.Add(c.Request().Context(), "gzip", time.Since(start))
	return p.sendZipped(c, status, contentType, body, b.Bytes())
}

// sendZipped sends body, or zipped, its compressed form, to a client that accepts it. Zipped may be nil.
func (p *bodies) sendZipped(c echo.Context, status int, contentType string, body, zipped []byte) error {
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if zipped != nil && acceptsGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)) {
		header.Set(echo.HeaderContentEncoding, "gzip")
		body = zipped
	}
	header.Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	c.Response().WriteHeader(status)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	_, err := c.Response().Write(body)
	return err
}

func (p *bodies) buffer() *bytes.Buffer {
	if b, ok := p.buffers.Get().(*bytes.Buffer); ok {
		return b
	}
	return &bytes.Buffer{}
}

func (p *bodies) release(b *bytes.Buffer) {
	if b.Cap() > maxPooled {
		return
	}
	b.Reset()
	p.buffers.Put(b)
}

// acceptsGzip reads an Accept-Encoding header; "gzip;q=0" is a refusal.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		q, weighted := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
		return !weighted || strings.Trim(q, "0.") != ""
	}
	return false
}
