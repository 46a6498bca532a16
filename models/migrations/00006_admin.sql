-- Who may edit, and who has edited what.

-- +goose Up

CREATE TABLE admins (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
    password   text NOT NULL, -- its bcrypt hash
    version    integer NOT NULL DEFAULT 1, -- grows with each new password, which ends the sessions of the old one
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Written in the edit's own transaction. It names the editor and does not refer to the account: it outlives both the
-- account and the apartment.
CREATE TABLE edit_log (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    editor       text NOT NULL,
    apartment_id bigint NOT NULL,
    before       jsonb, -- what has changed, as it was; NULL for a new apartment
    after        jsonb NOT NULL
);
CREATE INDEX edit_log_apartment ON edit_log (apartment_id, id);

-- +goose Down
DROP TABLE edit_log, admins;
