-- Who may use the server. Kept with the store, so that every server on it knows the same tokens.
--
-- `hash` is SHA-256 of the whole token; the token itself is nowhere. `name` is what people call it, `public` the part of
-- the token that may be shown, by which it is found. Times are in microseconds UTC; a token that is revoked stays in
-- the list.
CREATE TABLE token (
    id      INTEGER PRIMARY KEY,
    public  TEXT NOT NULL UNIQUE,
    name    TEXT NOT NULL,
    scope   TEXT NOT NULL,
    hash    BLOB NOT NULL,
    created INTEGER NOT NULL,
    revoked INTEGER
);
