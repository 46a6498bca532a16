// Edits: one apartment, in one transaction. Which cached copies it makes old, the database itself writes down.

package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// ErrConflict says that somebody else has edited the apartment since it was read.
var ErrConflict = errors.New("edited by somebody else meanwhile")

// A Draft is what an editor sets of an apartment. City, district, year and metro follow from the building.
type Draft struct {
	BuildingID  int32
	Title       string
	Description string
	Rooms       int16
	Floor       int16
	Area        float64 // m², one decimal
	Price       int64
	Amenities   []string // slugs out of AllAmenities
	Status      Status
}

// Draft returns what an editor can change of d.
func (d Detail) Draft() Draft {
	return Draft{
		BuildingID: d.BuildingID, Title: d.Title, Description: d.Description, Rooms: d.Rooms, Floor: d.Floor, Area: d.Area,
		Price: d.Price, Amenities: slices.Clone(d.Amenities), Status: d.Status,
	}
}

// An Edit is what a committed edit made old, and when it read what it returned.
type Edit struct {
	rows  []outboxRow
	since string // the oldest transaction that may have been under way
}

// UpdateApartment changes an apartment that is still at version. A new price moves the old one to OldPrice and into the
// history. change is called with the row locked: it must not wait. A change that changes nothing is no edit. Editor is who
// the log names.
//
// Errors: ErrNotFound, ErrConflict, or the database's refusal of impossible values.
func (s *Store) UpdateApartment(ctx context.Context, editor string, id int64, version int32, change func(*Draft)) (Detail, Edit, error) {
	var detail Detail
	var edit Edit
	err := s.transact(ctx, func(tx *transaction) error {
		var versions []int32
		if err := tx.query(ctx, &versions, "", `SELECT version FROM apartments WHERE id = @id FOR NO KEY UPDATE`,
			map[string]any{"id": id}); err != nil {
			return err
		}
		old, err := apartment(ctx, tx.query, id)
		switch {
		case err != nil:
			return err
		case old.Version != version:
			return ErrConflict
		}
		draft, unchanged := old.Draft(), old.Draft()
		change(&draft)
		if draft.equal(unchanged) {
			detail = old
			return nil
		}
		if err := tx.write(ctx, id, draft, `
			UPDATE apartments a SET
				city_id = d.city_id, district_id = d.id, building_id = b.id,
				year_built = b.year_built, metro_minutes = b.metro_minutes,
				title = @title, description = @description, rooms = @rooms, floor = @floor, area = @area,
				price = @price, old_price = CASE WHEN price = @price THEN old_price ELSE price END,
				amenities = @amenities, status = @status, version = a.version + 1, updated_at = clock_timestamp()
			FROM buildings b JOIN districts d ON d.id = b.district_id
			WHERE a.id = @id AND b.id = @building
			RETURNING a.id`); err != nil {
			return err
		}
		if err := tx.log(ctx, editor, id, &unchanged, draft); err != nil {
			return err
		}
		if draft.Price != old.Price {
			if err := tx.notePrice(ctx, id); err != nil {
				return err
			}
		}
		detail, edit, err = tx.finish(ctx, id)
		return err
	})
	if err != nil {
		return Detail{}, Edit{}, fmt.Errorf("edit apartment %d: %w", id, err)
	}
	return detail, edit, nil
}

// CreateApartment adds an apartment. The database refuses impossible values.
func (s *Store) CreateApartment(ctx context.Context, editor string, draft Draft) (Detail, Edit, error) {
	var detail Detail
	var edit Edit
	err := s.transact(ctx, func(tx *transaction) error {
		var ids []int64
		if err := tx.query(ctx, &ids, "", `SELECT nextval(pg_get_serial_sequence('apartments', 'id'))`); err != nil {
			return err
		}
		id := ids[0]
		if err := tx.write(ctx, id, draft, `
			INSERT INTO apartments (id, city_id, district_id, building_id, year_built, metro_minutes,
				title, description, rooms, floor, area, price, amenities, status)
			SELECT @id, d.city_id, d.id, b.id, b.year_built, b.metro_minutes,
				@title, @description, @rooms, @floor, @area, @price, @amenities, @status
			FROM buildings b JOIN districts d ON d.id = b.district_id
			WHERE b.id = @building
			RETURNING id`); err != nil {
			return err
		}
		err := tx.log(ctx, editor, id, nil, draft)
		if err == nil {
			err = tx.notePrice(ctx, id)
		}
		if err == nil {
			detail, edit, err = tx.finish(ctx, id)
		}
		return err
	})
	if err != nil {
		return Detail{}, Edit{}, fmt.Errorf("add an apartment: %w", err)
	}
	return detail, edit, nil
}

func (d Draft) equal(e Draft) bool {
	return reflect.DeepEqual(d, e)
}

// A transaction is an edit under way.
type transaction struct {
	store *Store
	tx    *sql.Tx
}

// transact commits what run did, unless it fails.
func (s *Store) transact(ctx context.Context, run func(*transaction) error) error {
	tx, err := s.db.pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("waiting for a database connection: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	if err := run(&transaction{s, tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	return nil
}

// query is Store.query inside the transaction. Whatever is asked there counts as part of an edit.
func (t *transaction) query(ctx context.Context, dest any, _, text string, args ...any) error {
	return t.store.run(ctx, t.tx, dest, "edit", text, args...)
}

// write runs a statement that writes the draft and returns the id, or nothing if there is no such building.
func (t *transaction) write(ctx context.Context, id int64, d Draft, text string) error {
	bits, err := amenityBits(d.Amenities)
	if err != nil {
		return err
	}
	var ids []int64
	err = t.query(ctx, &ids, "", text, map[string]any{
		"id": id, "building": d.BuildingID, "title": d.Title, "description": d.Description, "rooms": d.Rooms, "floor": d.Floor,
		"area": d.Area, "price": d.Price, "amenities": bits, "status": d.Status,
	})
	if err == nil && len(ids) == 0 {
		err = fmt.Errorf("building %d: %w", d.BuildingID, ErrNotFound)
	}
	return err
}

// notePrice adds the present price to the history. The clock, not the beginning of the transaction: an edit that had to
// wait for another comes after it.
func (t *transaction) notePrice(ctx context.Context, id int64) error {
	var ids []int64
	return t.query(ctx, &ids, "", `
		INSERT INTO price_history (apartment_id, at, price)
		SELECT id, clock_timestamp(), price FROM apartments WHERE id = @id RETURNING apartment_id`, map[string]any{"id": id})
}

// finish reads the apartment as it will be, and what the edit makes old.
func (t *transaction) finish(ctx context.Context, id int64) (Detail, Edit, error) {
	var since []string
	if err := t.query(ctx, &since, "", `SELECT CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text)`); err != nil {
		return Detail{}, Edit{}, err
	}
	detail, err := apartment(ctx, t.query, id)
	if err != nil {
		return Detail{}, Edit{}, err
	}
	// Now, so that the cities are among the rows; last, because everybody else in them waits from here on.
	if _, err := t.tx.ExecContext(ctx, "/* edit */ SET CONSTRAINTS bump_cities IMMEDIATE"); err != nil {
		return Detail{}, Edit{}, fmt.Errorf("edit: %w", err)
	}
	var rows []struct {
		ID      int64
		Key     string
		Attempt int32
	}
	if err := t.query(ctx, &rows, "", `SELECT id, key, attempt FROM outbox WHERE xact = pg_current_xact_id()`); err != nil {
		return Detail{}, Edit{}, err
	}
	edit := Edit{since: since[0]}
	for _, row := range rows {
		edit.rows = append(edit.rows, outboxRow{row.ID, row.Key, row.Attempt})
	}
	return detail, edit, nil
}
