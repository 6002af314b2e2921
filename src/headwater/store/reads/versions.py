"""Versions: the writes of datasets, by name, by run, by page, and as of a moment."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from headwater.store.db.codes import ALWAYS, NO_LIMIT, NOTHING, Flag, Role
from headwater.store.db.predicates import in_force, is_own_write, is_rename, stamp_in_effect
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.model.order import before
from headwater.store.model.short_names import short_hash
from headwater.store.model.uuids import uuid_text
from headwater.store.reads.slots import Span

_COLUMNS = (
    "version.dataset, version.job, version.stamp, version.us, version.read_us, version.run, version.uuid,"
    " version.mapping, version.carried, run.uuid, run.first_us, version.lifecycle"
)
# What goes on after a rename is no version of its own, but that of the old name.
_OWN = is_own_write("version")
_BY_UUID = """
SELECT {columns} FROM version LEFT JOIN run ON run.id = version.run
WHERE version.uuid = :uuid AND version.dataset = :dataset AND {own}
""".replace("{columns}", _COLUMNS).replace("{own}", _OWN)
_BY_NAME = """
SELECT given.id, {columns} FROM {given}
{join} version ON version.dataset = given.dataset AND version.name_key = given.key AND version.name = given.name
LEFT JOIN run ON run.id = version.run
""".replace("{columns}", _COLUMNS)
_BY_RUN = """
SELECT {columns} FROM run {join} version ON version.run = run.id AND version.dataset = :dataset
WHERE run.uuid = :uuid AND {own} AND (version.us <= :now OR run.first_us > :now)
ORDER BY version.stamp DESC, version.uuid LIMIT 1
""".replace("{columns}", _COLUMNS).replace("{own}", _OWN)
_PAGE = f"""
SELECT {_COLUMNS} FROM version LEFT JOIN run ON run.id = version.run
WHERE version.dataset = :dataset AND version.us <= :now AND {_OWN}
ORDER BY version.us DESC, version.stamp DESC, version.uuid LIMIT :most OFFSET :offset
"""  # noqa: S608  our own words
_COUNT = f"""
SELECT count(*) FROM version WHERE version.dataset = :dataset AND version.us <= :now AND {_OWN}
"""  # noqa: S608  our own words
_LAST_TIME = "(SELECT max(version.us) FROM version WHERE version.dataset = given.id AND version.us <= :now)"
# The limit is never reached: it has PostgreSQL find the times first, and not try every version of a dataset.
_NEWEST = f"""
SELECT {_COLUMNS}
FROM (
    SELECT given.id, {_LAST_TIME} AS us
    FROM {{given}} LIMIT {NO_LIMIT}
) last
{{join}} version ON version.dataset = last.id AND version.us = last.us AND {_OWN}
LEFT JOIN run ON run.id = version.run
"""  # noqa: S608  our own words
_LAST_TIMES = f"SELECT given.id, {_LAST_TIME} FROM {{given}}"  # noqa: S608  our own words
# A batch run writes all at one time; of a streaming run the last writes are shown. What a run writes ahead of the clock
# is shown only where it begins there.
_LAST_OF_RUNS = f"""
SELECT given.id, version.dataset, version.uuid FROM {{given}} {{join}} run ON run.id = given.id
{{join}} version ON version.run = given.id AND version.dataset > {NOTHING} AND {_OWN}
    AND version.us = (
        SELECT max(last.us) FROM version last WHERE last.run = given.id AND {is_own_write("last")}
            AND (last.us <= :now OR run.first_us > :now)
    )
"""  # noqa: S608  our own words
_WRITERS = f"""
SELECT given.id, version.run, run.uuid FROM {{given}}
{{join}} version ON version.uuid = given.uuid AND {_OWN}
{{join}} run ON run.id = version.run
"""  # noqa: S608  our own words
_WITH_NAMES = f"""
SELECT version.uuid, version.name, version.us, job.namespace, job.name, run.uuid, version.lifecycle, version.whole,
    version.carried, CASE WHEN EXISTS (
        SELECT 1 FROM slot
        WHERE slot.dataset = version.dataset AND {in_force("slot", ":now")} AND slot.job = version.job
    ) AND NOT EXISTS (
        SELECT 1 FROM version later
        WHERE later.dataset = version.dataset AND later.job = version.job AND later.stamp > version.stamp
            AND later.us <= :now
    ) AND version.us <= :now THEN 1 ELSE 0 END, dataset.namespace, dataset.name, version.stamp
FROM version
JOIN dataset ON dataset.id = version.dataset
LEFT JOIN run ON run.id = version.run
LEFT JOIN job ON job.id = version.job
"""  # noqa: S608  our own words
_NAMED_OF_DATASET = f"""{_WITH_NAMES}
WHERE version.dataset = :dataset AND {_OWN}
    AND version.us <= :us AND (version.us < :us OR version.stamp < :stamp)
ORDER BY version.us DESC, version.stamp DESC, version.uuid LIMIT :most
"""
_NAMED_OF_RUN = f"""{_WITH_NAMES}
WHERE version.run = :run AND version.us <= :until AND {_OWN}
ORDER BY version.us DESC, dataset.namespace, dataset.name, version.uuid LIMIT :most
"""

# What was in force; and, under numbers below zero, what the run itself had written by then. The limits are never
# reached: they have PostgreSQL find the stamps first, and not try every version of a slot; the zero keeps it from
# trying every version of a run.
_IN_FORCE = f"""
SELECT last.id, {_COLUMNS}
FROM (
    SELECT given.id, slot.dataset, slot.job, {stamp_in_effect("slot.dataset", "slot.job", "given.stop")} AS stamp
    FROM {{given}}
    {{join}} slot ON slot.dataset = given.dataset AND {in_force("slot", "given.us")}
    LIMIT {NO_LIMIT}
) last
{{join}} version ON version.dataset = last.dataset AND version.job = last.job AND version.stamp = last.stamp
    AND {_OWN}
LEFT JOIN run ON run.id = version.run
UNION ALL
SELECT last.id, {_COLUMNS}
FROM (
    SELECT -1 - given.id AS id, given.dataset, given.job, given.run,
        {stamp_in_effect("given.dataset", "given.job", "given.stop")} AS stamp
    FROM {{given}} LIMIT {NO_LIMIT}
) last
{{join}} version ON version.dataset = last.dataset AND version.job = last.job AND version.stamp = last.stamp
    AND version.run + 0 = last.run AND {_OWN}
{{join}} run ON run.id = version.run
"""  # noqa: S608  our own words
_NAMED_BY_READERS = f"""
SELECT given.id, named.us, named.version FROM {{given}}
{{join}} named ON named.run = given.run AND named.role = {Role.READ} AND named.dataset = given.dataset
"""  # noqa: S608  our own words
_WRITES_OF_RUN = f"""
SELECT event.us, event.type, event.hash, mention.said, mention.mapping FROM event
{{join}} mention ON mention.shape = event.shape AND mention.role = {Role.WRITTEN} AND mention.dataset = :dataset
WHERE event.run = :run
"""  # noqa: S608  our own words
# The limit is never reached: it has PostgreSQL find the stamps first, and not try every version of a slot.
_LAST = """
SELECT last.dataset, last.job, version.stamp, version.carried, version.run, run.uuid, version.read_us
FROM (
    SELECT given.dataset, given.job, {stamp} AS stamp
    FROM {{given}} LIMIT {no_limit}
) last
{{join}} version ON version.dataset = last.dataset AND version.job = last.job AND version.stamp = last.stamp
LEFT JOIN run ON run.id = version.run
"""
_WRITES_AT = """
SELECT given.job, given.us, version.stamp, version.job, version.lifecycle, run.uuid FROM {{given}}
{{join}} version ON version.dataset = :dataset AND {which} AND {own}
    AND version.stamp >= given.start AND version.stamp < given.stop
LEFT JOIN run ON run.id = version.run
"""
_INPUTS = f"""
SELECT given.id, input.dataset FROM {{given}}
{{join}} version ON version.dataset = given.dataset AND version.job = given.job AND version.stamp = given.stamp
{{join}} input ON input.inputs = version.inputs
UNION
SELECT given.id, mapping.origin FROM {{given}}
{{join}} mapping ON mapping.id = given.mapping AND {is_rename("mapping")}
"""  # noqa: S608  our own words
_INPUTS_OF_RUNS = f"""
SELECT DISTINCT given.id, mention.dataset FROM {{given}}
{{join}} event ON event.run = given.run
{{join}} mention ON mention.shape = event.shape AND mention.role = {Role.READ}
"""  # noqa: S608  our own words


class Version(NamedTuple):
    """A write of a dataset; `id` is what it is called outside. One without a stamp has not been completed."""

    dataset: int
    job: int
    stamp: bytes
    us: int
    read_us: int
    run: int | None
    id: str
    mapping: int | None
    carried: bool
    run_id: str | None
    run_us: int | None
    lifecycle: str = ""


class LastWrite(NamedTuple):
    """The last write of a job to a dataset, and when it read; `key` and `run` are those of the run."""

    stamp: bytes
    carried: bool
    key: int | None
    run: str | None
    read_us: int


class WriteRow(NamedTuple):
    """A write at a moment, by the job looked for (0: by anyone)."""

    asked_job: int
    us: int
    stamp: bytes
    job: int
    lifecycle: str | None
    run: str | None


class RunWrite(NamedTuple):
    """What an event of a run says of a dataset that it writes; `said` is a `Stated`."""

    us: int
    type: int
    hash: bytes
    said: int
    mapping: int | None


class NamedVersion(NamedTuple):
    """A version with the names of its dataset and of the job that wrote it."""

    uuid: bytes
    name: str | None
    us: int
    job_namespace: str | None
    job_name: str | None
    run: bytes | None
    lifecycle: str | None
    whole: int
    carried: int
    in_force: int
    namespace: str
    dataset: str
    stamp: bytes


NEVER = LastWrite(b"", carried=False, key=None, run=None, read_us=ALWAYS)
"""In place of a write that is not known."""


def version_by_uuid(session: Session, dataset: int, uuid: bytes) -> Version | None:
    """A version of a dataset by its own UUID."""
    return next(map(_version, session.rows(_BY_UUID, uuid=uuid, dataset=dataset)), None)


def version_of_run(session: Session, dataset: int, uuid: bytes) -> Version | None:
    """The last version of a dataset that a run wrote."""
    return next(map(_version, session.rows(_BY_RUN, uuid=uuid, dataset=dataset, now=session.now)), None)


def page_of_versions(session: Session, dataset: int, most: int, offset: int) -> tuple[list[Version], int]:
    """A page of a dataset's versions until now, the last one first; and how many there are."""
    page = [_version(row) for row in session.rows(_PAGE, dataset=dataset, most=most, offset=offset, now=session.now)]
    total = session.rows(_COUNT, dataset=dataset, now=session.now)[0][0]
    return page, int(total)


def newest_versions(session: Session, datasets: Collection[int]) -> dict[int, Version]:
    """The last version of each dataset that has one by now."""
    versions = sorted(
        map(_version, session.rows(_NEWEST, ids(datasets), now=session.now)), key=lambda version: version.stamp
    )
    return {version.dataset: version for version in versions}


def last_times(session: Session, datasets: Collection[int]) -> dict[int, int | None]:
    """When each dataset was last written."""
    return dict(session.rows(_LAST_TIMES, ids(datasets), now=session.now))


def last_versions_of_runs(session: Session, runs: Collection[int]) -> list[tuple[int, int, str]]:
    """The versions that runs wrote last (of a batch run, all that it wrote): run, dataset and UUID."""
    return [
        (run, dataset, uuid_text(uuid))
        for run, dataset, uuid in session.rows(_LAST_OF_RUNS, ids(runs), now=session.now)
    ]


def writers_of(session: Session, uuids: Iterable[bytes]) -> dict[int, tuple[int, str]]:
    """The runs that wrote versions, by the versions' places in the list: key and UUID."""
    versions = Given("id int, uuid bytes", list(enumerate(uuids)))
    return {place: (run, uuid_text(uuid)) for place, run, uuid in session.rows(_WRITERS, versions)}


def named_versions(
    session: Session, dataset: int, before_us: int, before_stamp: bytes, most: int
) -> list[NamedVersion]:
    """A dataset's versions before a place in time, the newest first."""
    rows = session.rows(
        _NAMED_OF_DATASET, dataset=dataset, us=before_us, stamp=before_stamp, most=most, now=session.now
    )
    return [NamedVersion._make(row) for row in rows]


def named_versions_of_run(session: Session, run: int, until: int, most: int) -> list[NamedVersion]:
    """The versions that a run wrote up to a moment, the newest first."""
    rows = session.rows(_NAMED_OF_RUN, run=run, until=until, most=most, now=session.now)
    return [NamedVersion._make(row) for row in rows]


def versions_by_name(session: Session, names: Sequence[tuple[int, int, str]]) -> list[tuple[int, Version]]:
    """The versions that facets call so (place, dataset, name), each with its place."""
    rows: list[Row] = [(place, dataset, short_hash(name), name) for place, dataset, name in names]
    given = Given("id int, dataset int, key int, name text", rows)
    return [(place, _version(row)) for place, *row in session.rows(_BY_NAME, given)]


def versions_in_force(
    session: Session, reads: Sequence[tuple[int, int, Version | None]]
) -> tuple[list[tuple[int, Version]], list[tuple[int, Version]]]:
    """The last version of every slot of datasets, each at a time (dataset, time, reader), with its place in the list.

    And, by place, what the reader itself had written by then.
    """
    rows: list[Row] = [
        (place, dataset, us, before(us + 1), reader.job if reader else None, reader.run if reader else None)
        for place, (dataset, us, reader) in enumerate(reads)
    ]
    given = Given("id int, dataset int, us int, stop bytes, job int, run int", rows)
    versions = [(place, _version(row)) for place, *row in session.rows(_IN_FORCE, given)]
    return [pair for pair in versions if pair[0] >= 0], [(-1 - place, own) for place, own in versions if place < 0]


def named_by_readers(session: Session, reads: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, str]]:
    """What runs call the versions that they read (place, run, dataset): place, time and name."""
    return session.rows(_NAMED_BY_READERS, Given("id int, run int, dataset int", reads))


def writes_of_run(session: Session, run: int, dataset: int) -> list[RunWrite]:
    """What each event of a run says of a dataset that it writes."""
    rows = session.rows(_WRITES_OF_RUN, run=run, dataset=dataset)
    return [RunWrite(us, kind, bytes(hashed), said, mapping) for us, kind, hashed, said, mapping in rows]


def last_versions(
    session: Session, ends: Mapping[tuple[int, int], int], span: Span
) -> dict[tuple[int, int], LastWrite]:
    """The last versions of slots (dataset, job), each at or before the end of a span.

    Args:
        session: the store.
        ends: for each slot, until when it was in force; what comes after does not count.
        span: what is asked about.
    """
    if span.one_moment:
        given = Given("dataset int, job int", sorted(ends))
        rows = session.rows(_last(":stop"), given, stop=before(span.until + 1))
    else:
        slots: list[Row] = [(*slot, before(min(span.until + 1, end))) for slot, end in sorted(ends.items())]
        rows = session.rows(_last("given.stop"), Given("dataset int, job int, stop bytes", slots))
    return {
        (dataset, job): LastWrite(bytes(stamp), bool(carried), run, _uuid_text(uuid), read_us)
        for dataset, job, stamp, carried, run, uuid, read_us in rows
    }


def writes_at(session: Session, dataset: int, moments: Collection[tuple[int, int]], *, whole: bool) -> list[WriteRow]:
    """The writes of a dataset at moments (job, time), in their order.

    `whole`: by anyone, if they left nothing of what there was; the job of the moment is 0.
    """
    which = f"version.whole = {Flag.YES}" if whole else "version.job = given.job"
    rows: list[Row] = [(job, us, before(us), before(us + 1)) for job, us in sorted(moments)]
    given = Given("job int, us int, start bytes, stop bytes", rows)
    writes = [
        WriteRow(asked_job, us, bytes(stamp), job, lifecycle, _uuid_text(uuid))
        for asked_job, us, stamp, job, lifecycle, uuid in session.rows(
            _WRITES_AT.format(which=which, own=_OWN), given, dataset=dataset
        )
    ]
    return sorted(writes, key=lambda write: write.stamp)


def inputs_of_versions(session: Session, versions: Mapping[int, Version]) -> list[tuple[int, int]]:
    """The datasets that versions were made of: (place, dataset); of runs that have not completed, what they read."""
    complete: list[Row] = [
        (place, version.dataset, version.job, version.stamp, version.mapping)
        for place, version in versions.items()
        if version.stamp
    ]
    unfinished: list[Row] = [(place, version.run) for place, version in versions.items() if not version.stamp]
    columns = "id int, dataset int, job int, stamp bytes, mapping int"
    return [
        *session.rows(_INPUTS, Given(columns, complete)),
        *session.rows(_INPUTS_OF_RUNS, Given("id int, run int", unfinished)),
    ]


@cache
def _last(stop: str) -> str:
    return _LAST.format(stamp=stamp_in_effect("given.dataset", "given.job", stop), no_limit=NO_LIMIT)


def _version(row: Sequence[Any]) -> Version:
    dataset, job, stamp, us, read_us, run, uuid, mapping, carried, run_uuid, run_us, lifecycle = row
    return Version(
        dataset, job, bytes(stamp), us, read_us, run, uuid_text(uuid), mapping, bool(carried),
        _uuid_text(run_uuid), run_us, lifecycle or "",
    )  # fmt: skip


def _uuid_text(uuid: bytes | None) -> str | None:
    return uuid_text(uuid) if uuid else None
