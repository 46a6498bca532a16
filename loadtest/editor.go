// The editor: a process like the site's, with a page that shows an apartment's version, and one that edits it. This
// program runs itself as one, because the site has no such pages for everybody.

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"podbor/cache"
	"podbor/models"
)

// editorVariable is set for a process that is to be an editor. The rest it is told as the site is.
const editorVariable = "LOADTEST_EDITOR"

// editedMark is what an edit puts behind an apartment's description, and the next takes away.
const editedMark = " (edited)"

// runEditor serves until ctx ends.
func runEditor(ctx context.Context) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", os.Getenv("PORT")))
	if err != nil {
		return err
	}
	defer listener.Close()
	pool, err := strconv.Atoi(os.Getenv("DB_POOL"))
	if err != nil {
		return err
	}
	db, err := models.Open(ctx, os.Getenv("DATABASE_URL"), pool)
	if err != nil {
		return err
	}
	defer db.Close()
	client, err := cache.Connect(os.Getenv("REDIS_URL"))
	if err != nil {
		return err
	}
	defer client.Close()
	namespace, err := db.Namespace(ctx)
	if err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	relay := models.NewRelay(db, func(ctx context.Context) (string, error) { return cache.Primaries(ctx, client) }, slog.Default())
	c, err := cache.New(cache.Options{Client: client, Namespace: namespace, Registry: registry, MaxLoads: bulkhead(pool), Probe: relay.Probe})
	if err != nil {
		return err
	}
	defer c.Close()
	store, err := models.NewCached(models.NewStore(db, registry), c, c, cache.Strategy(os.Getenv("STRATEGY")))
	if err != nil {
		return err
	}
	relay.Start(store)
	defer relay.Close()
	defer models.Listen(db, store, slog.Default()).Close()
	return serveEditor(ctx, listener, store)
}

func serveEditor(ctx context.Context, listener net.Listener, store *models.Cached) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /apartments/{id}", func(w http.ResponseWriter, r *http.Request) {
		answer(w, r, func(id int64) (models.Detail, error) { return store.Apartment(r.Context(), id) })
	})
	mux.HandleFunc("POST /apartments/{id}", func(w http.ResponseWriter, r *http.Request) {
		answer(w, r, func(id int64) (models.Detail, error) {
			version, err := strconv.ParseInt(r.URL.Query().Get("version"), 10, 32)
			if err != nil {
				return models.Detail{}, err
			}
			return store.UpdateApartment(r.Context(), "loadtest", id, int32(version), func(d *models.Draft) {
				text, edited := strings.CutSuffix(d.Description, editedMark)
				if !edited {
					text += editedMark
				}
				d.Description = text
			})
		})
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return server.Shutdown(context.WithoutCancel(ctx))
	}
}

// answer writes the version of the apartment that get returns.
func answer(w http.ResponseWriter, r *http.Request, get func(id int64) (models.Detail, error)) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err == nil {
		var detail models.Detail
		if detail, err = get(id); err == nil {
			fmt.Fprint(w, detail.Version)
			return
		}
	}
	status := http.StatusInternalServerError
	if errors.Is(err, models.ErrConflict) {
		status = http.StatusConflict
	}
	http.Error(w, err.Error(), status)
}
