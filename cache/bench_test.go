// What a hit costs beside the bare library it is built on. Run both halves in one go:
//
//	go test ./cache -run '^$' -bench . -benchmem

package cache

import (
	"testing"
	"time"

	"github.com/maypok86/otter/v2"
)

func benchPolicy(local time.Duration) Policy {
	p := testPolicy(Both)
	p.SoftTTL, p.HardTTL, p.LocalTTL = time.Hour, time.Hour, local
	return p
}

// warmed returns a call that hits key 1, and fails if there is any load from now on.
func warmed(b *testing.B, p *testProcess) func() {
	b.Helper()
	s := holding("a", 0)
	if _, err := p.Get(b.Context(), "1", s.load); err != nil {
		b.Fatal(err)
	}
	loads := s.loads()
	b.Cleanup(func() {
		if n := s.loads() - loads; n > 0 {
			b.Errorf("%d loads, want none", n)
		}
	})
	return func() {
		if _, err := p.Get(b.Context(), "1", s.load); err != nil {
			b.Error(err)
		}
	}
}

func parallel(b *testing.B, hit func()) {
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			hit()
		}
	})
}

// serial is for what a flight would share if it ran in parallel.
func serial(b *testing.B, hit func()) {
	b.ReportAllocs()
	for b.Loop() {
		hit()
	}
}

func BenchmarkL1Hit(b *testing.B) {
	b.Run("cache", func(b *testing.B) { parallel(b, warmed(b, newFakeRedis().start(b, benchPolicy(time.Hour)))) })
	b.Run("bare otter", func(b *testing.B) {
		l1, err := otter.New(&otter.Options[string, *doc]{MaximumSize: 1000})
		if err != nil {
			b.Fatal(err)
		}
		l1.Set("1", &doc{Text: "a"})
		parallel(b, func() {
			if _, ok := l1.GetIfPresent("1"); !ok {
				b.Error("missing")
			}
		})
	})
}

func BenchmarkRedisHit(b *testing.B) {
	server := startRedis(b)
	p := server.process(b, benchPolicy(0)) // no L1
	b.Run("cache", func(b *testing.B) { serial(b, warmed(b, p)) })
	b.Run("bare go-redis", func(b *testing.B) {
		client := server.client(b)
		serial(b, func() {
			if _, err := client.Get(b.Context(), keyOf("1")).Bytes(); err != nil {
				b.Error(err)
			}
		})
	})
}
