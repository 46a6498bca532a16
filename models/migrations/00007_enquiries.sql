-- What visitors ask about homes.

-- +goose Up

CREATE TABLE enquiries (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    form         text NOT NULL UNIQUE, -- the key of the form it was sent with: sent twice, it is stored once
    apartment_id bigint NOT NULL, -- without a foreign key: what somebody has asked outlives the advertisement
    name         text NOT NULL,
    contact      text NOT NULL, -- an e-mail address or a telephone number
    message      text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE enquiries;
