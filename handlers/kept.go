// Kept pages: a page is rendered again only when it would come out different.
//
// The cache keeps what a page is made of, and this what is made of it. Each request still looks its data up, so that
// every rule of the cache holds; when all of it comes from the same entries as last time, the page is the same too. So a
// herd that has waited for one query does not render two hundred times.

package handlers

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"net/http"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"podbor/models"
)

const (
	keptFor   = time.Second // what a page says of the present ("listed today", "data is old") may be late by so much
	keptBytes = 32 << 20    // of all kept pages
)

// A keptPage is a rendered page.
type keptPage struct {
	origin string // of its data
	made   time.Time
	tag    string
	body   []byte
	zipped func() []byte // compressed when the first visitor wants it
}

// keptPages holds the pages that were asked for last.
type keptPages struct {
	pages   *otter.Cache[string, *keptPage]
	renders singleflight.Group
}

func newKeptPages() *keptPages {
	return &keptPages{pages: otter.Must(&otter.Options[string, *keptPage]{
		MaximumWeight: keptBytes,
		// The compressed form is about a tenth.
		Weigher: func(key string, p *keptPage) uint32 { return uint32(len(key) + len(p.body)*11/10) },
	})}
}

// get returns the page at a URL, whose data was looked up in ctx.
func (k *keptPages) get(c echo.Context, url string, view func() templ.Component) (*keptPage, error) {
	ctx := c.Request().Context()
	origin := originOf(models.Lookups(ctx))
	if p, ok := k.pages.GetIfPresent(url); ok && p.origin == origin && time.Since(p.made) < keptFor {
		return p, nil
	}
	made, err, _ := k.renders.Do(url+"\n"+origin, func() (any, error) {
		var b bytes.Buffer
		// Others get this page too: a visitor who leaves must not end it.
		if err := renderInto(context.WithoutCancel(ctx), &b, view()); err != nil {
			return nil, err
		}
		p := &keptPage{origin: origin, made: time.Now(), tag: tagOf(b.Bytes()), body: b.Bytes(), zipped: sync.OnceValue(func() []byte { return zip(b.Bytes()) })}
		k.pages.Set(url, p)
		return p, nil
	})
	if err != nil {
		return nil, err
	}
	return made.(*keptPage), nil
}

// originOf names the entries that lookups were answered from, by when their loads began.
func originOf(lookups []models.Lookup) string {
	b := make([]byte, 0, 128)
	for _, l := range lookups {
		b = append(b, l.Prefix...)
		b = binary.BigEndian.AppendUint64(b, uint64(l.Start.UnixNano()))
	}
	return string(b)
}

func zip(body []byte) []byte {
	var b bytes.Buffer
	zipper := gzip.NewWriter(&b)
	_, _ = zipper.Write(body) // a Buffer takes everything
	_ = zipper.Close()
	return b.Bytes()
}

// renderKept sends a page that is the same for everyone and is made of what was looked up for this request. Its URL must be
// canonical, or junk in it would fill the memory.
func (s *site) renderKept(c echo.Context, url, sharing string, view func() templ.Component) error {
	p, err := s.kept.get(c, url, view)
	if err != nil {
		return err
	}
	if unchanged(c, sharing, p.tag) {
		return c.NoContent(http.StatusNotModified)
	}
	var zipped []byte
	if acceptsGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)) {
		zipped = p.zipped()
	}
	return s.bodies.sendZipped(c, http.StatusOK, htmlType, p.body, zipped)
}
