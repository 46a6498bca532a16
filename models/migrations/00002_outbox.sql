-- Which cached copies an edit made old. Triggers write it down in the edit's own transaction, so that no edit can
-- forget to, not even one made with psql: for the relay in the table outbox, for all processes as a NOTIFY.

-- +goose Up

-- One row for each key that an edit made old. Whoever makes the edit tells Redis at once; the relay takes what nobody
-- has applied by then (models/relay.go).
CREATE TABLE outbox (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key           text NOT NULL, -- as the cache names it, prefix:id
    xact          xid8 NOT NULL DEFAULT pg_current_xact_id(),
    attempt       integer NOT NULL DEFAULT 0, -- grows with each claim; the mark of an older attempt is refused
    claimed_until timestamptz NOT NULL DEFAULT clock_timestamp() + interval '100 ms', -- the writer's turn
    applied_at    timestamptz
);
CREATE INDEX outbox_pending ON outbox (claimed_until) WHERE applied_at IS NULL;
CREATE INDEX outbox_applied ON outbox (applied_at) WHERE applied_at IS NOT NULL;
CREATE INDEX outbox_xact ON outbox (xact, key);

-- The Redis primaries that were told. Others need to be told again: a promoted replica may have missed something.
CREATE TABLE outbox_target (
    only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    primaries text NOT NULL
);
INSERT INTO outbox_target (primaries) VALUES ('');

-- +goose StatementBegin
CREATE FUNCTION note_keys(prefix text, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (key) SELECT prefix || ':' || id FROM unnest(ids) AS id;
    IF cardinality(ids) > 100 THEN -- the queue of notifications is not made for more
        PERFORM pg_notify('outbox', prefix || ':*');
    ELSE
        PERFORM pg_notify('outbox', prefix || ':' || id) FROM unnest(ids) AS id;
    END IF;
END $$;
-- +goose StatementEnd

-- The cities in which the transaction under way has changed something; empty between transactions.
--
-- Their versions grow when it commits and not before, for two reasons. An editor who leaves a transaction open would
-- keep everybody else in the city waiting. And two transactions that lock rows of theirs and a city in turns would
-- deadlock: this way the cities come last, and in the order of their ids.
CREATE TABLE edited_cities (
    xact    xid8 NOT NULL DEFAULT pg_current_xact_id(),
    city_id smallint NOT NULL,
    PRIMARY KEY (xact, city_id)
);

-- +goose StatementBegin
CREATE FUNCTION note_cities(ids smallint[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO edited_cities (city_id) SELECT DISTINCT unnest(ids) ON CONFLICT DO NOTHING
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION bump_cities() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    edited smallint[] := array(SELECT city_id FROM edited_cities WHERE xact = pg_current_xact_id());
BEGIN
    PERFORM 1 FROM cities WHERE id = ANY (edited) ORDER BY id FOR NO KEY UPDATE;
    UPDATE cities SET version = version + 1 WHERE id = ANY (edited);
    DELETE FROM edited_cities WHERE xact = pg_current_xact_id();
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER bump_cities AFTER INSERT ON edited_cities
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bump_cities();

-- Apartments: their own pages, and everything that lists or counts homes of their cities. Rows that an UPDATE leaves as
-- they were are skipped; a move concerns both cities. TRUNCATE has no transition tables: its trigger runs before it.
-- +goose StatementBegin
CREATE FUNCTION apartments_edited() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ids      bigint[];
    city_ids smallint[];
BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
        SELECT array_agg(id), array_agg(DISTINCT city_id) INTO ids, city_ids FROM new_rows;
    WHEN 'UPDATE' THEN
        SELECT array_agg(DISTINCT id), array_agg(DISTINCT city_id) INTO ids, city_ids
        FROM ((TABLE old_rows EXCEPT TABLE new_rows) UNION ALL (TABLE new_rows EXCEPT TABLE old_rows)) AS changed;
    WHEN 'DELETE' THEN
        SELECT array_agg(id), array_agg(DISTINCT city_id) INTO ids, city_ids FROM old_rows;
    WHEN 'TRUNCATE' THEN
        SELECT array_agg(id), array_agg(DISTINCT city_id) INTO ids, city_ids FROM apartments;
    END CASE;
    PERFORM note_keys('apartment', ids), note_cities(city_ids);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER inserted AFTER INSERT ON apartments REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION apartments_edited();
CREATE TRIGGER updated AFTER UPDATE ON apartments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION apartments_edited();
CREATE TRIGGER deleted AFTER DELETE ON apartments REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION apartments_edited();
CREATE TRIGGER truncated BEFORE TRUNCATE ON apartments
    FOR EACH STATEMENT EXECUTE FUNCTION apartments_edited();

-- Price history: the apartment's own page.
-- +goose StatementBegin
CREATE FUNCTION price_history_edited() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
        ids := array(SELECT DISTINCT apartment_id FROM new_rows);
    WHEN 'UPDATE' THEN
        ids := array(SELECT DISTINCT apartment_id
                     FROM ((TABLE old_rows EXCEPT TABLE new_rows) UNION ALL (TABLE new_rows EXCEPT TABLE old_rows)) AS changed);
    WHEN 'DELETE' THEN
        ids := array(SELECT DISTINCT apartment_id FROM old_rows);
    WHEN 'TRUNCATE' THEN
        ids := array(SELECT DISTINCT apartment_id FROM price_history);
    END CASE;
    PERFORM note_keys('apartment', ids);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER inserted AFTER INSERT ON price_history REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION price_history_edited();
CREATE TRIGGER updated AFTER UPDATE ON price_history REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION price_history_edited();
CREATE TRIGGER deleted AFTER DELETE ON price_history REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION price_history_edited();
CREATE TRIGGER truncated BEFORE TRUNCATE ON price_history
    FOR EACH STATEMENT EXECUTE FUNCTION price_history_edited();

-- Buildings: their apartments. A building without any is shown nowhere, and one with some cannot be deleted.
-- +goose StatementBegin
CREATE FUNCTION buildings_edited() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ids      bigint[];
    city_ids smallint[];
BEGIN
    SELECT array_agg(id), array_agg(DISTINCT city_id) INTO ids, city_ids FROM apartments
    WHERE building_id = ANY (array(SELECT id FROM (TABLE new_rows EXCEPT TABLE old_rows) AS changed));
    PERFORM note_keys('apartment', ids), note_cities(city_ids);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER updated AFTER UPDATE ON buildings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION buildings_edited();

-- Districts: the frame of their city's pages, and its lists.
-- +goose StatementBegin
CREATE FUNCTION districts_edited() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    city_ids smallint[];
BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
        city_ids := array(SELECT city_id FROM new_rows);
    WHEN 'UPDATE' THEN
        city_ids := array(SELECT city_id
                          FROM ((TABLE old_rows EXCEPT TABLE new_rows) UNION ALL (TABLE new_rows EXCEPT TABLE old_rows)) AS changed);
    WHEN 'DELETE' THEN
        city_ids := array(SELECT city_id FROM old_rows);
    WHEN 'TRUNCATE' THEN
        city_ids := array(SELECT city_id FROM districts);
    END CASE;
    PERFORM note_cities(city_ids);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER inserted AFTER INSERT ON districts REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION districts_edited();
CREATE TRIGGER updated AFTER UPDATE ON districts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION districts_edited();
CREATE TRIGGER deleted AFTER DELETE ON districts REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION districts_edited();
CREATE TRIGGER truncated BEFORE TRUNCATE ON districts
    FOR EACH STATEMENT EXECUTE FUNCTION districts_edited();

-- Cities are one entry, which carries their versions: it is old whenever a version has grown. What else changes about a
-- city makes its version grow too; a version that grew does not, so this ends.
-- +goose StatementBegin
CREATE FUNCTION cities_edited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (TABLE new_rows EXCEPT TABLE old_rows) THEN
            RETURN NULL;
        END IF;
        PERFORM note_cities(array(
            SELECT n.id FROM new_rows n JOIN old_rows o USING (id) WHERE (n.version = o.version) AND n IS DISTINCT FROM o));
    END IF;
    INSERT INTO outbox (key) VALUES ('cities:all');
    PERFORM pg_notify('outbox', 'cities:all');
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER updated AFTER UPDATE ON cities REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION cities_edited();
CREATE TRIGGER inserted_or_deleted AFTER INSERT OR DELETE OR TRUNCATE ON cities
    FOR EACH STATEMENT EXECUTE FUNCTION cities_edited();

-- +goose Down
DROP TABLE outbox, outbox_target, edited_cities;
DROP FUNCTION apartments_edited, price_history_edited, buildings_edited, districts_edited, cities_edited CASCADE;
DROP FUNCTION bump_cities, note_cities, note_keys;
