package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"
)

// A client that sends its headers one byte at a time keeps no connection for longer than the server's patience.
func TestSlowClientIsCutOff(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- serve(ctx, listener, http.NotFoundHandler(), nil, slog.New(slog.DiscardHandler))
	}()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	started := time.Now()
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	if err := conn.SetDeadline(started.Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, conn); err != nil {
		t.Errorf("after %v: %v; want the server to hang up", time.Since(started), err)
	}
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
