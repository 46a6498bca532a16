-- How often apartments were looked at. A table of its own: a view is no edit, so it must wake no trigger and void no cache.

-- +goose Up

-- Without a foreign key: no edit should wait for a counter, and the count of a deleted apartment harms nobody.
CREATE TABLE apartment_views (
    apartment_id bigint PRIMARY KEY,
    views        bigint NOT NULL CHECK (views > 0)
);

-- The batches of views that were added lately, so that one that is tried again counts once.
CREATE TABLE view_batches (
    id         text PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE view_batches, apartment_views;
