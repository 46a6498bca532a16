// Flags reach every process when they change, and stay as they were when nothing can be read.

package models_test

import (
	"testing"

	"podbor/internal/servers/serverstest"
	"podbor/models"
)

func TestAFlagSetWithPsqlReachesEveryProcess(t *testing.T) {
	f := startFleet(t, serverstest.Redis(t), 500, 2)
	all := models.Flags{JustListed: true, PriceChart: true}
	see := func(want models.Flags) {
		t.Helper()
		for _, p := range f.processes {
			models.Eventually(t, "the process has the flags", func() bool { return p.Flags(t.Context()) == want })
		}
	}
	see(all) // and has a copy now, good for 10 s
	f.exec(t, `UPDATE feature_flags SET enabled = false WHERE name = 'price-chart'`)
	see(models.Flags{JustListed: true})
	f.exec(t, `INSERT INTO feature_flags VALUES ('of-tomorrow', 'unknown to this program', true)`)
	f.exec(t, `DELETE FROM feature_flags WHERE name = 'price-chart'`)
	see(all) // what has no row is as it is built
	if dated := f.number(t, `SELECT count(*) FROM feature_flags WHERE updated_at > now() - interval '1 hour'`); dated != 2 {
		t.Errorf("%d flags have a date", dated)
	}

	models.Eventually(t, "every outbox row is applied", func() bool { return f.pending(t) == 0 })
	before := f.number(t, `SELECT count(*) FROM outbox`)
	f.exec(t, `UPDATE feature_flags SET enabled = enabled`)
	if after := f.number(t, `SELECT count(*) FROM outbox`); after != before {
		t.Errorf("%d rows in the outbox for flags that stayed as they were", after-before)
	}
}

// Case: the chart is off because it did harm; the database going away must not turn it on.
func TestFlagsStayAsTheyWereWhenNothingCanBeRead(t *testing.T) {
	redisURL := serverstest.Redis(t)
	f := startFleet(t, redisURL, 500, 1)
	p := f.processes[0]
	off := models.Flags{JustListed: true}
	f.exec(t, `UPDATE feature_flags SET enabled = false WHERE name = 'price-chart'`)
	models.Eventually(t, "the chart is off", func() bool { return p.Flags(t.Context()) == off })
	models.Eventually(t, "every outbox row is applied", func() bool { return f.pending(t) == 0 })

	f.exec(t, `ALTER TABLE feature_flags RENAME TO away`)
	if err := p.Invalidate(t.Context(), "flag:all"); err != nil { // there is no copy any more, and no table
		t.Fatal(err)
	}
	if got := p.Flags(t.Context()); got != off {
		t.Errorf("without the table: %+v, want %+v", got, off)
	}
	stranger := startProcess(t, f.url, redisURL, true)
	if got := stranger.Flags(t.Context()); got != (models.Flags{JustListed: true, PriceChart: true}) {
		t.Errorf("a process that has never seen a flag: %+v, want what is built in", got)
	}
}
