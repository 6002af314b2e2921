"""What is in force, derived again for the slots in which writes came or went (rules 5, 7 and 8).

A slot is read from the write before the first change to the write after which nothing is different any more, so a late
event in a long history costs no more than one at its end.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import FOREVER, NOTHING, EventKind, Flag, Role
from headwater.store.db.predicates import goes_on, in_force_or_ending, in_force_within
from headwater.store.db.session import Given, Row, Session, Soon, ids
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.shapes import load_shapes
from headwater.store.model.folds import DECLARED, DROP, Effect, Interval, Write, effects, intervals, same
from headwater.store.model.order import LAST, before, stamp, stamp_us
from headwater.store.timeline.version_rows import SlotKey, Touched

# How many writes after the last change are read at first; there are more where what is carried changes.
_AFTER = 8
_GROWTH = 16
_WRITES = f"""
SELECT given.place, version.stamp, version.us, version.mapping, version.carried, version.inputs, version.removal,
       CASE WHEN {goes_on("version")} THEN {Flag.YES} ELSE {Flag.NO} END,
       (SELECT whole.stamp FROM version whole
        WHERE whole.dataset = version.dataset AND whole.whole = {Flag.YES} AND whole.stamp > version.stamp
            AND (version.job <> {DECLARED} OR whole.lifecycle <> '{DROP}')
        ORDER BY whole.stamp LIMIT 1)
FROM {{given}} {{join}} version ON version.dataset = given.dataset AND version.job = given.job
    AND version.stamp >= coalesce(
        (SELECT base.stamp FROM version base
         WHERE base.dataset = given.dataset AND base.job = given.job AND base.stamp < given.since
         ORDER BY base.stamp DESC LIMIT 1), given.since)
    AND version.stamp <= coalesce(
        (SELECT later.stamp FROM version later
         WHERE later.dataset = given.dataset AND later.job = given.job AND later.stamp > given.until
         ORDER BY later.stamp LIMIT 1 OFFSET :after), given.last)
"""  # noqa: S608  our own words
# What is in force during those writes.
_SINCE = """coalesce(
        (SELECT base.us FROM version base
         WHERE base.dataset = given.dataset AND base.job = given.job AND base.stamp < given.since
         ORDER BY base.stamp DESC LIMIT 1), given.since_us)"""
_UNTIL = """coalesce(
        (SELECT later.us FROM version later
         WHERE later.dataset = given.dataset AND later.job = given.job AND later.stamp > given.until
         ORDER BY later.stamp LIMIT 1 OFFSET :after), :forever)"""
_SLOTS = f"""
SELECT given.place, slot.from_us, slot.until_us, slot.mapping, slot.inputs
FROM {{given}} {{join}} slot ON slot.job = given.job AND slot.dataset = given.dataset
    AND {in_force_within("slot", _SINCE, _UNTIL)}
"""  # noqa: S608  our own words
_RANGES = "place int, dataset int, job int, since bytes, until bytes, last bytes, since_us int"
# What was in force then, and what another write of the same moment may have kept from being so.
_BESIDE = f"""
SELECT given.dataset, slot.job, given.stamp
FROM {{given}} {{join}} slot ON slot.dataset = given.dataset AND {in_force_or_ending("slot", "given.us")}
WHERE slot.job <> given.job
UNION
SELECT given.dataset, version.job, given.stamp
FROM {{given}} {{join}} version ON version.dataset = given.dataset AND version.us = given.us
WHERE version.job <> given.job
"""  # noqa: S608  our own words
_STATIC = f"""
SELECT shape.job, event.us, event.hash, event.shape
FROM {{given}} {{join}} shape ON shape.job = given.id AND shape.kind = {EventKind.JOB}
{{join}} event ON event.shape = shape.id
"""  # noqa: S608  our own words


Listed: TypeAlias = tuple[bytes, frozenset[int]]
"""The stamp of an event that tells of a job without a run, and the outputs that it lists."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A write as it is stored: what it says itself, and what was found to be in effect."""

    write: Write
    mapping: int | None
    carried: bool


@dataclass(frozen=True, slots=True)
class _Range:
    """The slot to derive, and the stamps between which something changed."""

    key: SlotKey
    since: bytes
    until: bytes


class Slots:
    """Derives slots in one transaction."""

    def __init__(self, session: Session, cache: Cache) -> None:
        self._session = session
        self._cache = cache

    def refresh(self, touched: Touched) -> None:
        """Derive all that was touched, and the slots beside it that a whole write ends, or no longer ends."""
        for dataset, job, at in self._beside(touched):
            touched.slot((dataset, job), at)
        # From the whole of the first instant on: what came before it is then never of the same moment.
        rest = [_Range(key, before(stamp_us(since)), until) for key, (since, until) in sorted(touched.slots.items())]
        static_events = ask_static(self._session, {job for _, job in touched.slots})
        after = _AFTER
        while rest:
            rest = self._derive(rest, static_events, after)
            after *= _GROWTH

    def _beside(self, touched: Touched) -> list[Row]:
        if not touched.whole:
            return []
        given = [(dataset, job, at, stamp_us(at)) for dataset, job, at in sorted(touched.whole)]
        rows = self._session.rows(_BESIDE, Given("dataset int, job int, stamp bytes, us int", given))
        return [(dataset, job, bytes(at)) for dataset, job, at in rows]

    def _derive(self, ranges: Sequence[_Range], static_events: Soon, after: int) -> list[_Range]:
        """Derive slots; returns those for which more writes have to be read."""
        given = Given(
            _RANGES,
            [
                (place, *span.key, span.since, span.until, LAST, stamp_us(span.since))
                for place, span in enumerate(ranges)
            ],
        )
        asked_writes = self._session.soon(_WRITES, given, after=after - 1)
        asked_slots = self._session.soon(_SLOTS, given, after=after - 1, forever=FOREVER)
        static = listed_outputs(self._session, self._cache, static_events.rows())
        stored = _writes(asked_writes.rows())
        more: list[_Range] = []
        changed: list[Row] = []
        parts: dict[int, _Part] = {}
        for place, span in enumerate(ranges):
            writes = _with_static_ends(stored[place], static.get(span.key[1], ()), span.key[0])
            part = _derive_part(writes, span, after)
            if part is None:
                more.append(span)
            else:
                parts[place] = part
                changed += [(*span.key, *row) for row in part.effects]
        if changed:
            self._session.run(
                "UPDATE version SET mapping = given.mapping, carried = given.carried FROM {given}"
                " WHERE version.dataset = given.dataset AND version.job = given.job AND version.stamp = given.stamp",
                Given("dataset int, job int, stamp bytes, mapping int, carried int", changed),
            )
        self._replace(ranges, parts, asked_slots.rows())
        return more

    def _replace(self, ranges: Sequence[_Range], parts: Mapping[int, "_Part"], rows: Iterable[Row]) -> None:
        stored: dict[int, set[Interval]] = defaultdict(set)
        for place, *interval in rows:
            slot = Interval(*interval)
            if place in parts and parts[place].meets(slot):
                stored[place].add(slot)
        removed: list[Row] = []
        added: list[Row] = []
        for place, part in parts.items():
            dataset, job = ranges[place].key
            fitted = _fitted(part, stored[place])
            removed += [(dataset, job, slot.from_us, slot.until_us) for slot in stored[place] - fitted]
            added += [
                (dataset, slot.until_us, job, slot.from_us, slot.mapping, slot.inputs)
                for slot in sorted(fitted - stored[place], key=lambda slot: slot.from_us)
            ]
        self._session.delete("slot", "dataset, job, from_us, until_us", removed)
        self._session.insert("slot", "dataset, until_us, job, from_us, mapping, inputs", added)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a slot, derived: it replaces what is stored from `since` up to the write at `settled`, which stays.

    `settled` is None where the part goes on to the end. `begun` says that the first interval is of a write before
    the part, and may have begun earlier.
    """

    kept: list[Interval]
    since: int
    settled: int | None
    begun: bool
    effects: list[Row]

    def meets(self, interval: Interval) -> bool:
        """Whether what is stored is replaced by the part, or stands right beside it."""
        return interval.until_us > self.since and (self.settled is None or interval.from_us <= self.settled)


def _writes(rows: Iterable[Row]) -> dict[int, list[_Stored]]:
    """Writes as they are stored, by the place of their slot, in their order."""
    stored: dict[int, list[_Stored]] = defaultdict(list)
    for place, stamped, us, mapping, carried, inputs, removal, going_on, whole in rows:
        ender = None if whole is None else bytes(whole)
        said = None if carried else mapping
        old = Effect(mapping, bool(carried)) if going_on else None
        write = Write(bytes(stamped), us, said, inputs, bool(removal), ender, old)
        stored[place].append(_Stored(write, mapping, bool(carried)))
    for writes in stored.values():
        writes.sort(key=lambda item: item.write.stamp)
        _forget_own_enders(writes)
    return stored


def _forget_own_enders(writes: list[_Stored]) -> None:
    """The next whole write of the dataset ends a write only if it comes before the slot's own next write."""
    for place, stored in enumerate(writes):
        following = writes[place + 1].write.stamp if place + 1 < len(writes) else None
        if stored.write.ender is not None and following is not None and stored.write.ender >= following:
            writes[place] = replace(stored, write=replace(stored.write, ender=None))


def ask_static(session: Session, jobs: Iterable[int]) -> Soon:
    """Ask for the events that tell of jobs without runs."""
    return session.soon(_STATIC, ids(jobs))


def listed_outputs(session: Session, cache: Cache, rows: Sequence[Row]) -> Mapping[int, list[Listed]]:
    """Of jobs that are told of without runs: when, and which outputs they list then."""
    by_job: dict[int, list[Listed]] = defaultdict(list)
    load_shapes(session, cache, {shape for _, _, _, shape in rows})
    for job, us, hashed, shape in rows:
        listed = frozenset(
            mention.dataset for mention in cache.shapes_by_id[shape].mentions if mention.role == Role.WRITTEN
        )
        # One that lists no output tells of a job that only reads.
        by_job[job].append((stamp(us, EventType.START.rank, bytes(hashed)), listed or frozenset({NOTHING})))
    for events in by_job.values():
        events.sort(key=lambda event: event[0])
    return by_job


def _with_static_ends(writes: list[_Stored], events: Iterable[Listed], dataset: int) -> list[_Stored]:
    """A write ends also when its job is told of without this output."""
    ends = [at for at, listed in events if dataset not in listed]
    if not ends:
        return writes
    ended = []
    for stored in writes:
        end = next((at for at in ends if at > stored.write.stamp), None)
        if end is not None and (stored.write.ender is None or end < stored.write.ender):
            stored = replace(stored, write=replace(stored.write, ender=end))  # noqa: PLW2901  the same write, ended earlier
        ended.append(stored)
    return ended


def _derive_part(writes: Sequence[_Stored], span: _Range, after: int) -> _Part | None:
    """Derive what the writes of a slot keep in force; None where more of them have to be read."""
    if not writes:
        return _Part([], stamp_us(span.since), None, begun=False, effects=[])
    begun = writes[0].write.stamp < span.since
    own = writes[1:] if begun else writes
    new = effects([stored.write for stored in own], writes[0].mapping if begun else None)
    until_us = stamp_us(span.until)
    settled = next(
        (
            place
            for place, (stored, effect) in enumerate(zip(own, new, strict=True))
            if stored.write.us > until_us and (stored.mapping, stored.carried) == (effect.mapping, effect.carried)
        ),
        None,
    )
    if settled is None and sum(stored.write.stamp > span.until for stored in own) >= after:
        return None
    last = len(own) if settled is None else settled
    in_part = [stored.write for stored in writes[: last + begun]]
    in_effect = [*([Effect(writes[0].mapping, writes[0].carried)] if begun else []), *new[:last]]
    end = FOREVER if settled is None else own[settled].write.us
    rows: list[Row] = [
        (stored.write.stamp, effect.mapping, int(effect.carried))
        for stored, effect in zip(own[:last], new[:last], strict=True)
        if (stored.mapping, stored.carried) != (effect.mapping, effect.carried)
    ]
    return _Part(
        intervals(in_part, in_effect, end) if in_part else [],
        writes[0].write.us if begun else stamp_us(span.since),
        None if settled is None else end,
        begun,
        rows,
    )


def _fitted(part: _Part, stored: set[Interval]) -> set[Interval]:
    """The intervals of a part, joined with what is stored before and after it."""
    fitted = list(part.kept)
    if part.begun and fitted and fitted[0].from_us == part.since:
        begun = next((interval for interval in stored if interval.from_us <= part.since < interval.until_us), None)
        if begun:
            fitted[0] = replace(fitted[0], from_us=begun.from_us)
    if part.settled is not None:
        following = next(
            (interval for interval in stored if interval.from_us <= part.settled < interval.until_us), None
        )
        if following:
            if fitted and fitted[-1].until_us == part.settled and same(fitted[-1], following):
                fitted[-1] = replace(fitted[-1], until_us=following.until_us)
            else:
                fitted.append(replace(following, from_us=part.settled))
    return set(fitted)
