"""Slots: what jobs' writes to datasets keep in force, and what those jobs read."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from headwater.store.db.codes import ALWAYS, NOTHING, Flag
from headwater.store.db.predicates import has_source, in_force, in_force_within, is_rename
from headwater.store.db.session import Given, Session, ids
from headwater.store.model.meaning import Name
from headwater.store.model.order import before

# Since the last write that left nothing of what was there, whoever made it.
_SINCE_WHOLE = f"""coalesce((
    SELECT whole.us FROM version whole
    WHERE whole.dataset = slot.dataset AND whole.whole = {Flag.YES} AND whole.stamp < :stop
    ORDER BY whole.stamp DESC LIMIT 1
), :since)"""  # noqa: S608  our own words

_HISTORY = """
SELECT slot.job, slot.from_us, slot.until_us, slot.mapping FROM slot
LEFT JOIN mapping ON mapping.id = slot.mapping
WHERE slot.dataset = :dataset AND mapping.root IS NULL
"""
# A rename writes nothing: what was there goes on in slots of its own.
_NO_RENAME = f"LEFT JOIN mapping ON mapping.id = slot.mapping WHERE NOT {is_rename('mapping')}"
_SLOTS = "SELECT slot.dataset, slot.job, slot.mapping, slot.inputs FROM"
_ALL = f"{_SLOTS} slot {_NO_RENAME} AND {in_force('slot', ':at')}"
_OF = (
    f"{_SLOTS} {{{{given}}}} {{{{join}}}} slot ON slot.{{column}} = given.id AND {in_force('slot', ':at')} {_NO_RENAME}"
)
_INPUTS = "SELECT input.inputs, input.dataset FROM {given} {join} input ON input.inputs = given.id"

# A job writes a dataset, or reads one.
_USES = "SELECT given.id, slot.dataset, slot.job, slot.until_us, {read} "
_WRITTEN = """FROM {{given}}
{{join}} slot ON slot.{column} = given.id AND {in_force}
LEFT JOIN input ON input.inputs = slot.inputs
"""
_READ = """FROM {{given}}
{{join}} input ON input.dataset = given.id
{{join}} slot ON slot.inputs = input.inputs AND {in_force}
"""
# The same for datasets and all that lies beyond, the nearest first. A row of this job tells that a dataset was looked
# at. PostgreSQL stops at the limit; SQLite would find all first.
_AHEAD = """
WITH RECURSIVE reached(id) AS (
    SELECT given.id FROM {{given}}
    UNION
    SELECT {far} FROM reached {way}
), around(id) AS (SELECT reached.id FROM reached LIMIT :most)
SELECT around.id, 0, {looked}, 0, 0 FROM around
UNION ALL {uses}
LIMIT :rows
"""
_AHEAD_UP = """
{{join}} slot ON slot.dataset = reached.id AND {in_force}
{{join}} input ON input.inputs = slot.inputs
"""
_AHEAD_DOWN = """
{{join}} input ON input.dataset = reached.id
{{join}} slot ON slot.inputs = input.inputs AND {in_force}
"""
_LOOKED = -9
MOST_AHEAD = 20_000
"""So many rows are read ahead at most."""
_WRITERS = f"""
SELECT given.id, slot.job, slot.inputs,
    CASE WHEN slot.mapping IS NULL THEN 0 ELSE 1 END,
    CASE WHEN EXISTS (
        SELECT 1 FROM edge WHERE edge.mapping = slot.mapping AND {has_source("edge")}
    ) THEN 1 ELSE 0 END
FROM {{{{given}}}} {{{{join}}}} slot ON slot.dataset = given.id AND {{in_force}} {_NO_RENAME}
"""  # noqa: S608  our own words
_READERS_EVER = """
SELECT DISTINCT written.namespace, written.name, job.namespace, job.name
FROM {given} {join} dataset ON dataset.key = given.key
{join} input ON input.dataset = dataset.id
{join} slot ON slot.inputs = input.inputs
{join} dataset written ON written.id = slot.dataset
LEFT JOIN job ON job.id = slot.job
"""
_WRITERS_EVER = """
SELECT DISTINCT job.namespace, job.name FROM {given} {join} dataset ON dataset.key = given.key
{join} slot ON slot.dataset = dataset.id {join} job ON job.id = slot.job
"""


SlotRow: TypeAlias = tuple[int, int, int, int | None]
"""A slot of a dataset: job, since when, until when, mapping."""


@dataclass(frozen=True, slots=True)
class Span:
    """What was in force at any moment from `since` to `until`, both included.

    `contents`: for each dataset, `since` is its last whole overwrite; so the span has all that its rows at `until`
    were made by.
    """

    since: int
    until: int
    contents: bool = False

    @property
    def in_force(self) -> str:
        """The condition on `slot` in a statement; `values` has its values."""
        since = _SINCE_WHOLE if self.contents else ":since"
        return in_force_within("slot", since, ":until")

    @property
    def values(self) -> dict[str, object]:
        """The values of `in_force`."""
        if self.contents:
            return {"since": ALWAYS, "until": self.until, "stop": before(self.until + 1)}
        return {"since": self.since, "until": self.until}

    @property
    def one_moment(self) -> bool:
        """Whether what is in force at `until` is all there is."""
        return self.since == self.until and not self.contents


class Slot(NamedTuple):
    """What a job writes to a dataset."""

    dataset: int
    job: int
    mapping: int | None
    inputs: int | None


class TableUse(NamedTuple):
    """A job writes a dataset, or nothing (0), and reads another where one is known; `id` is what was looked for."""

    id: int
    written: int
    job: int
    until_us: int
    read: int | None


class Writer(NamedTuple):
    """A job, or a declaration (0), that writes a dataset in a span, and the set of datasets that it reads, if any.

    `said`: it has lineage of columns; `mapped`: that has at least one edge.
    """

    dataset: int
    job: int
    inputs: int | None
    said: bool
    mapped: bool

    @property
    def silent(self) -> bool:
        """Whether it does not say which columns it writes from which: it has no lineage of columns, or an empty one."""
        return not self.said or (self.inputs is not None and not self.mapped)


def slots_at(
    session: Session, at: int, keys: Collection[int] | None = None, column: Literal["dataset", "job"] = "dataset"
) -> list[Slot]:
    """What is written at a moment: by every job, or to some datasets or by some jobs (`column` says which).

    A job that only reads writes nothing, and neither does one that renames.
    """
    rows = session.rows(_ALL, at=at) if keys is None else session.rows(_OF.format(column=column), ids(keys), at=at)
    return [slot for row in rows if (slot := Slot(*row)).dataset != NOTHING]


def slots_of_dataset(session: Session, dataset: int) -> list[SlotRow]:
    """All slots that a dataset ever had by writes under its name: job, since when, until when, mapping."""
    return session.rows(_HISTORY, dataset=dataset)


def inputs_by_id(session: Session, keys: Iterable[int]) -> dict[int, set[int]]:
    """The datasets of sets of inputs, by the key of the set."""
    datasets: defaultdict[int, set[int]] = defaultdict(set)
    for key, dataset in session.rows(_INPUTS, ids(keys)):
        datasets[key].add(dataset)
    return datasets


def uses_of_datasets(
    session: Session, span: Span, datasets: Collection[int], *, up: bool, renames: bool
) -> list[TableUse]:
    """Who writes datasets (up) or reads them, with what is on the far side; `renames` where the store has any."""
    part, read = (_WRITTEN, "input.dataset") if up else (_READ, "given.id")
    statement = _USES + part + (_NO_RENAME if renames else "")
    return _uses(session, span, datasets, statement.format(read=read, column="dataset", in_force=span.in_force))


def uses_ahead(
    session: Session, span: Span, datasets: Collection[int], most: int, *, up: bool
) -> dict[int, list[TableUse]]:
    """The same of datasets and of so many of those that lie beyond, for each; where the store has no renames.

    Of none, where there would be very many rows.
    """
    rows = session.rows(_ahead(span.in_force, up=up), ids(datasets), most=most, rows=MOST_AHEAD, **span.values)
    if len(rows) == MOST_AHEAD:
        return {}
    by_dataset: dict[int, list[TableUse]] = {row[0]: [] for row in rows if row[2] == _LOOKED}
    for row in rows:
        if row[2] != _LOOKED:
            by_dataset[row[0]].append(TableUse._make(row))
    return by_dataset


def uses_of_jobs(session: Session, span: Span, jobs: Collection[int]) -> list[TableUse]:
    """What jobs write and read."""
    statement = (_USES + _WRITTEN).format(read="input.dataset", column="job", in_force=span.in_force)
    return _uses(session, span, jobs, statement)


def writers(session: Session, span: Span, datasets: Iterable[int]) -> list[Writer]:
    """Who writes datasets in a span."""
    rows = session.rows(_WRITERS.format(in_force=span.in_force), ids(datasets), **span.values)
    return [Writer(dataset, job, inputs, bool(said), bool(mapped)) for dataset, job, inputs, said, mapped in rows]


def readers_ever(session: Session, datasets: Sequence[bytes]) -> list[tuple[str, str, str | None, str | None]]:
    """What was ever written from datasets, by the hashes of their names; and the job that did it, if any."""
    return session.rows(_READERS_EVER, Given("key bytes", [(key,) for key in datasets]))


def writers_ever(session: Session, datasets: Sequence[bytes]) -> list[Name]:
    """The jobs that ever wrote datasets, by the hashes of their names."""
    return session.rows(_WRITERS_EVER, Given("key bytes", [(key,) for key in datasets]))


@cache
def _ahead(in_force: str, *, up: bool) -> str:
    part, read, way = (_WRITTEN, "input.dataset", _AHEAD_UP) if up else (_READ, "given.id", _AHEAD_DOWN)
    uses = (_USES + part).format(read=read, column="dataset", in_force=in_force).replace("{given}", "around given")
    far = "input.dataset" if up else "slot.dataset"
    return _AHEAD.format(far=far, way=way.format(in_force=in_force), looked=_LOOKED, uses=uses)


def _uses(session: Session, span: Span, keys: Collection[int], statement: str) -> list[TableUse]:
    return [TableUse(*row) for row in session.rows(statement, ids(keys), **span.values)]
