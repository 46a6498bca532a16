// One request as a visitor's browser would make it, and everything worth knowing about it.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync"
	"time"

	"podbor/internal/report"
)

// A client visits the site's processes. Every request under way has a connection of its own.
type client struct {
	http      *http.Client
	addresses []string // of the processes
	timeout   time.Duration

	mu       sync.Mutex
	prepared map[string][]net.Conn // connections opened ahead of time, by address
}

func newClient(addresses []string, timeout time.Duration) *client {
	c := &client{addresses: addresses, timeout: timeout, prepared: map[string][]net.Conn{}}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext:         c.dial,
			MaxIdleConnsPerHost: 10_000, // Go's default of 2 would measure dialling
			DisableCompression:  true,   // no gzip asked: the generator shares the processor with the site
		},
		// A redirect would be a request that nobody planned.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// prepare opens n connections to each process, so that a herd finds them open.
func (c *client) prepare(ctx context.Context, n int) error {
	for _, address := range c.addresses {
		for range n {
			var d net.Dialer
			conn, err := d.DialContext(ctx, "tcp", address)
			if err != nil {
				return fmt.Errorf("opening connections: %w", err)
			}
			c.mu.Lock()
			c.prepared[address] = append(c.prepared[address], conn)
			c.mu.Unlock()
		}
	}
	return nil
}

func (c *client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c.mu.Lock()
	if ready := c.prepared[address]; len(ready) > 0 {
		c.prepared[address] = ready[1:]
		c.mu.Unlock()
		return ready[0], nil
	}
	c.mu.Unlock()
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}

func (c *client) close() {
	c.http.CloseIdleConnections()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conns := range c.prepared {
		for _, conn := range conns {
			conn.Close() //nolint:errcheck // never used
		}
	}
}

// get makes one request. The client gives up when its timeout has passed since the request was due,
// however late it was sent: a visitor's patience does not wait for our scheduler.
func (c *client) get(ctx context.Context, zero time.Time, a arrival) report.Request {
	due := zero.Add(a.due)
	since := func(t time.Time) float64 { return float64(t.Sub(zero).Microseconds()) / 1000 }
	r := report.Request{Start: since(due), Process: a.process + 1}

	ctx, cancel := context.WithDeadline(ctx, due.Add(c.timeout))
	defer cancel()
	var sent, first time.Time
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest:         func(httptrace.WroteRequestInfo) { sent = time.Now() },
		GotFirstResponseByte: func() { first = time.Now() },
	})
	response, err := c.fetch(ctx, "http://"+c.addresses[a.process]+a.path)
	end := time.Now()

	r.End = since(end)
	r.Sent = r.End
	if !sent.IsZero() {
		r.Sent = since(sent)
	}
	if !first.IsZero() {
		r.FirstByte = since(first)
	}
	switch {
	case err == nil && response.StatusCode == http.StatusOK:
		r.Status = response.StatusCode
		r.Outcome = outcomeOf(response.Header.Get("Cache-Status"))
		r.Phases = phases(response.Header.Get("Server-Timing"))
	case err == nil:
		r.Status = response.StatusCode
		r.Outcome = report.Error
		r.Error = "status " + strconv.Itoa(response.StatusCode)
		if response.StatusCode == http.StatusServiceUnavailable {
			r.Outcome = report.Shed
		}
	case errors.Is(err, context.DeadlineExceeded):
		r.Outcome = report.Timeout
	default:
		r.Outcome = report.Error
		r.Error = err.Error()
	}
	return r
}

// fetch returns a response whose body has been read to its end.
func (c *client) fetch(ctx context.Context, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response, err
}

// outcomeOf reads how the heaviest lookup of a page was answered out of Cache-Status (RFC 9211), such as
// "podbor-cities; hit; ttl=4; detail=l1, podbor-facets; fwd=uri-miss; collapsed; detail=coalesced".
func outcomeOf(cacheStatus string) report.Outcome {
	var last report.Outcome
	for member := range strings.SplitSeq(cacheStatus, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(member), ";")
		for parameter := range strings.SplitSeq(parameters, ";") {
			if detail, found := strings.CutPrefix(strings.TrimSpace(parameter), "detail="); found {
				last = report.Outcome(detail)
			}
		}
		if strings.HasSuffix(name, "-facets") || strings.HasSuffix(name, "-apartment") {
			break // what the page is about; the rest is its frame
		}
	}
	if last == "" {
		return report.Loaded // a page without any cache
	}
	return last
}

// phases reads Server-Timing, such as "facets-flight;dur=150.2, pool;dur=0.1", into milliseconds.
func phases(serverTiming string) map[string]float64 {
	if serverTiming == "" {
		return nil
	}
	found := map[string]float64{}
	for metric := range strings.SplitSeq(serverTiming, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(metric), ";")
		for parameter := range strings.SplitSeq(parameters, ";") {
			if duration, ok := strings.CutPrefix(strings.TrimSpace(parameter), "dur="); ok {
				if ms, err := strconv.ParseFloat(duration, 64); err == nil {
					found[name] = ms
				}
			}
		}
	}
	return found
}
