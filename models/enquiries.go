// Enquiries: what visitors ask about a home.

package models

import (
	"context"
	"time"
)

// An Enquiry is a question about an apartment.
type Enquiry struct {
	ID          int64
	ApartmentID int64
	Name        string
	Contact     string // an e-mail address or a telephone number
	Message     string
	CreatedAt   time.Time
}

// AddEnquiry stores an enquiry that was sent with the form of the given key; once, however often that is sent.
func (s *Store) AddEnquiry(ctx context.Context, form string, e Enquiry) error {
	var ids []int64
	return s.query(ctx, &ids, "add-enquiry", `
		INSERT INTO enquiries (form, apartment_id, name, contact, message)
		VALUES (@form, @apartment, @name, @contact, @message) ON CONFLICT (form) DO NOTHING RETURNING id`,
		map[string]any{"form": form, "apartment": e.ApartmentID, "name": e.Name, "contact": e.Contact, "message": e.Message})
}

// Enquiries returns a page of enquiries, newest first, and whether there are more.
func (s *Store) Enquiries(ctx context.Context, page int) (rows []Enquiry, more bool, err error) {
	err = s.query(ctx, &rows, "enquiries", `
		SELECT id, apartment_id, name, contact, message, created_at FROM enquiries
		ORDER BY id DESC LIMIT @limit OFFSET @offset`,
		map[string]any{"limit": DeskSize + 1, "offset": DeskSize * (max(page, 1) - 1)})
	if more = len(rows) > DeskSize; more {
		rows = rows[:DeskSize]
	}
	return rows, more, err
}
