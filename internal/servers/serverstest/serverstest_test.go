package serverstest_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"podbor/internal/servers/serverstest"
)

func TestMain(m *testing.M) { serverstest.Main(m) }

func TestEveryDatabaseIsEmpty(t *testing.T) {
	for range 2 {
		conn, err := pgx.Connect(t.Context(), serverstest.Database(t))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.WithoutCancel(t.Context()))
		if _, err := conn.Exec(t.Context(), "CREATE TABLE only_here (id int)"); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryRedisIsEmpty(t *testing.T) {
	for range 2 {
		options, err := redis.ParseURL(serverstest.Redis(t))
		if err != nil {
			t.Fatal(err)
		}
		client := redis.NewClient(options)
		defer client.Close()
		if set, err := client.SetNX(t.Context(), "only here", 1, 0).Result(); err != nil || !set {
			t.Errorf("SetNX = %v, %v; want an empty database", set, err)
		}
	}
}
