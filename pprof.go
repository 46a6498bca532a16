// The profiler: on loopback only, on a port and a mux of its own, off unless PPROF_PORT asks for it.

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"
)

// startPprof serves profiles on port until stop is called; port 0 means not at all.
func startPprof(ctx context.Context, port int, log *slog.Logger) (stop func(), err error) {
	if port == 0 {
		return func() {}, nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("port %d of the profiler is taken; choose one with PPROF_PORT=… (%w)", port, err)
	}
	// Not http.DefaultServeMux, where any imported package may register handlers.
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Warn("the profiler stopped", "err", err)
		}
	}()
	log.Info("profiler", "url", fmt.Sprintf("http://%s/debug/pprof/", listener.Addr()))
	return func() {
		_ = server.Close() // a profile under way has lost its subject
		<-done
	}, nil
}
