"""Renames: what was in force under the old name goes on under the new one (rule 9).

A rename ends all slots of the old name. Each that was in force until then goes on as a version of the new name, right
after the rename: the same write, with its mapping under the new name. From there on it is a version like all others,
which the ordinary rules end and another rename carries on. A rename changes only what comes after it, so following
them ends.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.store.db.codes import NO_JOB, NO_LIMIT, Flag
from headwater.store.db.predicates import goes_on, in_force_or_ending, is_rename, stamp_in_effect
from headwater.store.db.session import Given, Hold, Row, Session, Soon, ids
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import Keys
from headwater.store.entities.renamed_mappings import under_new_names
from headwater.store.model.folds import DECLARED, DROP
from headwater.store.model.order import after_rename, stamp_us
from headwater.store.timeline.slots import Listed, Slots, ask_static, listed_outputs
from headwater.store.timeline.version_rows import InputSets, Touched

_SINCE = f"""
SELECT version.dataset, version.stamp, version.renamed FROM {{given}}
{{join}} version ON version.dataset = given.dataset AND version.renamed IS NOT NULL AND version.removal = {Flag.YES}
    AND version.stamp >= given.since
"""  # noqa: S608  our own words
_RENAMED = """
SELECT given.id FROM {given}
WHERE EXISTS (SELECT 1 FROM version WHERE version.dataset = given.id AND version.renamed IS NOT NULL)
"""
_ALL_RENAMED = f"""
SELECT DISTINCT version.dataset FROM version
WHERE version.renamed IS NOT NULL AND version.removal = {Flag.YES}
"""  # noqa: S608  our own words
# The last write of each slot before a rename, and the first whole write that follows it, which may have ended it. The
# limit is never reached: it has PostgreSQL find the stamps first.
_BEFORE = f"""
SELECT last.place, version.job, version.stamp, version.read_us, version.run, version.uuid, version.mapping,
       version.carried, version.inputs, version.removal,
       (SELECT whole.stamp FROM version whole
        WHERE whole.dataset = version.dataset AND whole.whole = {Flag.YES} AND whole.stamp > version.stamp
            AND (version.job <> {DECLARED} OR whole.lifecycle <> '{DROP}')
        ORDER BY whole.stamp LIMIT 1)
FROM (
    SELECT slots.place, slots.dataset, slots.job,
        {stamp_in_effect("slots.dataset", "slots.job", "slots.stamp")} AS stamp
    FROM (
        SELECT given.place, given.dataset, given.stamp, slot.job FROM {{given}}
        {{join}} slot ON slot.dataset = given.dataset AND {in_force_or_ending("slot", "given.us")}
        UNION
        SELECT given.place, given.dataset, given.stamp, version.job FROM {{given}}
        {{join}} version ON version.dataset = given.dataset AND version.us = given.us
    ) slots
    LIMIT {NO_LIMIT}
) last
{{join}} version ON version.dataset = last.dataset AND version.job = last.job AND version.stamp = last.stamp
LEFT JOIN mapping ON mapping.id = version.mapping
WHERE NOT {is_rename("mapping")}
"""  # noqa: S608  our own words
_STORED = f"""
SELECT version.dataset, version.job, version.stamp, version.read_us, version.run, version.uuid, version.mapping,
       version.carried, version.inputs, version.renamed
FROM {{given}} {{join}} version ON version.dataset = given.dataset AND version.us = given.us
    AND version.stamp = given.stamp AND {goes_on("version")}
"""  # noqa: S608  our own words
_COLUMNS = (
    "dataset, job, stamp, us, read_us, run, uuid, mapping, carried, inputs, lifecycle, whole, removal, name, name_key,"
    " renamed"
)


# The last numbers that rows name, whether or not what they name is there.
_LAST_NUMBERS = (
    """
    INSERT INTO mapping (id, hash, dataset, structure, text, stamp)
    SELECT coalesce(max(last), 0) + 1, :none, 0, :none, :none, :none FROM (
        SELECT max(id) AS last FROM mapping UNION ALL SELECT max(mapping) FROM slot
        UNION ALL SELECT max(mapping) FROM version UNION ALL SELECT max(mapping) FROM edge
    ) numbers
    """,
    """
    INSERT INTO inputs (id, hash)
    SELECT coalesce(max(last), 0) + 1, :none FROM (
        SELECT max(inputs) AS last FROM input UNION ALL SELECT max(inputs) FROM slot
        UNION ALL SELECT max(inputs) FROM version
    ) numbers
    """,
)


@dataclass(frozen=True, slots=True)
class _GoingOn:
    """A write that goes on under a new name; all of it is in the key, so that two that differ are two."""

    dataset: int
    job: int
    stamp: bytes
    read_us: int
    run: int | None
    uuid: bytes
    mapping: int | None
    carried: int
    inputs: int | None
    old: int

    def row(self) -> Row:
        """As the columns of the table."""
        return (
            self.dataset, self.job, self.stamp, stamp_us(self.stamp), self.read_us, self.run, self.uuid, self.mapping,
            self.carried, self.inputs, None, 0, 0, None, None, self.old,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """Renames asked for: those of datasets from a stamp on, and which of the datasets were renamed ever."""

    renames: Soon
    renamed: Soon


class Renames:
    """Carries on what renames end, in one transaction."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._session: Session = keys.session
        self._cache: Cache = keys.cache

    def ask(self, touched: Touched) -> Asked:
        """Ask for the renames of what was touched, and which of it was renamed ever."""
        since: dict[int, bytes] = {}
        for (dataset, _), (at, _) in touched.slots.items():
            since[dataset] = min(since.get(dataset, at), at)
        given = Given("dataset int, since bytes", sorted(since.items()))
        return Asked(self._session.soon(_SINCE, given), self._session.soon(_RENAMED, ids(since)))

    def follow(self, touched: Touched, asked: Asked | None = None) -> set[int]:
        """Carry on what was touched, and what is touched by that; returns the datasets whose names may have changed.

        The slots that were touched are derived already.
        """
        renamed: set[int] = {old for old, _, _ in touched.renames}
        while touched.slots:
            asked = asked or self.ask(touched)
            renamed |= {dataset for (dataset,) in asked.renamed.rows()}
            renames = _by_new_name(asked.renames.rows(), touched.renames)
            asked = None
            touched = self._carry_on(renames) if renames else Touched()
            if touched.slots:
                self._session.lock("job", {job for _, job in touched.slots}, Hold.READ)
                self._session.lock("dataset", {dataset for dataset, _ in touched.slots})
                Slots(self._session, self._cache).refresh(touched)
        return renamed

    def follow_all(self) -> set[int]:
        """Carry on all that renames end; returns the datasets that were renamed. All slots are derived already."""
        renamed = {dataset for (dataset,) in self._session.rows(_ALL_RENAMED)}
        if renamed:
            self.follow(Touched({(dataset, NO_JOB): (b"", b"") for dataset in sorted(renamed)}))
        return renamed

    def _carry_on(self, renames: Mapping[tuple[int, bytes], int | None]) -> Touched:
        """Write what goes on after renames; returns what that touches."""
        given: list[Row] = [(new, stamp_us(at), after_rename(at)) for new, at in sorted(renames)]
        asked = self._session.soon(_STORED, Given("dataset int, us int, stamp bytes", given))
        after = set(self._going_on([(old, new, at) for (new, at), old in sorted(renames.items()) if old is not None]))
        before = {
            _GoingOn(dataset, job, bytes(at), read_us, run, bytes(uuid), *rest)
            for dataset, job, at, read_us, run, uuid, *rest in asked.rows()
        }
        touched = Touched()
        for version in before ^ after:
            touched.slot((version.dataset, version.job), version.stamp)
        removed: list[Row] = [(old.dataset, old.job, old.stamp) for old in before - after]
        self._session.delete("version", "dataset, job, stamp", sorted(removed))
        added = sorted(after - before, key=lambda version: (version.dataset, version.stamp, version.job))
        self._session.insert("version", _COLUMNS, [version.row() for version in added])
        return touched

    def _going_on(self, renames: Sequence[tuple[int, int, bytes]]) -> list[_GoingOn]:
        """What was in force under an old name until a rename."""
        given: list[Row] = [(place, old, at, stamp_us(at)) for place, (old, _, at) in enumerate(renames)]
        rows = self._session.rows(_BEFORE, Given("place int, dataset int, stamp bytes, us int", given))
        static = listed_outputs(
            self._session, self._cache, ask_static(self._session, {job for _, job, *_ in rows}).rows()
        )
        held: list[tuple[int, int, list[Any]]] = []
        for place, job, at, *rest, removal, ender in rows:
            old, new, renamed_at = renames[place]
            mapping = rest[3]
            if removal and mapping is None:
                continue
            ends = [] if ender is None else [bytes(ender)]
            ends += _static_ends(static.get(job, ()), old, bytes(at))
            if all(end >= renamed_at for end in ends):
                held.append((place, job, rest))
        mappings = under_new_names(
            self._keys, ((rest[3], renames[place][1]) for place, _, rest in held if rest[3] is not None)
        )
        inputs = InputSets(self._session, self._cache).renamed(
            (rest[5], renames[place][0], renames[place][1]) for place, _, rest in held if rest[5] is not None
        )
        going_on = []
        for place, job, (read_us, run, uuid, mapping, carried, reads) in held:
            old, new, at = renames[place]
            going_on.append(
                _GoingOn(
                    new,
                    job,
                    after_rename(at),
                    read_us,
                    run,
                    bytes(uuid),
                    None if mapping is None else mappings[mapping, new],
                    carried,
                    None if reads is None else inputs[reads, old, new],
                    old,
                )
            )
        return going_on


def _by_new_name(
    renames: Iterable[Row], touched: Iterable[tuple[int, bytes, int]]
) -> dict[tuple[int, bytes], int | None]:
    """The old name by the new one and the stamp; None where a rename is gone."""
    gone: dict[tuple[int, bytes], int | None] = {(new, at): None for _, at, new in touched}
    return gone | {(new, bytes(at)): old for old, at, new in renames}


def _static_ends(events: Iterable[Listed], dataset: int, after: bytes) -> list[bytes]:
    """When a job is told of without a dataset that it wrote."""
    return [at for at, listed in events if at > after and dataset not in listed]


def skip_numbers_in_use(session: Session) -> None:
    """Have new mappings and sets of inputs take numbers beyond those that rows name, in a store that is an excerpt."""
    for statement in _LAST_NUMBERS:
        session.run(statement, none=b"")
