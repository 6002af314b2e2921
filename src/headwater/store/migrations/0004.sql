-- What people say by hand, over the API. These are facts: no event holds them, so nothing derives them again.

-- Tags that may be given, with what they mean.
CREATE TABLE tag (
    id          INTEGER PRIMARY KEY,
    key         BLOB NOT NULL UNIQUE,
    name        TEXT NOT NULL,
    description TEXT
);

-- Tags of things, by name: given (1) or taken away (0); the latter also hides a tag that an event gives.
-- kind: 0 dataset, 1 field, 2 job, as in `term_use`; `key` is a hash of the tag.
CREATE TABLE tagged (
    kind   SMALLINT NOT NULL,
    entity INTEGER NOT NULL,
    key    BLOB NOT NULL,
    state  SMALLINT NOT NULL,
    tag    TEXT NOT NULL,
    PRIMARY KEY (kind, entity, key)
) WITHOUT ROWID;

-- Datasets and jobs that were deleted: hidden until an event of a later time names them. Kinds as in `tagged`.
CREATE TABLE hidden (
    kind   SMALLINT NOT NULL,
    entity INTEGER NOT NULL,
    us     INTEGER NOT NULL,
    PRIMARY KEY (kind, entity)
) WITHOUT ROWID;

-- Namespaces that someone described or deleted; all others are there by the names in them.
CREATE TABLE namespace (
    id          INTEGER PRIMARY KEY,
    key         BLOB NOT NULL UNIQUE,
    created_us  INTEGER NOT NULL,
    updated_us  INTEGER NOT NULL,
    hidden_us   INTEGER,
    name        TEXT NOT NULL,
    owner       TEXT NOT NULL,
    description TEXT
);

-- Sources that someone described; all others are there by the dataSource facets that name them.
CREATE TABLE source (
    id          INTEGER PRIMARY KEY,
    key         BLOB NOT NULL UNIQUE,
    created_us  INTEGER NOT NULL,
    updated_us  INTEGER NOT NULL,
    name        TEXT NOT NULL,
    type        TEXT NOT NULL,
    url         TEXT NOT NULL,
    description TEXT
);
