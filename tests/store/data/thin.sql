-- Names. Keys are small integers inside; what is shown outside is always the name.

CREATE TABLE dataset (
    id        INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    name      TEXT NOT NULL,
    UNIQUE (namespace, name)
);

-- Type and position are those of the last schema that names the field; without a position, the field is not in the
-- dataset's last schema, or was seen in lineage only.
CREATE TABLE field (
    id       INTEGER PRIMARY KEY,
    dataset  INTEGER NOT NULL REFERENCES dataset (id),
    path     TEXT NOT NULL,
    type     TEXT NOT NULL DEFAULT '',
    position INTEGER,
    UNIQUE (dataset, path)
);

CREATE TABLE job (
    id        INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    name      TEXT NOT NULL,
    UNIQUE (namespace, name)
);

-- Facts. Each merges by union or by the greatest stamp, so the order in which events arrive does not matter. A stamp
-- is the event's place in time: eventTime, rank of its type, hash; stamps compare byte by byte.

-- One row an event. `raw` is its canonical JSON, compressed; the hash is over that JSON, so a repeated event is known.
CREATE TABLE event (
    id   INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    us   INTEGER NOT NULL,
    run  INTEGER REFERENCES run (id),
    raw  BLOB
);

CREATE TABLE run (
    id           INTEGER PRIMARY KEY,
    uuid         TEXT NOT NULL UNIQUE,
    first_us     INTEGER,
    job          INTEGER REFERENCES job (id),
    job_stamp    BLOB,
    parent       INTEGER REFERENCES run (id),
    parent_stamp BLOB,
    end_type     TEXT,
    end_stamp    BLOB
);
CREATE INDEX run_of_parent ON run (parent) WHERE parent IS NOT NULL;

-- role: 1 the run reads the dataset, 2 it writes it.
CREATE TABLE run_dataset (
    run     INTEGER NOT NULL REFERENCES run (id),
    role    INTEGER NOT NULL,
    dataset INTEGER NOT NULL REFERENCES dataset (id),
    PRIMARY KEY (run, role, dataset)
) WITHOUT ROWID;

-- Contents that repeat (facets, schemas), each once, as compressed canonical JSON.
CREATE TABLE body (
    id      INTEGER PRIMARY KEY,
    hash    BLOB NOT NULL UNIQUE,
    content BLOB
);

-- scope: 0 run, 1 job, 2 input, 3 output, 4 inputFacets, 5 outputFacets; dataset is 0 for the first two.
-- A facet without body was deleted by its last event. What the store reads out of a body stands beside it: the mapping
-- of a columnLineage facet, the state of a lifecycleStateChange facet.
CREATE TABLE facet (
    run     INTEGER NOT NULL REFERENCES run (id),
    scope   INTEGER NOT NULL,
    dataset INTEGER NOT NULL,
    name    TEXT NOT NULL,
    stamp   BLOB NOT NULL,
    body    INTEGER REFERENCES body (id),
    mapping INTEGER REFERENCES mapping (id),
    state   TEXT,
    PRIMARY KEY (run, scope, dataset, name)
) WITHOUT ROWID;

-- Each schema that a dataset was seen with, and when last.
CREATE TABLE dataset_schema (
    dataset INTEGER NOT NULL REFERENCES dataset (id),
    body    INTEGER NOT NULL REFERENCES body (id),
    stamp   BLOB NOT NULL,
    PRIMARY KEY (dataset, body)
) WITHOUT ROWID;

-- What a columnLineage facet says, once for all the runs that say the same: `structure` is a fingerprint of the edges
-- without their descriptions, `text` of the descriptions.
CREATE TABLE mapping (
    id        INTEGER PRIMARY KEY,
    dataset   INTEGER NOT NULL REFERENCES dataset (id),
    structure BLOB NOT NULL,
    text      BLOB NOT NULL,
    UNIQUE (dataset, structure, text)
);

-- out_field 0 is the hidden node of the output's rows, which every column of the dataset reads.
CREATE TABLE edge (
    mapping     INTEGER NOT NULL REFERENCES mapping (id),
    out_field   INTEGER NOT NULL,
    in_field    INTEGER NOT NULL REFERENCES field (id),
    ordinal     INTEGER NOT NULL,
    type        TEXT NOT NULL,
    subtype     TEXT NOT NULL,
    masking     INTEGER NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (mapping, out_field, in_field, ordinal)
) WITHOUT ROWID;
CREATE INDEX edge_by_input ON edge (in_field, mapping);

-- Derived. A pure function of the facts, written again for what an event touches.

-- One row for each completed write: the mapping in effect, and whether it was carried over from the write before.
-- `whole` says that this write replaced all that the dataset held.
CREATE TABLE version (
    dataset   INTEGER NOT NULL REFERENCES dataset (id),
    stamp     BLOB NOT NULL,
    us        INTEGER NOT NULL,
    run       INTEGER NOT NULL REFERENCES run (id),
    job       INTEGER NOT NULL REFERENCES job (id),
    mapping   INTEGER REFERENCES mapping (id),
    carried   INTEGER NOT NULL,
    lifecycle TEXT NOT NULL,
    whole     INTEGER NOT NULL,
    PRIMARY KEY (dataset, stamp)
) WITHOUT ROWID;
CREATE INDEX version_of_run ON version (run);
CREATE INDEX version_of_slot ON version (dataset, job, us);

-- The mapping of a job's writes to a dataset in force from one moment until another; the greatest integer is "still".
CREATE TABLE slot (
    dataset  INTEGER NOT NULL REFERENCES dataset (id),
    until_us INTEGER NOT NULL,
    job      INTEGER NOT NULL REFERENCES job (id),
    from_us  INTEGER NOT NULL,
    mapping  INTEGER REFERENCES mapping (id),
    PRIMARY KEY (dataset, until_us, job, from_us)
) WITHOUT ROWID;
CREATE INDEX slot_of_mapping ON slot (mapping, until_us);
