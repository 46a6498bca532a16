-- Feature flags: parts of the site that can be turned on and off while it runs. With the command `podbor flag`, or here:
-- UPDATE feature_flags SET enabled = false WHERE name = 'just-listed'.

-- +goose Up

CREATE TABLE feature_flags (
    name        text PRIMARY KEY CHECK (name ~ '^[a-z-]+$'),
    description text NOT NULL,
    enabled     boolean NOT NULL,
    updated_at  timestamptz NOT NULL DEFAULT now()
);
INSERT INTO feature_flags (name, description, enabled) VALUES
    ('just-listed', 'the newest homes, on the home page', true),
    ('price-chart', 'the drawn price history, on the page of an apartment', true);

-- +goose StatementBegin
CREATE FUNCTION date_flag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER dated BEFORE UPDATE ON feature_flags
    FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION date_flag();

-- All flags are one cache entry.
-- +goose StatementBegin
CREATE FUNCTION flags_edited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (TABLE new_rows EXCEPT TABLE old_rows) THEN
            RETURN NULL;
        END IF;
    END IF;
    INSERT INTO outbox (key) VALUES ('flag:all');
    PERFORM pg_notify('outbox', 'flag:all');
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER updated AFTER UPDATE ON feature_flags REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION flags_edited();
CREATE TRIGGER inserted_or_deleted AFTER INSERT OR DELETE OR TRUNCATE ON feature_flags
    FOR EACH STATEMENT EXECUTE FUNCTION flags_edited();

-- +goose Down
DROP TABLE feature_flags;
DROP FUNCTION date_flag, flags_edited;
