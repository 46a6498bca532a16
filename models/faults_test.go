// Edits and broken things: cut connections, a silent Redis, a promoted replica, dead relays, late writers.

package models_test

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"podbor/internal/servers"
	"podbor/internal/servers/serverstest"
	"podbor/models"
)

// Case H9: both ways that bring news are cut before and after edits, together and in turns.
func TestCutConnectionsLoseNoEdit(t *testing.T) {
	redis := ownRedis(t)
	f := startFleet(t, redis.URL, 500, 2)
	const id = 3
	cutRedis := func() {
		if n, err := f.redis.ClientKillByFilter(t.Context(), "TYPE", "pubsub").Result(); err != nil || n != 2 {
			t.Fatalf("%d subscriptions were cut, want 2: %v", n, err)
		}
	}
	cutPostgres := func() {
		if n := f.number(t, `SELECT count(pg_terminate_backend(pid)) `+fromListeners); n != 2 {
			t.Fatalf("%d listeners were cut, want 2", n)
		}
	}
	neither := func() {}
	for round, cut := range []struct{ before, after func() }{
		{cutRedis, neither}, {cutPostgres, neither}, {neither, cutRedis}, {neither, cutPostgres},
		{cutRedis, cutPostgres}, {cutPostgres, cutRedis}, {func() { cutRedis(); cutPostgres() }, neither}, {neither, func() { cutPostgres(); cutRedis() }},
	} {
		f.awaitNews(t)
		for _, p := range f.processes {
			p.price(t, id)
		}
		want := int64(7000 + round)
		cut.before()
		f.exec(t, `UPDATE apartments SET price = $1 WHERE id = $2`, want, id)
		cut.after()
		edited := time.Now()
		for i, p := range f.processes {
			models.Eventually(t, fmt.Sprintf("round %d: process %d shows the edit", round, i), func() bool { return p.price(t, id) == want })
			// Less than the local TTL of 5 s, which would heal it by itself.
			if took := time.Since(edited); took > 3*time.Second {
				t.Errorf("round %d: process %d showed the edit only after %v", round, i, took)
			}
			for range 20 { // and does not go back
				if price := p.price(t, id); price != want {
					t.Errorf("round %d: process %d shows %d again", round, i, price)
				}
			}
		}
	}
}

// Redis is silent while edits are made, and comes back with the old values still in it.
func TestReadsReturnToRedisOnlyAfterItWasTold(t *testing.T) {
	redis := ownRedis(t)
	f := startFleet(t, redis.URL, 500, 2)
	const id = 4
	for _, p := range f.processes {
		p.price(t, id)
	}
	signal(t, redis, syscall.SIGSTOP)
	t.Cleanup(func() { signal(t, redis, syscall.SIGCONT) }) // or it cannot be stopped
	for _, p := range f.processes {
		for other := range int64(10) { // until both have given Redis up
			p.price(t, 100+other)
		}
	}
	f.exec(t, `UPDATE apartments SET price = 8001 WHERE id = $1`, id)
	old, err := f.processes[0].Apartment(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.processes[0].UpdateApartment(t.Context(), "test", id, old.Version, func(d *models.Draft) { d.Price = 8002 }); err != nil {
		t.Fatalf("an edit fails because Redis is silent: %v", err)
	}
	if n := f.pending(t); n == 0 {
		t.Fatal("no outbox row is pending, although Redis is silent")
	}
	for i, p := range f.processes {
		models.Eventually(t, fmt.Sprintf("process %d shows the edit without Redis", i), func() bool { return p.price(t, id) == 8002 })
	}

	signal(t, redis, syscall.SIGCONT)
	for i, p := range f.processes {
		models.Eventually(t, fmt.Sprintf("process %d reads from Redis again", i), func() bool {
			// Past this process's own memory, first something that was not edited and then what was: when the one comes out
			// of Redis, the other may, too.
			back := p.pastMemory(t, 200) == "redis"
			p.pastMemory(t, id)
			if price := p.price(t, id); price != 8002 {
				t.Fatalf("process %d went back to %d when Redis returned", i, price)
			}
			return back
		})
	}
	models.Eventually(t, "every outbox row is applied", func() bool { return f.pending(t) == 0 })
}

// With Redis gone, LISTEN alone makes copies in memory trustworthy; what was edited while it was cut must not be among them.
func TestListeningAgainForgetsWhatWasMissed(t *testing.T) {
	redis := ownRedis(t)
	f := startFleet(t, redis.URL, 500, 1)
	p := f.processes[0]
	if err := redis.Stop(); err != nil {
		t.Fatal(err)
	}
	const id = 8
	listening := `SELECT coalesce(max(pid), 0) ` + fromListeners
	for round := range 4 {
		want := int64(6000 + round)
		models.Eventually(t, "there is a copy in memory", func() bool {
			ctx, trace := models.WithTrace(t.Context())
			_, err := p.Apartment(ctx, id)
			return err == nil && trace.Lookups()[0].Result == "l1"
		})
		before := f.number(t, listening)
		f.exec(t, fmt.Sprintf(`SELECT pg_terminate_backend(%d, 5000)`, before))
		f.exec(t, `UPDATE apartments SET price = $1 WHERE id = $2`, want, id)
		models.Eventually(t, "it listens again", func() bool { now := f.number(t, listening); return now != 0 && now != before })
		for range 50 { // well within the 5 s that a copy lasts
			if price := p.price(t, id); price != want {
				t.Fatalf("round %d: it shows %d, want %d", round, price, want)
			}
		}
	}
}

// A replica is promoted that has missed a DEL: it has another replication id, and the old value.
func TestAnotherPrimaryIsToldAgain(t *testing.T) {
	redis := ownRedis(t, "--enable-debug-command", "yes")
	f := startFleet(t, redis.URL, 500, 1)
	p := f.processes[0]
	const id = 5
	p.price(t, id)
	key := f.keyOf(t, "apartment", id)
	missed, err := f.redis.Get(t.Context(), key).Result()
	if err != nil {
		t.Fatal(err)
	}
	f.exec(t, `UPDATE apartments SET price = 9001 WHERE id = $1`, id)
	models.Eventually(t, "the edit is applied", func() bool { return f.pending(t) == 0 })

	if err := f.redis.Set(t.Context(), key, missed, time.Minute).Err(); err != nil {
		t.Fatal(err)
	}
	if err := f.redis.Do(t.Context(), "DEBUG", "CHANGE-REPL-ID").Err(); err != nil {
		t.Fatal(err)
	}
	models.Eventually(t, "the missed value is gone", func() bool {
		now, err := f.redis.Get(t.Context(), key).Result()
		return err != nil || now != missed
	})
	models.Eventually(t, "the edit shows", func() bool { return p.price(t, id) == 9001 })
}

// Rows of a relay that died are taken up again, also if it had told Redis already; rows that somebody holds locked make
// nobody wait.
func TestARelayGoesOnWhereAnotherDied(t *testing.T) {
	f := startFleet(t, serverstest.Redis(t), 500, 1)
	f.exec(t, `UPDATE apartments SET price = price + 1 WHERE id = 1`)
	models.Eventually(t, "the edit is applied", func() bool { return f.pending(t) == 0 })
	f.exec(t, `UPDATE outbox SET applied_at = NULL, attempt = attempt + 1, claimed_until = now() + interval '1 s'`) // it died before marking
	models.Eventually(t, "the dead relay's rows are applied", func() bool { return f.pending(t) == 0 })

	f.exec(t, `INSERT INTO outbox (key, claimed_until) VALUES ('apartment:1', clock_timestamp() + interval '1 s')`) // time to lock it
	holder := connect(t, f.url)
	tx, err := holder.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if locked, err := tx.Exec(t.Context(), `SELECT FROM outbox WHERE applied_at IS NULL FOR UPDATE`); err != nil || locked.RowsAffected() != 1 {
		t.Fatalf("%d rows are locked, want 1: %v", locked.RowsAffected(), err)
	}
	models.Eventually(t, "the locked row may be claimed", func() bool {
		return f.number(t, `SELECT count(*) FROM outbox WHERE applied_at IS NULL AND claimed_until < clock_timestamp()`) == 1
	})
	f.exec(t, `UPDATE apartments SET price = price + 1 WHERE id = 2`)
	models.Eventually(t, "rows beside the locked one are applied", func() bool { return f.pending(t) == 1 })
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	models.Eventually(t, "the locked row is applied", func() bool { return f.pending(t) == 0 })
}

// A writer pauses between its commit and its announcement. Meanwhile psql edits the same apartment, and the relay deletes
// the cached value, so that no version is there to compare with: the late Put must not last.
func TestALatePutDoesNotLast(t *testing.T) {
	f := startFleet(t, serverstest.Redis(t), 500, 1)
	p := f.processes[0]
	const id = 6
	for round := range int64(3) {
		old, err := p.Apartment(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		store := f.store(t)
		detail, edit, err := store.UpdateApartment(t.Context(), "test", id, old.Version, func(d *models.Draft) { d.Price = 300 + round })
		if err != nil {
			t.Fatal(err)
		}
		f.exec(t, `UPDATE apartments SET price = $1 WHERE id = $2`, 400+round, id)
		models.Eventually(t, "the edit with psql shows", func() bool { return f.pending(t) == 0 && p.price(t, id) == 400+round })
		f.exec(t, `UPDATE outbox SET applied_at = NULL, attempt = 0, claimed_until = now() + interval '1 s' WHERE xact = (SELECT min(xact) FROM outbox WHERE key = 'apartment:6')`)
		p.Announce(context.Background(), detail, edit)
		models.Eventually(t, "it shows again", func() bool { return f.pending(t) == 0 && p.price(t, id) == 400+round })
		f.exec(t, `TRUNCATE outbox`)
	}
}

// pastMemory reads an apartment as a process does that has no copy of its own, and tells who answered.
func (p *process) pastMemory(t *testing.T, id int64) string {
	t.Helper()
	p.cache.VoidLocal("apartment", fmt.Sprint(id))
	ctx, trace := models.WithTrace(t.Context())
	if _, err := p.Apartment(ctx, id); err != nil {
		t.Fatal(err)
	}
	return string(trace.Lookups()[0].Result)
}

func ownRedis(t *testing.T, args ...string) *servers.Server {
	t.Helper()
	s, err := servers.StartRedis(t.Context(), t.TempDir(), args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func signal(t *testing.T, s *servers.Server, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(s.PID(), sig); err != nil {
		t.Fatal(err)
	}
}

// keyOf finds the key under which Redis has an id of a prefix.
func (f *fleet) keyOf(t *testing.T, prefix string, id int64) string {
	t.Helper()
	keys, err := f.redis.Keys(t.Context(), fmt.Sprintf("*:%s:%d}", prefix, id)).Result()
	if err != nil || len(keys) != 1 {
		t.Fatalf("keys of %s %d in Redis: %s, %v", prefix, id, strings.Join(keys, " "), err)
	}
	return keys[0]
}
