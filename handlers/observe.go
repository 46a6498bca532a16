// Observation: an id, a trace, a log line and metrics for every request.

package handlers

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"podbor/internal/servertiming"
	"podbor/models"
)

// statusClientGone is what logs and metrics show for a client that left before the answer (nginx's 499).
const statusClientGone = 499

const (
	slogWarn  = slog.LevelWarn
	slogError = slog.LevelError
)

func errAttr(err error) slog.Attr { return slog.String("err", err.Error()) }

// observe is the outermost middleware, and the only place that logs a request.
func (s *site) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		r, header := c.Request(), c.Response().Header()
		path := r.URL.Path // localize shortens it
		ctx, trace := models.WithTrace(r.Context())
		ctx, timing := servertiming.With(ctx)
		c.SetRequest(r.WithContext(ctx))
		id := requestID(r.Header.Get(echo.HeaderXRequestID))
		header.Set(echo.HeaderXRequestID, id)
		c.Response().Before(func() { setProvenance(header, trace.Lookups(), timing) })

		err := next(c)
		var status int
		if err != nil && r.Context().Err() != nil && !c.Response().Committed {
			status = statusClientGone // nobody is left to answer
		} else {
			if err != nil {
				c.Error(err)
			}
			status = c.Response().Status
		}

		route, took := routeOf(c), time.Since(start)
		s.metrics.requests.WithLabelValues(route, methodOf(r), strconv.Itoa(status)).Inc()
		s.metrics.seconds.WithLabelValues(route).Observe(took.Seconds())
		level := levelOf(status, route)
		if !s.log.Enabled(ctx, level) {
			return nil
		}
		attrs := append(make([]slog.Attr, 0, 9),
			slog.String("method", r.Method),
			slog.String("route", route),
			slog.String("path", path),
			slog.Int("status", status),
			slog.Int64("bytes", c.Response().Size),
			slog.Float64("ms", float64(took.Microseconds())/1000),
			slog.String("request_id", id),
		)
		if lookups := trace.Lookups(); len(lookups) > 0 {
			attrs = append(attrs, slog.String("cache", summary(lookups)))
		}
		if err != nil && status >= statusClientGone {
			attrs = append(attrs, errAttr(err))
		}
		s.log.LogAttrs(context.WithoutCancel(ctx), level, "request", attrs...)
		return nil
	}
}

type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newMetrics(registry prometheus.Registerer) metrics {
	m := metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_requests_total",
			Help: "Answered requests, by route template; status 499 means that the client left first.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "http_request_seconds",
			Help:    "Time from the request's headers to the end of the answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route"}),
	}
	registry.MustRegister(m.requests, m.seconds)
	return m
}

// routeOf returns the route's template: a label must not hold what a visitor typed.
func routeOf(c echo.Context) string {
	if c.Path() == "" {
		return "none" // answered before the router
	}
	return c.Path()
}

func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
		return r.Method
	}
	return "other"
}

func levelOf(status int, route string) slog.Level {
	switch {
	case status == http.StatusServiceUnavailable:
		return slog.LevelWarn // refused on purpose
	case status == statusClientGone:
		return slog.LevelDebug
	case status >= 500:
		return slog.LevelError
	case route == "/healthz" || route == "/readyz" || route == "/metrics":
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// summary renders lookups such as "cities=l1 facets=loaded list=redis".
func summary(lookups []models.Lookup) string {
	var b strings.Builder
	for i, l := range lookups {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(l.Prefix)
		b.WriteByte('=')
		b.WriteString(string(l.Result))
	}
	return b.String()
}

// requestID keeps an id that a load balancer gave, if it is harmless to log, or draws one.
func requestID(given string) string {
	ok := given != "" && len(given) <= 64 && strings.IndexFunc(given, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_'
	}) < 0
	if ok {
		return given
	}
	return rand.Text()
}
