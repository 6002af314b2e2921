"""Texts of edges as events say them.

A mapping keeps its texts with literals normalised, so the same one may stand for another number or another day.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from headwater.openlineage.model.event import BadEvent, ColumnEdge, Dataset, DatasetEvent
from headwater.openlineage.model.parse import parse_event
from headwater.query.graph.answer import Edge, FieldName, TableName
from headwater.store.db.codes import Flag, Role
from headwater.store.db.predicates import raw_kept
from headwater.store.db.session import Given, Row, Session
from headwater.store.entities.keys import hash_of
from headwater.store.entities.raw_events import put_together
from headwater.store.model.order import before

MOST_SLOTS = 200

_NAMED = "SELECT t.namespace, t.name, t.id FROM {{given}} {{join}} {table} t ON t.key = given.key"
# The last write of a slot that said something of columns itself.
_SAID = f"""
SELECT given.place, version.dataset, version.mapping, version.run, version.us FROM {{given}}
{{join}} version ON version.dataset = given.dataset AND version.job = given.job AND version.stamp = (
    SELECT last.stamp FROM version last
    WHERE last.dataset = given.dataset AND last.job = given.job AND last.stamp < given.stop
        AND last.carried = {Flag.NO} AND last.mapping IS NOT NULL
    ORDER BY last.stamp DESC LIMIT 1
)
"""  # noqa: S608  our own words
_STOPS = """
SELECT given.place, version.us FROM {given}
{join} run ON run.uuid = given.uuid
{join} version ON version.run = run.id AND version.dataset = given.dataset
"""
_BY_RUN = f"""
SELECT given.place, event.us, event.type, event.hash FROM {{given}}
{{join}} mention ON mention.dataset = given.dataset AND mention.role = {Role.WRITTEN}
    AND mention.mapping = given.mapping
{{join}} event ON event.run = given.run AND event.shape = mention.shape AND event.us = (
    SELECT max(last.us) FROM event last
    WHERE last.run = given.run AND last.shape = mention.shape AND last.us <= given.us
)
"""  # noqa: S608  our own words
_WITHOUT_RUN = f"""
SELECT given.place, event.us, event.type, event.hash FROM {{given}}
{{join}} mention ON mention.dataset = given.dataset AND mention.role >= {Role.WRITTEN}
    AND mention.mapping = given.mapping
{{join}} event ON event.shape = mention.shape AND event.us = given.us AND event.run IS NULL
"""  # noqa: S608  our own words
_RAW = f"""
SELECT given.hash, body.content, event.rest FROM {{given}}
{{join}} event ON event.us = given.us AND event.hash = given.hash AND {raw_kept("event")}
{{join}} body ON body.id = event.body
"""  # noqa: S608  our own words
_TERMINAL = 3


class Slot(NamedTuple):
    """A job's writes to a dataset."""

    table: TableName
    job: TableName | None


class Look(NamedTuple):
    """When to look at a slot: at a moment, or at what a run wrote."""

    us: int
    run: str | None = None


Texts: TypeAlias = Mapping[tuple[FieldName, FieldName], tuple[str, ...]]


def slot_of(edge: Edge) -> Slot:
    """The slot that an edge is in."""
    return Slot(edge.destination.table, edge.job)


def texts_at(session: Session, looks: Sequence[tuple[Slot, Look]]) -> list[Texts | None]:
    """For each slot at each time, the texts of its edges as the last event until then says them.

    None where there is no such event, or retention has dropped it.
    """
    events = _last_events(session, looks)
    wanted = sorted(set(events.values()))
    raw = {}
    for hashed, body, rest in session.rows(_RAW, Given("us int, hash bytes", wanted)):
        raw[bytes(hashed)] = put_together(body, rest)
    return [
        _texts(raw[events[place][1]], slot.table) if place in events and events[place][1] in raw else None
        for place, (slot, _) in enumerate(looks)
    ]


def text_of(texts: Texts, edge: Edge) -> tuple[str, ...]:
    """The texts of one edge."""
    return texts.get((edge.origin, edge.destination), ())


def _last_events(session: Session, looks: Sequence[tuple[Slot, Look]]) -> dict[int, tuple[int, bytes]]:
    """The time and the hash of the event that said each thing last."""
    datasets = _keys(session, "dataset", {slot.table for slot, _ in looks})
    jobs = _keys(session, "job", {slot.job for slot, _ in looks if slot.job})
    stops = _stops(session, looks, datasets)
    slots: list[Row] = [
        (place, datasets[slot.table], jobs[slot.job] if slot.job else 0, before(stops[place] + 1))
        for place, (slot, _) in enumerate(looks)
        if place in stops and slot.table in datasets and (slot.job is None or slot.job in jobs)
    ]
    if not slots:
        return {}
    said = session.rows(_SAID, Given("place int, dataset int, job int, stop bytes", slots))
    ran: list[Row] = [
        (place, dataset, mapping, run, us) for place, dataset, mapping, run, us in said if run is not None
    ]
    declared: list[Row] = [(place, dataset, mapping, us) for place, dataset, mapping, run, us in said if run is None]
    found: list[Row] = []
    if ran:
        found += session.rows(_BY_RUN, Given("place int, dataset int, mapping int, run int, us int", ran))
    if declared:
        found += session.rows(_WITHOUT_RUN, Given("place int, dataset int, mapping int, us int", declared))
    last: dict[int, tuple[int, int, bytes]] = {}
    for place, us, kind, hashed in found:
        key = us, min(kind, _TERMINAL), bytes(hashed)
        last[place] = max(key, last.get(place, key))
    return {place: (us, hashed) for place, (us, _, hashed) in last.items()}


def _stops(session: Session, looks: Sequence[tuple[Slot, Look]], datasets: Mapping[TableName, int]) -> dict[int, int]:
    stops = {place: look.us for place, (_, look) in enumerate(looks) if look.run is None}
    runs: list[Row] = [
        (place, datasets[slot.table], bytes.fromhex(look.run.replace("-", "")))
        for place, (slot, look) in enumerate(looks)
        if look.run is not None and slot.table in datasets
    ]
    if runs:
        for place, us in session.rows(_STOPS, Given("place int, dataset int, uuid bytes", runs)):
            # A streaming run wrote the version at or before the time that is asked about.
            if us <= looks[place][1].us:
                stops[place] = max(us, stops.get(place, us))
    return stops


def _keys(session: Session, table: str, names: Collection[TableName]) -> dict[TableName, int]:
    if not names:
        return {}
    given = Given("key bytes", sorted((hash_of(name.namespace, name.name),) for name in names))
    return {TableName(namespace, name): key for namespace, name, key in session.rows(_NAMED.format(table=table), given)}


def _texts(raw: Mapping[str, object], table: TableName) -> Texts:
    try:
        event = parse_event(raw)
    except BadEvent:  # what an older version took in
        return {}
    written: Iterable[Dataset] = (event.dataset,) if isinstance(event, DatasetEvent) else event.outputs
    found: dict[tuple[FieldName, FieldName], set[str]] = {}
    for dataset in written:
        if (dataset.namespace, dataset.name) == (table.namespace, table.name) and dataset.lineage:
            for edge in dataset.lineage.edges:
                for out in _outs(edge):
                    ends = FieldName(edge.namespace, edge.name, edge.path), FieldName(table.namespace, table.name, out)
                    found.setdefault(ends, set()).add(edge.description)
    return {ends: tuple(sorted(texts)) for ends, texts in found.items()}


def _outs(edge: ColumnEdge) -> set[str | None]:
    """Where an edge may be shown: what is said of every column is shown once, as an input of the rows."""
    return {edge.out, None} if edge.type == "INDIRECT" else {edge.out}
