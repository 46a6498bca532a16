// What editors see: every apartment as it is stored, past the cache, and who has changed it.

package models

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// DeskSize is how many rows a page of the editors' lists has.
const DeskSize = 25

// A DeskSearch is what editors look for; zero values mean any.
type DeskSearch struct {
	Text   string // an id; or else part of a title or an address
	City   int16
	Status Status
	Page   int // from 1
}

// A DeskRow is an apartment in the editors' list.
type DeskRow struct {
	Card
	Status Status
}

// Desk returns a page of apartments, newest ids first, and whether there are more. A text that is rare takes a second
// among 500,000: no index has parts of titles, and few people ask.
func (s *Store) Desk(ctx context.Context, d DeskSearch) (rows []DeskRow, more bool, err error) {
	id, _ := strconv.ParseInt(d.Text, 10, 64) // 0 unless it is one
	err = s.query(ctx, &rows, "desk", `
		SELECT `+cardColumns+`, a.status
		FROM apartments a JOIN buildings b ON b.id = a.building_id
		WHERE (CAST(@id AS bigint) = 0 OR a.id = @id)
		  AND (CAST(@id AS bigint) <> 0 OR @text = '' OR strpos(lower(a.title), lower(@text)) > 0 OR a.building_id IN (
		       SELECT id FROM buildings WHERE strpos(lower(street || ', ' || house), lower(@text)) > 0))
		  AND (CAST(@city AS int) = 0 OR a.city_id = @city)
		  AND (@status = '' OR a.status = @status)
		ORDER BY a.id DESC LIMIT @limit OFFSET @offset`,
		map[string]any{
			"text": d.Text, "id": id, "city": d.City, "status": string(d.Status),
			"limit": DeskSize + 1, "offset": DeskSize * (max(d.Page, 1) - 1),
		})
	if more = len(rows) > DeskSize; more {
		rows = rows[:DeskSize]
	}
	return rows, more, err
}

// A Building is where an apartment can be.
type Building struct {
	ID     int32
	Floors int16
}

// FindBuilding returns the building at an address, or ErrNotFound. Capitals do not matter.
func (s *Store) FindBuilding(ctx context.Context, district int16, street, house string) (Building, error) {
	var rows []Building
	err := s.query(ctx, &rows, "building", `
		SELECT id, floors FROM buildings
		WHERE district_id = @district AND lower(street) = lower(@street) AND lower(house) = lower(@house)
		ORDER BY id LIMIT 1`,
		map[string]any{"district": district, "street": street, "house": house})
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("building: %w", ErrNotFound)
	}
	if err != nil {
		return Building{}, err
	}
	return rows[0], nil
}

// Addresses returns a few addresses in a district: of the street if it has any, else of all.
func (s *Store) Addresses(ctx context.Context, district int16, street string) (addresses []string, err error) {
	err = s.query(ctx, &addresses, "addresses", `
		SELECT street || ', ' || house FROM buildings WHERE district_id = @district
		ORDER BY lower(street) = lower(@street) DESC, street, house LIMIT 6`,
		map[string]any{"district": district, "street": street})
	return addresses, err
}

// A LogEntry is one edit. Before and After have what it changed, by the names of Draft's fields.
type LogEntry struct {
	ID            int64
	At            time.Time
	Editor        string
	ApartmentID   int64
	Before, After map[string]any `gorm:"-"`
}

// EditLog returns a page of edits, newest first, of one apartment or, with 0, of all, and whether there are more.
func (s *Store) EditLog(ctx context.Context, apartment int64, page int) (entries []LogEntry, more bool, err error) {
	var rows []struct {
		LogEntry
		BeforeJSON, AfterJSON []byte
	}
	err = s.query(ctx, &rows, "edit-log", `
		SELECT id, at, editor, apartment_id, coalesce(before, '{}') AS before_json, after AS after_json
		FROM edit_log WHERE (CAST(@apartment AS bigint) = 0 OR apartment_id = @apartment)
		ORDER BY id DESC LIMIT @limit OFFSET @offset`,
		map[string]any{"apartment": apartment, "limit": DeskSize + 1, "offset": DeskSize * (max(page, 1) - 1)})
	if more = len(rows) > DeskSize; more {
		rows = rows[:DeskSize]
	}
	for _, row := range rows {
		if err := json.Unmarshal(row.BeforeJSON, &row.Before); err != nil {
			return nil, false, err
		}
		if err := json.Unmarshal(row.AfterJSON, &row.After); err != nil {
			return nil, false, err
		}
		entries = append(entries, row.LogEntry)
	}
	return entries, more, err
}

// log writes down who changed what. Before is nil for a new apartment.
func (t *transaction) log(ctx context.Context, editor string, id int64, before *Draft, after Draft) error {
	was, is, err := changes(before, after)
	if err != nil {
		return err
	}
	var ids []int64
	return t.query(ctx, &ids, "", `
		INSERT INTO edit_log (editor, apartment_id, before, after)
		VALUES (@editor, @id, CAST(@before AS jsonb), CAST(@after AS jsonb)) RETURNING id`,
		map[string]any{"editor": editor, "id": id, "before": was, "after": is})
}

// changes returns the fields that differ, as JSON objects; was is nil if before is.
func changes(before *Draft, after Draft) (was, is *string, err error) {
	is, err = object(after, before)
	if before == nil || err != nil {
		return nil, is, err
	}
	was, err = object(*before, &after)
	return was, is, err
}

// object writes the fields of d that differ from other's; all, if that is nil.
func object(d Draft, other *Draft) (*string, error) {
	var fields, others map[string]json.RawMessage
	for _, x := range []struct {
		draft *Draft
		into  *map[string]json.RawMessage
	}{{&d, &fields}, {other, &others}} {
		data, err := json.Marshal(x.draft)
		if err == nil {
			err = json.Unmarshal(data, x.into)
		}
		if err != nil {
			return nil, err
		}
	}
	for name, value := range others {
		if string(fields[name]) == string(value) {
			delete(fields, name)
		}
	}
	data, err := json.Marshal(fields)
	text := string(data)
	return &text, err
}
