// Edits by whomever show everywhere: on the apartment's page, in the lists and in the counts.

package models_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"podbor/internal/servers/serverstest"
	"podbor/models"
)

// Cases H3 and H11, with psql: the pages of two processes are warm; each edit reaches the detail, the lists and the
// counts of the old and the new city.
func TestAnEditMadeWithPsqlShowsInEveryProcess(t *testing.T) {
	f := startFleet(t, serverstest.Redis(t), 500, 2)
	const id = 1
	from := int16(f.number(t, `SELECT city_id FROM apartments WHERE id = $1`, id))
	to := from%5 + 1
	cheap := func(price int64) models.Filter { return models.Filter{PriceMax: price, Sort: models.Sorts[0], Page: 1} }
	f.exec(t, `UPDATE apartments SET status = 'published', price = 1500, listed_at = now() WHERE id = $1`, id)

	type view struct {
		price            int64
		listedA, listedB bool
		totalA, totalB   int
	}
	see := func(p *process) view {
		a, b := p.listing(t, from, cheap(1000)), p.listing(t, to, cheap(1000))
		return view{p.price(t, id), slices.Contains(a.ids, id), slices.Contains(b.ids, id), a.total, b.total}
	}
	warm := func() {
		for _, p := range f.processes {
			see(p)
		}
	}
	for _, step := range []struct {
		name, edit string
		want       view
	}{
		{"dear", `UPDATE apartments SET price = 1400 WHERE id = 1`, view{price: 1400}},
		{"cheaper", `UPDATE apartments SET price = 900 WHERE id = 1`, view{price: 900, listedA: true, totalA: 1}},
		{"moved", fmt.Sprintf(`UPDATE apartments a SET building_id = b.id, district_id = b.district_id, city_id = d.city_id,
			year_built = b.year_built, metro_minutes = b.metro_minutes
			FROM buildings b JOIN districts d ON d.id = b.district_id WHERE a.id = 1 AND d.city_id = %d AND b.id = (
				SELECT min(b.id) FROM buildings b JOIN districts d ON d.id = b.district_id WHERE d.city_id = %d)`, to, to),
			view{price: 900, listedB: true, totalB: 1}},
		{"withdrawn", `UPDATE apartments SET status = 'withdrawn' WHERE id = 1`, view{price: 900}},
		{"published", `UPDATE apartments SET status = 'published' WHERE id = 1`, view{price: 900, listedB: true, totalB: 1}},
		{"saved and deleted", `CREATE TABLE saved AS SELECT * FROM apartments WHERE id = 1; DELETE FROM apartments WHERE id = 1`, view{}},
		{"restored", `INSERT INTO apartments (id, city_id, district_id, building_id, rooms, floor, year_built, metro_minutes, price, area, title, description)
			SELECT id, city_id, district_id, building_id, rooms, floor, year_built, metro_minutes, price, area, title, description FROM saved`,
			view{price: 900, listedB: true, totalB: 1}},
	} {
		warm()
		f.exec(t, step.edit)
		for i, p := range f.processes {
			models.Eventually(t, fmt.Sprintf("process %d shows it %s", i, step.name), func() bool { return see(p) == step.want })
		}
	}
	models.Eventually(t, "every outbox row is applied", func() bool { return f.pending(t) == 0 })
}

// An edit through the store shows in its own process when it is acknowledged, without anybody's message.
func TestAnEditShowsInItsProcessAtOnce(t *testing.T) {
	f := startFleet(t, serverstest.Redis(t), 500, 2)
	writer, other := f.processes[0], f.processes[1]
	const id = 7
	for n := range int64(20) {
		old, err := writer.Apartment(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		city := writer.listing(t, old.CityID, models.Filter{})
		other.price(t, id)
		edited, err := writer.UpdateApartment(t.Context(), "test", id, old.Version, func(d *models.Draft) {
			d.Price, d.Status = 1000+n, models.Published
			if n%2 == 1 {
				d.Status = models.Withdrawn
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		last := len(edited.History) - 1
		if edited.Price != 1000+n || edited.OldPrice != old.Price || edited.Version != old.Version+1 || edited.History[last].Price != 1000+n {
			t.Fatalf("the edit returned %+v", edited)
		}
		if price := writer.price(t, id); price != 1000+n {
			t.Fatalf("after edit %d, its own process shows %d", n, price)
		}
		if now := writer.listing(t, old.CityID, models.Filter{}); n > 0 && now.total == city.total {
			t.Fatalf("after edit %d, its own process still counts %d homes", n, now.total)
		}
		models.Eventually(t, "the other process shows it", func() bool { return other.price(t, id) == 1000+n })
	}
	if _, err := other.UpdateApartment(t.Context(), "test", id, 1, func(d *models.Draft) { d.Price = 5 }); !errors.Is(err, models.ErrConflict) {
		t.Errorf("an edit of an old version: %v, want ErrConflict", err)
	}
}

func TestABulkEditIsOneNotification(t *testing.T) {
	f := startFleet(t, serverstest.Redis(t), 2000, 2)
	listener := connect(t, f.url)
	if _, err := listener.Exec(t.Context(), "LISTEN outbox"); err != nil {
		t.Fatal(err)
	}
	for id := int64(0); id < 1000; id += 37 {
		for _, p := range f.processes {
			p.price(t, id+1)
		}
	}
	f.exec(t, `UPDATE apartments SET price = id + 5000 WHERE id <= 1000`)
	f.exec(t, `NOTIFY outbox, 'nothing:else'`)
	soon, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var heard []string
	for !slices.Contains(heard, "nothing:else") {
		news, err := listener.WaitForNotification(soon)
		if err != nil {
			t.Fatal(err)
		}
		heard = append(heard, news.Payload)
	}
	if slices.Sort(heard); !slices.Equal(heard, []string{"apartment:*", "cities:all", "nothing:else"}) {
		t.Errorf("heard %v, want one notification for all apartments and one for the cities", heard)
	}
	models.Eventually(t, "every outbox row is applied", func() bool { return f.pending(t) == 0 })
	for id := int64(0); id < 1000; id += 37 {
		for i, p := range f.processes {
			models.Eventually(t, fmt.Sprintf("process %d shows the new price of %d", i, id+1), func() bool { return p.price(t, id+1) == id+5001 })
		}
	}

	f.exec(t, `TRUNCATE apartments CASCADE`)
	for i, p := range f.processes {
		models.Eventually(t, fmt.Sprintf("process %d shows that everything is gone", i), func() bool {
			return p.price(t, 1) == 0 && p.price(t, 999) == 0 && p.listing(t, 1, models.Filter{}).total == 0
		})
	}
}

func TestWhatTheOutboxSaysOfAnEdit(t *testing.T) {
	f := startFleet(t, serverstest.Redis(t), 500, 0)
	f.exec(t, `INSERT INTO price_history VALUES (5, now(), 77), (6, now(), 77)`)
	f.exec(t, `TRUNCATE outbox`)
	building := f.number(t, `SELECT building_id FROM apartments WHERE id = 5`)
	var neighbours []string
	for _, id := range collect[int64](t, f.psql, `SELECT id FROM apartments WHERE building_id = $1 ORDER BY id`, building) {
		neighbours = append(neighbours, fmt.Sprint("apartment:", id))
	}
	for _, tt := range []struct {
		name, edit string
		want       []string
	}{
		{"unchanged rows", `UPDATE apartments SET price = price, title = title`, nil},
		{"an unchanged building", `UPDATE buildings SET floors = floors`, nil},
		{"unchanged cities", `UPDATE cities SET name_en = name_en`, nil},
		{"one changed row of many", `UPDATE apartments SET price = CASE id WHEN 5 THEN price + 1 ELSE price END`, []string{"apartment:5", "cities:all"}},
		{"history", `UPDATE price_history SET price = 78 WHERE price = 77`, []string{"apartment:5", "apartment:6"}},
		{"history deleted", `DELETE FROM price_history WHERE price = 78`, []string{"apartment:5", "apartment:6"}},
		{"a renamed street", fmt.Sprintf(`UPDATE buildings SET street = 'Elsewhere' WHERE id = %d`, building), append(slices.Clone(neighbours), "cities:all")},
		{"a renamed district", `UPDATE districts SET name_en = 'Elsewhere' WHERE id = 1`, []string{"cities:all"}},
		{"a renamed city", `UPDATE cities SET name_en = 'Elsewhere' WHERE id = 1`, []string{"cities:all"}},
		{"a version by hand", `UPDATE cities SET version = version + 1 WHERE id = 1`, []string{"cities:all"}},
		{"one that is rolled back", `BEGIN; UPDATE apartments SET price = price + 1; ROLLBACK`, nil},
		{"two statements of one transaction", `BEGIN; UPDATE apartments SET price = price + 1 WHERE id = 5;
			UPDATE apartments SET price = price + 1 WHERE id = 6; COMMIT`, []string{"apartment:5", "apartment:6", "cities:all"}},
	} {
		versions := f.number(t, `SELECT sum(version) FROM cities`)
		f.exec(t, tt.edit)
		got := collect[string](t, f.psql, `SELECT DISTINCT key FROM outbox ORDER BY key`)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: outbox has %v, want %v", tt.name, got, tt.want)
		}
		if grew := f.number(t, `SELECT sum(version) FROM cities`) > versions; grew != slices.Contains(tt.want, "cities:all") {
			t.Errorf("%s: did a city's version grow? %v", tt.name, grew)
		}
		if n := f.number(t, `SELECT count(*) FROM edited_cities`); n != 0 {
			t.Errorf("%s: %d cities are still to be bumped", tt.name, n)
		}
		f.exec(t, `TRUNCATE outbox`)
	}
}

// Edits that touch two cities in opposite orders, in one statement and in transactions of several.
func TestCrossingEditsDoNotDeadlock(t *testing.T) {
	f := startFleet(t, serverstest.Redis(t), 500, 0)
	first, second := f.number(t, `SELECT min(id) FROM apartments WHERE city_id = 1`), f.number(t, `SELECT min(id) FROM apartments WHERE city_id = 2`)
	another := f.number(t, `SELECT max(id) FROM apartments WHERE city_id = 2`)
	before := f.number(t, `SELECT version FROM cities WHERE id = 1`)
	const rounds = 50
	var g errgroup.Group
	for _, order := range [][]int{{first, another}, {second, first + 1}} {
		conn := connect(t, f.url)
		g.Go(func() error {
			for range rounds {
				sql := fmt.Sprintf(`BEGIN; UPDATE apartments SET price = price + 1 WHERE id = %d;
					UPDATE apartments SET price = price + 1 WHERE id = %d; COMMIT`, order[0], order[1])
				if _, err := conn.Exec(context.Background(), sql); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if after := f.number(t, `SELECT version FROM cities WHERE id = 1`); after != before+2*rounds {
		t.Errorf("the version of city 1 grew from %d to %d in %d edits", before, after, 2*rounds)
	}
	open := connect(t, f.url)
	if _, err := open.Exec(t.Context(), fmt.Sprintf(`BEGIN; UPDATE apartments SET price = price + 1 WHERE id = %d`, first)); err != nil {
		t.Fatal(err)
	}
	f.exec(t, fmt.Sprintf(`SET statement_timeout = '5s'; UPDATE apartments SET price = price + 1 WHERE id = %d`, first+1)) // does not wait
}
