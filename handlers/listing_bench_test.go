// How much of the speed of plain HTTP the listing keeps.

package handlers_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

// BenchmarkListing serves one page over real HTTP to parallel clients: from a warm cache through the whole site, and as
// the same bytes from a bare echo handler. The ratio of the two is the figure to watch; run both in one go:
//
//	go test -run '^$' -bench Listing -count 5 ./handlers
func BenchmarkListing(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as in main
	s := newSite(b)
	const path = "/moscow"
	eventually(b, "a warm cache", func() bool {
		return strings.Count(s.get(b, path).Header.Get("Cache-Status"), "detail=l1") == 3
	})
	body := []byte(s.get(b, path).body)

	bare := echo.New()
	bare.GET("/:city", func(c echo.Context) error {
		return c.HTMLBlob(http.StatusOK, body)
	})
	server := httptest.NewServer(bare)
	defer server.Close()

	b.Run("site", func(b *testing.B) { benchmarkGet(b, s.client, s.url+path) })
	b.Run("bare", func(b *testing.B) { benchmarkGet(b, s.client, server.URL+path) })
}

func benchmarkGet(b *testing.B, client *http.Client, url string) {
	b.ReportAllocs()
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
			if err != nil {
				b.Error(err)
				return
			}
			response, err := client.Do(request)
			if err != nil {
				b.Error(err)
				return
			}
			n, err := io.Copy(io.Discard, response.Body)
			response.Body.Close()
			if err != nil || response.StatusCode != http.StatusOK || n == 0 {
				b.Errorf("status %d, %d bytes, %v", response.StatusCode, n, err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
