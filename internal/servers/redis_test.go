package servers

import "testing"

func TestRedisSettings(t *testing.T) {
	s := startRedis(t, folder(t), "--maxmemory", "64mb", "--save", "900 1 300 10")
	for name, want := range map[string]string{
		"maxmemory":        "67108864",
		"maxmemory-policy": "allkeys-lfu",
		"save":             "900 1 300 10",
		"appendonly":       "no",
		"bind":             "127.0.0.1",
	} {
		if got := redisSetting(t, s.URL, name); got != want {
			t.Errorf("%s = %q; want %q", name, got, want)
		}
	}
}
