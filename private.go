// The private servers of this process: started for each URL that the settings leave empty.

package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"

	"podbor/internal/lab"
	"podbor/internal/servers"
)

type privateServers struct {
	running   []*servers.Server
	breakable *lab.Redis // that of the cache, if there is a lab
	exited    chan error // gets why, when one of them ends unasked
	stopping  chan struct{}
	watchers  sync.WaitGroup
	log       *slog.Logger
}

// startPrivateServers starts what cfg has no URL for and fills the URLs in.
func startPrivateServers(ctx context.Context, cfg *config, log *slog.Logger) (*privateServers, error) {
	p := &privateServers{exited: make(chan error, 3), stopping: make(chan struct{}), log: log}
	if cfg.DatabaseURL == "" {
		s, err := servers.StartPostgres(ctx, cfg.DataDir)
		if err != nil {
			return nil, err
		}
		cfg.DatabaseURL = s.URL
		p.watch(s)
		log.Info("private PostgreSQL runs", "connect", fmt.Sprintf(`psql "$(cat %s)"`, filepath.Join(cfg.DataDir, "postgres.url")))
	}
	if cfg.SessionRedisURL == "" && cfg.RedisURL != "" {
		cfg.SessionRedisURL = cfg.RedisURL
		log.Warn("sessions and counters share the cache's Redis, which may evict them: set SESSION_REDIS_URL")
	}
	if cfg.RedisURL == "" {
		s, err := servers.StartRedis(ctx, cfg.DataDir)
		if err != nil {
			p.stop()
			return nil, err
		}
		cfg.RedisURL = s.URL
		if cfg.Lab {
			p.breakable = lab.NewRedis(s)
			p.watchBreakable(s)
		} else {
			p.watch(s)
		}
		log.Info("private Redis runs", "connect", fmt.Sprintf(`redis-cli -u "$(cat %s)"`, filepath.Join(cfg.DataDir, "redis.url")))
	}
	if cfg.SessionRedisURL == "" {
		// Full memory refuses a new session rather than dropping an old one.
		s, err := servers.StartRedis(ctx, filepath.Join(cfg.DataDir, "sessions"), "--maxmemory", "64mb", "--maxmemory-policy", "noeviction")
		if err != nil {
			p.stop()
			return nil, err
		}
		cfg.SessionRedisURL = s.URL
		p.watch(s)
	}
	return p, nil
}

func (p *privateServers) watch(s *servers.Server) {
	p.running = append(p.running, s)
	p.watchers.Go(func() {
		select {
		case <-s.Exited():
			p.exited <- s.Err()
		case <-p.stopping:
		}
	})
}

// watchBreakable does as watch does, but for the ends that the lab brings about.
func (p *privateServers) watchBreakable(s *servers.Server) {
	p.running = append(p.running, s)
	p.watchers.Go(func() {
		if p.breakable.Watch(p.stopping) {
			p.exited <- s.Err()
		}
	})
}

// stop ends the servers and returns when they are gone.
func (p *privateServers) stop() {
	close(p.stopping)
	p.watchers.Wait()
	for _, s := range p.running {
		if err := s.Stop(); err != nil {
			p.log.Warn("a private server did not stop in good order", "err", err)
		}
	}
}
