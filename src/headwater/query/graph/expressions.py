"""Texts of edges as events state them.

A mapping keeps its texts with literals normalised, so the same one may stand for another number or another day.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from headwater.openlineage.model.event import BadEvent, ColumnEdge, Dataset, DatasetEvent
from headwater.openlineage.model.parse import parse_event
from headwater.query.graph.answer import Edge, FieldName, TableName
from headwater.store.db.session import Session
from headwater.store.model.order import before
from headwater.store.reads.events import last_mapping_events, raw_by_hash, times_of_runs
from headwater.store.reads.names import Table, names_by_name

MOST_SLOTS = 200

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
    """For each slot at each time, the texts of its edges as the last event until then states them.

    None where there is no such event, or retention has dropped it.
    """
    events = _last_events(session, looks)
    raw = raw_by_hash(session, set(events.values()))
    return [
        _texts(raw[events[place][1]], slot.table) if place in events and events[place][1] in raw else None
        for place, (slot, _) in enumerate(looks)
    ]


def text_of(texts: Texts, edge: Edge) -> tuple[str, ...]:
    """The texts of one edge."""
    return texts.get((edge.origin, edge.destination), ())


def _last_events(session: Session, looks: Sequence[tuple[Slot, Look]]) -> dict[int, tuple[int, bytes]]:
    """The time and the hash of the event that last stated the mapping of each slot."""
    datasets = _keys(session, "dataset", {slot.table for slot, _ in looks})
    jobs = _keys(session, "job", {slot.job for slot, _ in looks if slot.job})
    stops = _stops(session, looks, datasets)
    slots = [
        (place, datasets[slot.table], jobs[slot.job] if slot.job else 0, before(stops[place] + 1))
        for place, (slot, _) in enumerate(looks)
        if place in stops and slot.table in datasets and (slot.job is None or slot.job in jobs)
    ]
    last: dict[int, tuple[int, int, bytes]] = {}
    for place, us, type_, hashed in last_mapping_events(session, slots):
        key = us, min(type_, _TERMINAL), hashed
        last[place] = max(key, last.get(place, key))
    return {place: (us, hashed) for place, (us, _, hashed) in last.items()}


def _stops(session: Session, looks: Sequence[tuple[Slot, Look]], datasets: Mapping[TableName, int]) -> dict[int, int]:
    stops = {place: look.us for place, (_, look) in enumerate(looks) if look.run is None}
    runs = [
        (place, datasets[slot.table], bytes.fromhex(look.run.replace("-", "")))
        for place, (slot, look) in enumerate(looks)
        if look.run is not None and slot.table in datasets
    ]
    for place, us in times_of_runs(session, runs):
        # A streaming run wrote the version at or before the time that is asked about.
        if us <= looks[place][1].us:
            stops[place] = max(us, stops.get(place, us))
    return stops


def _keys(session: Session, table: Table, names: Collection[TableName]) -> dict[TableName, int]:
    rows = names_by_name(session, table, ((name.namespace, name.name) for name in names))
    return {TableName(row.namespace, row.name): row.id for row in rows}


def _texts(raw: Mapping[str, object], table: TableName) -> Texts:
    try:
        event = parse_event(raw)
    except BadEvent:  # what an older version took in
        return {}
    written: Iterable[Dataset] = (event.dataset,) if isinstance(event, DatasetEvent) else event.outputs
    by_ends: dict[tuple[FieldName, FieldName], set[str]] = {}
    for dataset in written:
        if (dataset.namespace, dataset.name) == (table.namespace, table.name) and dataset.lineage:
            for edge in dataset.lineage.edges:
                for out in _outs(edge):
                    ends = FieldName(edge.namespace, edge.name, edge.path), FieldName(table.namespace, table.name, out)
                    by_ends.setdefault(ends, set()).add(edge.description)
    return {ends: tuple(sorted(texts)) for ends, texts in by_ends.items()}


def _outs(edge: ColumnEdge) -> set[str | None]:
    """Where an edge may be shown: what is said of every column is shown once, as an input of the rows."""
    return {edge.out, None} if edge.type == "INDIRECT" else {edge.out}
