-- The whole schema, for SQLite and for PostgreSQL: headwater.store.db.dialects writes INTEGER, BLOB and WITHOUT ROWID in
-- PostgreSQL's words. There are no foreign keys: every row is written by one function, in one transaction.
--
-- Facts are rows of `event`, and what is said once for all events that say the same: `body`, `shape`, `mapping`.
-- All else is derived, by pure functions of the facts, and can be built again.
--
-- In the tables that grow with every run, wide columns stand first and texts last: PostgreSQL then leaves no gaps.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Names. Keys are small integers inside; what is shown outside is the name, or a UUID made of names.
-- `key` is a hash of the name, which may be longer than an index can hold. `tail` is a hash of its last part.

-- `fields` counts the fields made so far; `schema` is the body of the schema that was seen last.
CREATE TABLE dataset (
    id        INTEGER PRIMARY KEY,
    key       BLOB NOT NULL UNIQUE,
    tail      INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    name      TEXT NOT NULL,
    fields    INTEGER NOT NULL DEFAULT 0,
    schema    INTEGER
);
CREATE INDEX dataset_by_tail ON dataset (tail);

-- A field's id is dataset * 1048576 + its number, so that its dataset is known without looking. Number 0 is the
-- dataset's rows: a node that every column of the dataset reads; it has no row here.
-- Type, position and description are those of the last schema that names the field; without a position, the field is
-- not in the dataset's last schema, or was seen in lineage only.
CREATE TABLE field (
    id          INTEGER PRIMARY KEY,
    dataset     INTEGER NOT NULL,
    key         BLOB NOT NULL,
    path        TEXT NOT NULL,
    type        TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    position    INTEGER,
    UNIQUE (dataset, key)
);

-- Fields of one dataset that may stand for each other. how: 0 `other` is inside the struct `field`, 1 around it,
-- 2 differs from it in upper and lower case only.
CREATE TABLE kin (
    field INTEGER NOT NULL,
    other INTEGER NOT NULL,
    how   SMALLINT NOT NULL,
    PRIMARY KEY (field, other)
) WITHOUT ROWID;

CREATE TABLE job (
    id        INTEGER PRIMARY KEY,
    key       BLOB NOT NULL UNIQUE,
    tail      INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    name      TEXT NOT NULL
);
CREATE INDEX job_by_tail ON job (tail);

-- What events say, each thing once.

-- The part of an event that repeats from run to run, as compressed canonical JSON.
CREATE TABLE body (
    id      INTEGER PRIMARY KEY,
    hash    BLOB NOT NULL UNIQUE,
    content BLOB NOT NULL
);

-- What an event means: its job, the datasets it names and what it says of them (`mention`), aliases (`symlink`), and
-- words about things (`note`). A job that runs daily has one shape, also where literals in its texts differ.
-- kind: 0 of an event of a run, 1 of a job, 2 of a dataset; job is then 0.
CREATE TABLE shape (
    id        INTEGER PRIMARY KEY,
    hash      BLOB NOT NULL UNIQUE,
    kind      SMALLINT NOT NULL,
    job       INTEGER NOT NULL,
    streaming SMALLINT NOT NULL
);
CREATE INDEX shape_of_job ON shape (job, kind);
CREATE INDEX shape_of_kind ON shape (kind);

-- role: 0 read through views only, 1 read, 2 written, 3 declared by an event about the dataset itself. said: 1 a columnLineage facet is there,
-- -1 it was deleted, 0 neither. `renamed` is the dataset that this one was, before a RENAME.
CREATE TABLE mention (
    shape     INTEGER NOT NULL,
    role      SMALLINT NOT NULL,
    dataset   INTEGER NOT NULL,
    said      SMALLINT NOT NULL,
    mapping   INTEGER,
    schema    INTEGER,
    lifecycle TEXT,
    partial   SMALLINT,
    renamed   INTEGER,
    PRIMARY KEY (shape, role, dataset)
) WITHOUT ROWID;
CREATE INDEX mention_of_dataset ON mention (dataset, role, shape);

CREATE TABLE symlink (
    shape    INTEGER NOT NULL,
    alias    INTEGER NOT NULL,
    physical INTEGER NOT NULL,
    PRIMARY KEY (shape, alias, physical)
) WITHOUT ROWID;
CREATE INDEX symlink_by_alias ON symlink (alias, shape);

-- What an event states of a dataset by itself, beside the inputs of its job, as the lineage facet does: it is made of a
-- `source`, 0 if of nothing that is named, by a job, 0 for the event's own. dataset 0: that job reads the source.
CREATE TABLE made_of (
    shape   INTEGER NOT NULL,
    dataset INTEGER NOT NULL,
    job     INTEGER NOT NULL,
    source  INTEGER NOT NULL,
    PRIMARY KEY (shape, dataset, job, source)
) WITHOUT ROWID;

-- Facets that people ask for beside lineage: ownership, tags, documentation, dataSource, and what was registered by
-- hand. kind: 0 of a dataset, 1 of a job.
CREATE TABLE note (
    kind    SMALLINT NOT NULL,
    entity  INTEGER NOT NULL,
    name    TEXT NOT NULL,
    shape   INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (kind, entity, name, shape)
) WITHOUT ROWID;

-- The names of fields and types as a schema facet gives them: compressed canonical JSON of [path, type, description].
CREATE TABLE schema (
    id      INTEGER PRIMARY KEY,
    hash    BLOB NOT NULL UNIQUE,
    content BLOB NOT NULL
);

-- What a columnLineage facet says. `structure` is a fingerprint of the edges without their texts, `text` of their
-- texts, literals normalised; `hash` is of both and the dataset. The texts kept are those of the earliest event that
-- says the same, whose stamp this is. `origin` is set for the mapping of a rename: every field from that dataset. `root`
-- is set for a mapping that goes on under a new name: it says of this dataset what the root says of the one that it was.
CREATE TABLE mapping (
    id        INTEGER PRIMARY KEY,
    hash      BLOB NOT NULL UNIQUE,
    dataset   INTEGER NOT NULL,
    structure BLOB NOT NULL,
    text      BLOB NOT NULL,
    stamp     BLOB NOT NULL,
    origin    INTEGER,
    root      INTEGER
);
CREATE INDEX mapping_of_origin ON mapping (origin) WHERE origin IS NOT NULL;
CREATE INDEX mapping_of_root ON mapping (root) WHERE root IS NOT NULL;

-- The ways in which a value goes into another. type: OpenLineage's DIRECT or INDIRECT; RENAME where a column goes on
-- under a new name, by an ALTER; LEFT_OUT where a mapping leaves a column out. masking: what that does to the masking of the value, as the bits of
-- headwater.common.masking.Masking; 0 is nothing.
CREATE TABLE step (
    id      INTEGER PRIMARY KEY,
    hash    BLOB NOT NULL UNIQUE,
    type    TEXT NOT NULL,
    subtype TEXT NOT NULL,
    masking SMALLINT NOT NULL
);

-- From the rows of another dataset (in_field), with a step of the subtype ROWS, into what counts these rows. From the rows
-- of the mapping's own dataset, with a step of the type LEFT_OUT, into a column that the mapping leaves out: nobody says
-- what it is made of. Such a row is no edge.
CREATE TABLE edge (
    mapping     INTEGER NOT NULL,
    out_field   INTEGER NOT NULL,
    ordinal     INTEGER NOT NULL,
    in_field    INTEGER NOT NULL,
    step        INTEGER NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (mapping, out_field, ordinal)
) WITHOUT ROWID;
CREATE INDEX edge_by_input ON edge (in_field, mapping);

-- The sets of datasets that runs read.
CREATE TABLE inputs (
    id   INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE
);
CREATE TABLE input (
    inputs  INTEGER NOT NULL,
    dataset INTEGER NOT NULL,
    PRIMARY KEY (inputs, dataset)
) WITHOUT ROWID;
CREATE INDEX input_by_dataset ON input (dataset, inputs);

-- Facts.

-- One row an event. The hash is over its canonical JSON, so a repeated event is known; it is looked for beside its
-- time, where what was written last is near. kind: 0 of a run, 1 of a job,
-- 2 of a dataset. type: START 0, RUNNING 1, OTHER 2, COMPLETE 3, FAIL 4, ABORT 5. `rest` is what `body` does not
-- hold, compressed; without it and the body, the raw event was dropped by retention.
CREATE TABLE event (
    us    INTEGER NOT NULL,
    shape INTEGER NOT NULL,
    run   INTEGER,
    body  INTEGER,
    kind  SMALLINT NOT NULL,
    type  SMALLINT NOT NULL,
    hash  BLOB NOT NULL,
    rest  BLOB,
    UNIQUE (us, hash)
);
CREATE INDEX event_of_run ON event (run, shape, us) WHERE run IS NOT NULL;
CREATE INDEX event_of_shape ON event (shape, us);

-- Runs merge: the least first_us, and of job, parent and end those with the greatest stamp. A stamp is an event's
-- place in time: eventTime, rank of its type, hash; stamps compare byte by byte. A run's last event often says it all:
-- the job's stamp is not written where it is that of the end, nor the parent's where it is the job's.
CREATE TABLE run (
    id           INTEGER PRIMARY KEY,
    first_us     INTEGER,
    job          INTEGER,
    parent       INTEGER,
    end_type     SMALLINT,
    streaming    SMALLINT NOT NULL DEFAULT 0,
    uuid         BLOB NOT NULL UNIQUE,
    job_stamp    BLOB,
    parent_stamp BLOB,
    end_stamp    BLOB
);
CREATE INDEX run_of_parent ON run (parent) WHERE parent IS NOT NULL;
CREATE INDEX run_of_job ON run (job, first_us);

-- The shapes of a streaming run's events: few, while the events may be millions.
CREATE TABLE stream_shape (
    run   INTEGER NOT NULL,
    shape INTEGER NOT NULL,
    PRIMARY KEY (run, shape)
) WITHOUT ROWID;

-- The version facets of a run's datasets; the greatest stamp stays. role: 1 read, 2 written.
CREATE TABLE named (
    run     INTEGER NOT NULL,
    role    SMALLINT NOT NULL,
    dataset INTEGER NOT NULL,
    us      INTEGER NOT NULL,
    stamp   BLOB NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (run, role, dataset, us)
) WITHOUT ROWID;

-- Derived.

-- One row for each write that counts: the mapping in effect, and whether it was carried over from the job's write
-- before. job 0 is the dataset's own declaration; dataset 0 stands for nothing: what a job did that only read; run is NULL for what was declared. `read_us` is when the run read
-- its inputs. `name` is what a version facet calls it, `name_key` a hash of that. `whole` says that the write left nothing of what the dataset held, `removal` that it left nothing at all.
-- `renamed`: of a removal by a rename, the dataset under its new name; of a write that goes on under a new name, which is
-- written again there with the stamp of the rename, the dataset under its old one.
CREATE TABLE version (
    dataset   INTEGER NOT NULL,
    job       INTEGER NOT NULL,
    us        INTEGER NOT NULL,
    read_us   INTEGER NOT NULL,
    run       INTEGER,
    mapping   INTEGER,
    inputs    INTEGER,
    name_key  INTEGER,
    carried   SMALLINT NOT NULL,
    whole     SMALLINT NOT NULL,
    removal   SMALLINT NOT NULL,
    renamed   INTEGER,
    stamp     BLOB NOT NULL,
    uuid      BLOB NOT NULL,
    lifecycle TEXT,
    name      TEXT,
    PRIMARY KEY (dataset, job, stamp)
) WITHOUT ROWID;
CREATE INDEX version_by_time ON version (dataset, us);
CREATE INDEX version_by_uuid ON version (uuid);
CREATE INDEX version_of_run ON version (run, us) WHERE run IS NOT NULL;
CREATE INDEX version_whole ON version (dataset, stamp) WHERE whole = 1;
CREATE INDEX version_altered ON version (dataset, stamp) WHERE lifecycle = 'ALTER';
CREATE INDEX version_renamed ON version (dataset, stamp) WHERE renamed IS NOT NULL;
CREATE INDEX version_by_name ON version (dataset, name_key) WHERE name_key IS NOT NULL;

-- What a job's writes to a dataset keep in force from one moment (included) until another (not included); the
-- greatest integer is "still".
CREATE TABLE slot (
    dataset  INTEGER NOT NULL,
    until_us INTEGER NOT NULL,
    job      INTEGER NOT NULL,
    from_us  INTEGER NOT NULL,
    mapping  INTEGER,
    inputs   INTEGER,
    PRIMARY KEY (dataset, until_us, job, from_us)
) WITHOUT ROWID;
CREATE INDEX slot_of_mapping ON slot (mapping, until_us) WHERE mapping IS NOT NULL;
CREATE INDEX slot_of_inputs ON slot (inputs, until_us) WHERE inputs IS NOT NULL;
CREATE INDEX slot_of_job ON slot (job, dataset, until_us);

-- Which dataset an alias stood for, and when.
CREATE TABLE alias (
    dataset  INTEGER NOT NULL,
    until_us INTEGER NOT NULL,
    from_us  INTEGER NOT NULL,
    physical INTEGER NOT NULL,
    PRIMARY KEY (dataset, until_us)
) WITHOUT ROWID;
CREATE INDEX alias_of_physical ON alias (physical, until_us);

-- Search: the words of names, tags and descriptions, by the trigrams in them. kind: 0 dataset, 1 field, 2 job.
CREATE TABLE term (
    id   INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    word TEXT NOT NULL
);
CREATE TABLE gram (
    gram INTEGER NOT NULL,
    term INTEGER NOT NULL,
    PRIMARY KEY (gram, term)
) WITHOUT ROWID;
CREATE TABLE term_use (
    term   INTEGER NOT NULL,
    kind   SMALLINT NOT NULL,
    entity INTEGER NOT NULL,
    what   SMALLINT NOT NULL,
    PRIMARY KEY (term, kind, entity, what)
) WITHOUT ROWID;

-- Who may use the server. Kept with the store, so that every server on it knows the same tokens.
--
-- `hash` is SHA-256 of the whole token; the token itself is nowhere. `name` is what people call it, `public` the part of
-- the token that may be shown, by which it is found. Times are in microseconds UTC; a token that is revoked stays in
-- the list, and so does one that has expired. `used` is about when a request last brought it.
CREATE TABLE token (
    id      INTEGER PRIMARY KEY,
    public  TEXT NOT NULL UNIQUE,
    name    TEXT NOT NULL,
    scope   TEXT NOT NULL,
    hash    BLOB NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    used    INTEGER,
    revoked INTEGER
);

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
