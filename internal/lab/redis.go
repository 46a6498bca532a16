// Breaking and mending the private Redis.

package lab

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"

	"podbor/internal/servers"
)

// A Redis is the private server of the cache, in the hands of the lab. Nothing else may stop or restart it.
type Redis struct {
	server *servers.Server
	mended chan struct{} // gets a word when a server that was stopped here runs again

	mu    sync.Mutex // held while it is broken or mended
	state redisState
}

type redisState int

const (
	runs redisState = iota
	frozen
	stopped
)

// NewRedis takes over a server that runs.
func NewRedis(s *servers.Server) *Redis { return &Redis{server: s, mended: make(chan struct{}, 1)} }

// Watch returns when the server has ended and the lab has nothing to do with it, or when stopping ends.
func (r *Redis) Watch(stopping <-chan struct{}) (died bool) {
	exited := r.server.Exited()
	for {
		select {
		case <-stopping:
			return false
		case <-exited:
		}
		r.mu.Lock() // stop holds it until the server is gone
		ours := r.state == stopped
		r.mu.Unlock()
		if !ours {
			select {
			case <-r.mended: // stopped and started again before we looked
				exited = r.server.Exited()
				continue
			default:
				return true
			}
		}
		select {
		case <-stopping:
			return false
		case <-r.mended:
			exited = r.server.Exited()
		}
	}
}

// stop kills the server: what it held is lost.
func (r *Redis) stop() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == stopped {
		return nil
	}
	r.state = stopped
	if err := syscall.Kill(r.server.PID(), syscall.SIGKILL); err != nil {
		return fmt.Errorf("stopping Redis: %w", err)
	}
	<-r.server.Exited()
	return nil
}

// freeze stops the server from answering; connections to it stay open.
func (r *Redis) freeze() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state != runs {
		return errors.New("Redis is not running: mend it first")
	}
	if err := syscall.Kill(r.server.PID(), syscall.SIGSTOP); err != nil {
		return fmt.Errorf("freezing Redis: %w", err)
	}
	r.state = frozen
	return nil
}

// mend makes the server answer again.
func (r *Redis) mend(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch r.state {
	case frozen:
		if err := syscall.Kill(r.server.PID(), syscall.SIGCONT); err != nil {
			return fmt.Errorf("waking Redis: %w", err)
		}
	case stopped:
		if err := r.server.Restart(ctx); err != nil {
			return err
		}
		r.mended <- struct{}{}
	case runs:
	}
	r.state = runs
	return nil
}

func (r *Redis) now() redisState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}
