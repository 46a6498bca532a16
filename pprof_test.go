package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestProfilerIsLocalAndEnds(t *testing.T) {
	port := freePort(t)
	stop, err := startPprof(t.Context(), port, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	url := fmt.Sprintf("http://127.0.0.1:%d/debug/pprof/goroutine?debug=1", port)
	if body, err := fetch(t.Context(), url); err != nil || !strings.Contains(body, "goroutine profile:") {
		t.Errorf("goroutine profile: %v, %.100q", err, body)
	}
	if conn, err := net.DialTimeout("tcp", fmt.Sprintf("[::1]:%d", port), time.Second); err == nil {
		conn.Close()
		t.Error("the profiler listens on more than 127.0.0.1")
	}
	if _, err := startPprof(t.Context(), port, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "PPROF_PORT") {
		t.Errorf("a taken port: %v; want an error that names PPROF_PORT", err)
	}
	stop()
	if _, err := fetch(t.Context(), url); err == nil {
		t.Error("the profiler answers after stop")
	}
}

func fetch(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
