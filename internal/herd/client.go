// One request as a visitor's browser would make it, and everything worth knowing about it.

package herd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"podbor/internal/report"
)

// A Client visits the site's processes. Every request under way has a connection of its own, which is then kept
// for later ones. It speaks HTTP/1.1 itself: net/http's client costs several times the processor time, which on a
// small machine is taken from the site, and spreads the sending of a herd over tens of milliseconds.
type Client struct {
	addresses []string // of the processes
	timeout   time.Duration

	mu   sync.Mutex
	idle map[int][]*connection // by process
}

type connection struct {
	net.Conn
	reader *bufio.Reader
}

// NewClient returns a client for processes at those addresses. A visitor gives up when timeout has passed.
func NewClient(addresses []string, timeout time.Duration) *Client {
	return &Client{addresses: addresses, timeout: timeout, idle: map[int][]*connection{}}
}

// Addresses are those of the processes.
func (c *Client) Addresses() []string { return c.addresses }

// Timeout is how long a visitor waits.
func (c *Client) Timeout() time.Duration { return c.timeout }

// Prepare opens n connections to each process, so that a herd finds them open.
func (c *Client) Prepare(ctx context.Context, n int) error {
	group, ctx := errgroup.WithContext(ctx)
	for process := range c.addresses {
		group.Go(func() error {
			for range n {
				conn, err := c.dial(ctx, process)
				if err != nil {
					return err
				}
				c.keep(process, conn)
			}
			return nil
		})
	}
	return group.Wait()
}

func (c *Client) dial(ctx context.Context, process int) (*connection, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", c.addresses[process])
	if err != nil {
		return nil, fmt.Errorf("opening a connection: %w", err)
	}
	return &connection{conn, bufio.NewReader(conn)}, nil
}

// take returns a connection that nobody uses, a new one if there is none.
func (c *Client) take(ctx context.Context, process int) (*connection, error) {
	if conn := c.takeIdle(process); conn != nil {
		return conn, nil
	}
	return c.dial(ctx, process)
}

func (c *Client) takeIdle(process int) *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	idle := c.idle[process]
	if len(idle) == 0 {
		return nil
	}
	conn := idle[len(idle)-1]
	c.idle[process] = idle[:len(idle)-1]
	return conn
}

func (c *Client) keep(process int, conn *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle[process] = append(c.idle[process], conn)
}

// Close closes the connections that nobody uses.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, idle := range c.idle {
		for _, conn := range idle {
			conn.Close()
		}
	}
	clear(c.idle)
}

// Get makes one request. The client gives up when its timeout has passed since the request was due,
// however late it was sent: a visitor's patience does not wait for our scheduler.
func (c *Client) Get(ctx context.Context, zero time.Time, a Arrival) report.Request {
	due := zero.Add(a.Due)
	x := exchange{patience: due.Add(c.timeout)}
	x.do(ctx, c, a)
	end := time.Now()

	since := func(t time.Time) float64 { return report.MS(t.Sub(zero)) }
	r := report.Request{Start: since(due), Sent: since(end), End: since(end), Process: a.Process + 1}
	if !x.sent.IsZero() {
		r.Sent = since(x.sent)
	}
	if !x.firstByte.IsZero() {
		r.FirstByte = since(x.firstByte)
	}
	switch {
	case errors.Is(x.err, os.ErrDeadlineExceeded) || errors.Is(x.err, context.DeadlineExceeded):
		r.Outcome = report.Timeout
	case x.err != nil:
		r.Outcome, r.Error = report.Error, x.err.Error()
	case x.status == a.status():
		r.Status, r.Outcome, r.Phases = x.status, outcomeOf(x.header.Get("Cache-Status")), phases(x.header.Get("Server-Timing"))
	case x.status == http.StatusServiceUnavailable:
		r.Status, r.Outcome = x.status, report.Shed
	default:
		r.Status, r.Outcome, r.Error = x.status, report.Error, "status "+strconv.Itoa(x.status)
	}
	return r
}

// status is that of the right answer.
func (a Arrival) status() int {
	if a.Absent {
		return http.StatusNotFound
	}
	return http.StatusOK
}

// An exchange is a request on the wire and its answer.
type exchange struct {
	patience        time.Time // when the client gives up
	sent, firstByte time.Time
	status          int
	header          http.Header
	err             error
}

func (x *exchange) do(ctx context.Context, c *Client, a Arrival) {
	ctx, cancel := context.WithDeadline(ctx, x.patience)
	defer cancel()
	conn, err := c.take(ctx, a.Process)
	if err != nil {
		x.err = err
		return
	}
	reusable := false
	if x.err = conn.SetDeadline(x.patience); x.err == nil {
		stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) }) //nolint:errcheck // then the deadline does it
		reusable, x.err = x.talk(conn, c.addresses[a.Process], a.Path)
		reusable = stop() && reusable
	}
	if reusable {
		c.keep(a.Process, conn)
	} else {
		conn.Close()
	}
}

// talk sends the request and reads the answer to its end. No gzip is asked for: unpacking is not what is measured.
func (x *exchange) talk(conn *connection, host, path string) (reusable bool, err error) {
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nUser-Agent: podbor-herd\r\n\r\n"); err != nil {
		return false, err
	}
	x.sent = time.Now()
	if _, err := conn.reader.Peek(1); err != nil {
		return false, err
	}
	x.firstByte = time.Now()
	response, err := http.ReadResponse(conn.reader, nil)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	x.status, x.header = response.StatusCode, response.Header
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && !response.Close, err
}

// FillPools makes every process open all its database connections, by more visitors at once than it has of them. A site
// that has been serving for a while has done so, and a herd must not be the one to wait for it.
func FillPools(ctx context.Context, c *Client, pool int, page func(i int) string) {
	processes := len(c.addresses)
	Generator{Client: c, MaxInFlight: 2 * pool * processes}.Send(ctx, nil, time.Now(), func(yield func(Arrival) bool) {
		for i := range 2 * pool * processes {
			if !yield(Arrival{Process: i % processes, Path: page(i)}) {
				return
			}
		}
	})
}
