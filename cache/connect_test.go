// Connecting: which client a URL makes, with which time-outs, and what a wrong one is told.

package cache

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

func TestAURLSaysWhatIsThere(t *testing.T) {
	for url, want := range map[string]string{
		"redis://u:secret@h:1/2":                                          "one server h:1",
		"rediss://u:secret@h:1":                                           "one server h:1",
		"unix:///run/redis.sock":                                          "one server /run/redis.sock",
		"redis://h:1?addr=i:2&addr=j:3":                                   "Cluster h:1 i:2 j:3",
		"redis://h:1?cluster=true":                                        "Cluster h:1",
		"redis://h:1?cluster=true&addr=i:2":                               "Cluster h:1 i:2",
		"redis://h:1?master_name=main":                                    "Sentinel",
		"redis://h:1/2?master_name=main&addr=i:2&username=u&password=pa":  "Sentinel",
		"rediss://s:secret@h:1?addr=i:2&master_name=main&password=secret": "Sentinel",
	} {
		if got := kindOf(connected(t, Connect, url)); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
		if strings.HasPrefix(want, "one server") {
			if client, err := ConnectReplicas(url); client != nil || err != nil {
				t.Errorf("replicas of %s: %v, %v; want none", url, client, err)
			}
		} else if got := kindOf(connected(t, ConnectReplicas, url)); got != want {
			t.Errorf("replicas of %s: %s, want %s", url, got, want)
		}
	}
}

func kindOf(client redis.UniversalClient) string {
	switch client := client.(type) {
	case *redis.ClusterClient:
		return "Cluster " + strings.Join(client.Options().Addrs, " ")
	case *redis.Client:
		if addr := client.Options().Addr; addr != "FailoverClient" { // go-redis' name for it
			return "one server " + addr
		}
		return "Sentinel"
	}
	return "something else"
}

// A command may take commandTimeout in all, whatever the topology and whatever the URL says.
func TestEveryTopologyHasTheTimeoutsOfACache(t *testing.T) {
	for _, query := range []string{"?", "?master_name=main&", "?addr=i:2&", "?cluster=true&"} {
		url := "redis://h:1" + query + "read_timeout=1m&max_retries=5"
		var o *redis.Options
		switch client := connected(t, Connect, url).(type) {
		case *redis.Client:
			o = client.Options()
		case *redis.ClusterClient:
			c := client.Options()
			o = &redis.Options{
				ContextTimeoutEnabled: c.ContextTimeoutEnabled, MaxRetries: c.MaxRetries, DialTimeout: c.DialTimeout,
				ReadTimeout: c.ReadTimeout, WriteTimeout: c.WriteTimeout, PoolTimeout: c.PoolTimeout, DialerRetries: c.DialerRetries,
			}
		}
		if !o.ContextTimeoutEnabled || o.MaxRetries > 0 || o.DialerRetries != 1 || o.DialTimeout != commandTimeout ||
			o.ReadTimeout != commandTimeout || o.WriteTimeout != commandTimeout || o.PoolTimeout != commandTimeout {
			t.Errorf("%s: %+v", url, o)
		}
	}
}

func TestAWrongURLIsToldInOneLineWithoutItsPassword(t *testing.T) {
	for _, url := range []string{
		"redis://u:secret%zz@h",
		"redis://u:secret/x@h:1",
		"http://u:secret@h:1",
		"http://u:secret@h:1?cluster=true",
		"http://u:secret@h:1?master_name=main",
		"redis://u:secret@h:1/zero",
		"redis://u:secret@h:1?colour=red",
		"redis://u:secret@h:1?cluster=perhaps",
		"redis://u:secret@h:1?addr=nowhere",
		"redis://h:1?master_name=main&password=secret&addr=nowhere",
		"redis://h:1?master_name=main&password=secret&pool_size=many",
		"redis://h:1?password=secret",
	} {
		_, err := Connect(url)
		if err == nil || !strings.HasPrefix(err.Error(), "read the Redis ") || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error %v", url, err)
		}
	}
}
