package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealthcheck(t *testing.T) {
	for status, ok := range map[int]bool{200: true, 204: false, 404: false, 503: false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		err := healthcheck(t.Context(), server.URL)
		if (err == nil) != ok {
			t.Errorf("status %d: %v", status, err)
		}
		server.Close()
		if err := healthcheck(t.Context(), server.URL); err == nil {
			t.Error("nobody listens, and all is well?")
		}
	}
}

func TestArgumentsNobodyUnderstands(t *testing.T) {
	for _, args := range [][]string{{"serve"}, {"healthcheck", "now"}, {"-p", "80"}, {""}} {
		err := command(t.Context(), args)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", args)) {
			t.Errorf("%q: %v; want an error that repeats it", args, err)
		}
	}
}
