// A private Redis: a cache, so nothing of it is kept on disk.

package servers

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// StartRedis starts a Redis (or Valkey) with its lock, log and URL file in dir, and returns when it answers. ctx bounds
// the start only. args are further settings as redis-server takes them: "--maxmemory", "64mb".
func StartRedis(ctx context.Context, dir string, args ...string) (*Server, error) {
	path, err := findRedis()
	if err != nil {
		return nil, err
	}
	base, lock, err := prepare(dir, "redis")
	if err != nil {
		return nil, err
	}
	password := rand.Text()
	return start(ctx, plan{
		name: "Redis",
		base: base,
		lock: lock,
		command: func(port int) command {
			// "-" makes it read its settings from stdin: a password in the arguments could be seen with ps.
			return command{path: path, args: []string{"-"}, dir: "/", stdin: redisConfig(port, password, args)}
		},
		url:  func(port int) string { return fmt.Sprintf("redis://default:%s@127.0.0.1:%d/0", password, port) },
		ping: pingRedis,
	})
}

func pingRedis(ctx context.Context, url string) error {
	options, err := redis.ParseURL(url)
	if err != nil {
		return err
	}
	options.MaxRetries = -1 // start asks again
	client := redis.NewClient(options)
	defer client.Close()
	return client.Ping(ctx).Err()
}

// redisConfig is the configuration file; a later line replaces an earlier one.
func redisConfig(port int, password string, args []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "bind 127.0.0.1\nport %d\nrequirepass %s\n", port, password)
	b.WriteString("save \"\"\nappendonly no\n") // a cache: a restart may start cold
	// Full memory must evict what is asked for least, not refuse writes; 256 MB hold every page of the site several times.
	b.WriteString("maxmemory 256mb\nmaxmemory-policy allkeys-lfu\n")
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "--"); ok {
			b.WriteString("\n" + name)
		} else {
			b.WriteString(" " + strconv.Quote(arg))
		}
	}
	b.WriteString("\n")
	return b.String()
}
