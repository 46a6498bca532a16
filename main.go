// Podbor serves an apartment-listing site whose lists and counts are cached behind single-flight and a Redis lease.
// This file only wires the parts together; read run from top to bottom, and the shutdown from bottom to top.

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"podbor/cache"
	"podbor/handlers"
	"podbor/internal/checklist"
	"podbor/internal/lab"
	"podbor/internal/redisstats"
	"podbor/internal/visitor"
	"podbor/models"
	"podbor/seed"
)

func main() {
	tuneCollector()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "podbor: "+err.Error())
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}

// tuneCollector lets the heap grow to five times of what is live before a collection, unless GOGC says otherwise. What is
// live is small (L1 is bounded), and by default the collector takes a third of the time of a page from L1.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// run serves the site until ctx ends.
func run(ctx context.Context, cfg config, log *slog.Logger) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("", strconv.Itoa(cfg.Port)))
	if err != nil {
		return fmt.Errorf("port %d is taken, perhaps by another copy; choose one with PORT=… (%w)", cfg.Port, err)
	}
	defer listener.Close()

	private, err := startPrivateServers(ctx, &cfg, log)
	if err != nil {
		return err
	}
	defer private.stop()

	stopPprof, err := startPprof(ctx, cfg.PprofPort, log)
	if err != nil {
		return err
	}
	defer stopPprof()

	db, err := openDatabase(ctx, cfg)
	if err != nil {
		return err
	}
	defer db.Close()

	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))

	client, err := cache.Connect(cfg.RedisURL)
	if err != nil {
		return err
	}
	defer client.Close()
	sessions, err := cache.Connect(cfg.SessionRedisURL)
	if err != nil {
		return err
	}
	defer sessions.Close()
	registry.MustRegister(redisstats.New("cache", client), redisstats.New("session", sessions), siteInfo(cfg.Strategy))

	replicas, err := cache.ConnectReplicas(cfg.RedisURL)
	if err != nil {
		return err
	}
	if replicas != nil {
		defer replicas.Close()
	}

	c, relay, err := openCache(ctx, cfg, client, replicas, db, registry, log)
	if err != nil {
		return err
	}
	defer c.Close()
	listing, closeListing, err := openListingCache(ctx, cfg, c, db, registry, log)
	if err != nil {
		return err
	}
	defer closeListing()

	stored := models.NewStore(db, registry)
	store, err := models.NewCached(stored, c, listing, cfg.Strategy)
	if err != nil {
		return err
	}
	relay.Start(store)
	defer relay.Close()
	defer models.Listen(db, store, log).Close()

	namespace, err := cacheNamespace(ctx, db)
	if err != nil {
		return err
	}
	views := models.CountViews(db, sessions, namespace, log)
	defer views.Close()

	var target *checklist.Target
	var runner *lab.Runner
	if cfg.Lab {
		target = &checklist.Target{URL: fmt.Sprintf("http://127.0.0.1:%d", cfg.Port), Cache: client, Session: sessions, Namespace: namespace}
		if runner, err = openLab(cfg, client, namespace, private.breakable, log); err != nil {
			return err
		}
		defer runner.Close()
		defer context.AfterFunc(ctx, runner.Cancel)() // who looks on does not hold up the end
		log.Info("the lab is on", "url", fmt.Sprintf("http://localhost:%d/lab", cfg.Port))
	}
	site := handlers.New(handlers.Config{
		Store: store, Stored: stored, Visitors: visitor.New(sessions, namespace), Views: views,
		Ready: db.Ready, Registry: registry, Log: log, SiteURL: cfg.SiteURL, Lab: target, Runner: runner, Sources: sources,
	})
	log.Info("serving", "url", fmt.Sprintf("http://localhost:%d", cfg.Port), "strategy", cfg.Strategy)
	return serve(ctx, listener, site, private.exited, log)
}

// openDatabase connects, migrates and fills an empty database.
func openDatabase(ctx context.Context, cfg config) (*models.DB, error) {
	db, err := models.Open(ctx, cfg.DatabaseURL, cfg.DBPool)
	if err != nil {
		return nil, err
	}
	if err = db.Migrate(ctx); err == nil {
		err = seed.Run(ctx, cfg.DatabaseURL, cfg.SeedRows, newProgress(os.Stderr))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// serve answers until ctx ends or something it needs has died, then finishes the requests under way.
func serve(ctx context.Context, listener net.Listener, site http.Handler, died <-chan error, log *slog.Logger) error {
	server := &http.Server{
		Handler:           site,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute, // an unprotected strategy may answer that late
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()

	var cause error
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case cause = <-died:
	case <-ctx.Done():
	}
	log.Info("stopping")
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		log.Warn("requests cut off", "err", err)
		_ = server.Close()
	}
	return cause
}
