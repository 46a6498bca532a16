// The sitemap: every home on offer, in parts of bounded size.

package models

import "context"

// SitemapPart is how many ids one part of the sitemap spans, and so the most homes it can hold.
const SitemapPart = 10_000

// A Sitemap is one part, or the index of all.
type Sitemap struct {
	Parts int            // of the index: how many there are
	Homes []SitemapEntry // of a part
}

// A SitemapEntry is one home on offer.
type SitemapEntry struct {
	ID      int64
	Changed int64 // seconds since 1970
}

// SitemapIndex counts the parts.
func (s *Store) SitemapIndex(ctx context.Context) (Sitemap, error) {
	var newest int
	err := s.query(ctx, &newest, "sitemap", `SELECT coalesce(max(id), 0) FROM apartments`)
	return Sitemap{Parts: (newest + SitemapPart - 1) / SitemapPart}, err
}

// SitemapPart returns the homes of one part; the first is 1. A part is a range of ids, read from the primary key: none is
// slower because others come before it, and a new home moves no other to another part.
func (s *Store) SitemapPart(ctx context.Context, part int) (Sitemap, error) {
	var m Sitemap
	err := s.query(ctx, &m.Homes, "sitemap", `
		SELECT id, extract(epoch FROM updated_at)::bigint AS changed FROM apartments
		WHERE id > @after AND id <= @until AND status = 'published' ORDER BY id`,
		map[string]any{"after": (part - 1) * SitemapPart, "until": part * SitemapPart})
	return m, err
}
