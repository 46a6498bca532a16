// Package handlers is the site over HTTP: parse and validate, ask the models, map to a view model, render.
//
// A request passes observe (id, trace, log, metrics), recovery and the security headers, then its handler. Handlers
// return errors; handleError turns each into a page. Every body is complete before its first byte is sent, so status,
// length, Cache-Status and Server-Timing are always true.
package handlers

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"podbor/internal/checklist"
	"podbor/internal/lab"
	"podbor/internal/visitor"
	"podbor/models"
)

// Config is what the site needs. All fields but SiteURL and Lab are required, and Sources only with Lab.
type Config struct {
	Store    *models.Cached
	Stored   *models.Store   // past the cache, for those who edit
	Visitors *visitor.Memory // who is logged in, and how often who did what
	Views    *models.Views
	Ready    func(context.Context) error // nil when this process can serve
	Registry *prometheus.Registry        // gets the site's metrics, and is shown under /metrics
	Log      *slog.Logger
	SiteURL  string            // scheme and host of the site; "" to go by each request
	Lab      *checklist.Target // this site, for the lab to look at; nil and there is no lab
	Runner   *lab.Runner       // of the lab's herds; required with Lab
	Sources  fs.FS             // the program's own files, for the lab to show
}

// site carries what the handlers share.
type site struct {
	store    *models.Cached
	stored   *models.Store
	visitors *visitor.Memory
	views    *models.Views
	ready    func(context.Context) error
	log      *slog.Logger
	metrics  metrics
	bodies   bodies
	kept     *keptPages
	siteURL  string
}

// New returns the whole site: routes, middleware and error pages. It panics when the registry already has its metrics.
func New(cfg Config) *echo.Echo {
	s := &site{
		store: cfg.Store, stored: cfg.Stored, visitors: cfg.Visitors, views: cfg.Views,
		ready: cfg.Ready, log: cfg.Log, metrics: newMetrics(cfg.Registry), siteURL: cfg.SiteURL, kept: newKeptPages(),
	}

	e := echo.New()
	e.HTTPErrorHandler = s.handleError
	e.IPExtractor = echo.ExtractIPFromXFFHeader() // which it believes private addresses only: a balancer's
	// Outermost first. All run before the router, so that its errors are observed too.
	e.Pre(
		s.observe,
		middleware.RecoverWithConfig(middleware.RecoverConfig{
			LogErrorFunc:        func(_ echo.Context, err error, stack []byte) error { return fmt.Errorf("panic: %w\n%s", err, stack) },
			DisableStackAll:     true,
			DisableErrorHandler: true, // observe calls it
		}),
		secure,
		middleware.BodyLimit("64K"),
		middleware.RemoveTrailingSlashWithConfig(middleware.TrailingSlashConfig{
			Skipper:      isHome,
			RedirectCode: http.StatusMovedPermanently,
		}),
		localize,
	)

	get := func(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
		e.Match([]string{http.MethodGet, http.MethodHead}, path, h, m...)
	}

	// Pages.
	get("/", s.home)
	get("/:city", s.listing)
	get("/:city/feed.atom", s.feed)
	get("/:city/districts", s.districts)
	get("/search", s.search)
	get("/apartments/:id", s.apartment)
	get("/favourites", s.favourites, private)
	get("/compare", s.compare)
	e.POST("/mine", s.act, private)
	enquiry := e.Group("/apartments/:id/enquiry", private, csrf())
	enquiry.Match([]string{http.MethodGet, http.MethodHead}, "", s.enquiryForm)
	enquiry.POST("", s.sendEnquiry)

	// What is the same in every language has one URL.
	once := func(path string, h echo.HandlerFunc) { get(path, h, inNoLanguage) }
	once("/language", s.chooseLanguage)
	once("/mine.css", s.mineStyle)

	// Pictures and files.
	once("/art/facade/:name", s.facade)
	once("/art/interior/:name", s.interior)
	once("/art/plan/:name", s.plan)
	once("/art/skyline/:name", s.skyline)
	once("/static/:name", s.static)
	once("/favicon.ico", s.favicon)
	once("/robots.txt", s.robots)
	once("/sitemap.xml", s.sitemapIndex)
	once("/sitemaps/:name", s.sitemapPart)

	s.adminRoutes(e)
	if cfg.Lab != nil {
		s.labRoutes(e, cfg)
	}

	// For machines that run the site.
	once("/healthz", s.healthz)
	once("/readyz", s.readyz)
	once("/metrics", echo.WrapHandler(promhttp.HandlerFor(cfg.Registry, promhttp.HandlerOpts{})))
	return e
}
