"""Which tags, terms and descriptions would be set where, and setting them.

What is set is a facet of its own on each dataset, in an event like any other: it writes over nothing that people or
sources set, and the next propagation replaces it.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.openlineage.model.instants import instant_text
from headwater.openlineage.model.producer import PRODUCER
from headwater.query.graph.answer import Direction, FieldName, Moment, TableName
from headwater.query.graph.labels import label_fields, tables
from headwater.query.lineage.traversal import Walk, traverse_from
from headwater.query.metadata.notes import datasets_with_note, tag_names, tag_parts
from headwater.query.privacy.legs import Leg, map_of, stations
from headwater.query.privacy.marks import marked_fields, with_tags
from headwater.query.privacy.propagation import Marks, Outcome, Verdict, carried
from headwater.query.privacy.rules import Rules, What
from headwater.store import Store, StoreError
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.model.meaning import DERIVED
from headwater.store.model.order import canonical
from headwater.store.reads.names import hidden_among

_ALL = 2**62
_FACET_URL = "urn:headwater:facet:derivedTags"
_EVENT_URL = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"


@dataclass(frozen=True, slots=True)
class Propagation(Tabular):
    """What becomes of all that is set on fields, at every field that it reaches; `tags` are those asked for, if any."""

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("namespace", "name", "field", "what", "value", "verdict", "rule", "path"),
        *("stopped_at", "stopped_by"),
    )

    moment: Moment
    tags: tuple[str, ...]
    outcomes: tuple[Outcome, ...]

    def rows(self) -> list[dict[str, object]]:
        """One row for each thing and each field."""
        return [_row(outcome) for outcome in self.outcomes]


def _row(outcome: Outcome) -> dict[str, object]:
    stop = outcome.path[-1] if outcome.verdict is Verdict.STOPPED else outcome.stopped_at
    return {
        "namespace": outcome.field.namespace,
        "name": outcome.field.name,
        "field": outcome.field.field,
        "what": outcome.what.value,
        "value": outcome.name,
        "verdict": outcome.verdict.value,
        "rule": outcome.rule,
        "path": " -> ".join(f"{name.table.full}.{name.field or '*'}" for name in stations(outcome.path)),
        "stopped_at": f"{stop.destination.table.full}.{stop.destination.field or '*'}" if stop else None,
        "stopped_by": stop.how.description if stop else None,
    }


def propagation(session: Session, rules: Rules, tags: Collection[str] = (), *, as_of: int | None = None) -> Propagation:
    """What would be set where at a moment, or now; with `tags`, only these tags and terms, and no descriptions."""
    moment = Moment.at(as_of)
    marks = marked_fields(session, as_of, descriptions=not tags)
    if tags:
        marks = with_tags(marks, tags)
    walk = Walk(Direction.DOWNSTREAM, moment, direct=not rules.carry_conditions, limit=_ALL)
    reach = traverse_from(session, [key for key, mark in marks.items() if mark.tags or mark.description], walk)
    legs = map_of(reach.edges, (node.field for node in reach.nodes))
    return Propagation(moment, tuple(tags), tuple(carried(_by_name(session, marks, reach.starts), legs, rules)))


def _by_name(session: Session, marks: Mapping[int, Marks], shown: Mapping[int, FieldName]) -> dict[FieldName, Marks]:
    """What is set on fields by their names; an alias of a dataset has what the dataset has."""
    names = {**label_fields(session, marks.keys() - shown.keys()).names, **shown}
    by_name: dict[FieldName, Marks] = {}
    for key in sorted(marks):
        mark, known = marks[key], by_name.get(names[key], Marks())
        by_name[names[key]] = Marks(
            mark.tags | known.tags, mark.refused | known.refused, known.description or mark.description
        )
    return by_name


@dataclass(frozen=True, slots=True)
class Written:
    """What a propagation changed: datasets whose derived tags are others now, and how many things are set in all."""

    datasets: int
    things: int


def write(store: Store, propagation: Propagation, now: int) -> Written:
    """Set what arrives, and take away what does so no longer; where all is as it was, nothing is written."""
    with store.read() as session:
        before = datasets_with_note(session, DERIVED)
        hidden = hidden_among(session, Kind.DATASET, before)
        names = tables(session, "dataset", before.keys() - hidden)
    facets = _facets(propagation)
    known: dict[TableName, tuple[int, dict[str, Any]]] = {name: before[key] for key, name in names.items()}
    events = []
    for name in sorted({*facets, *known}):
        us, facet = known.get(name, (0, {}))
        content = _with_others(facets.get(name, {}), facet, propagation.tags)
        if canonical(_content(facet)) != canonical(_content(content)):
            events.append(_event(name, content, max(now, us + 1)))
    if events and (rejected := store.ingest(events).rejected):
        raise StoreError(f"Cannot store what reaches {len(rejected)} datasets: {rejected[0]}.")
    return Written(len(events), sum(outcome.arrives for outcome in propagation.outcomes))


def _facets(propagation: Propagation) -> dict[TableName, dict[str, Any]]:
    """What arrives, as the facet of each dataset."""
    entries: defaultdict[TableName, dict[str, list[Any]]] = defaultdict(lambda: {"tags": [], "descriptions": []})
    for outcome in propagation.outcomes:
        if outcome.arrives:
            how = {
                "field": outcome.field.field,
                "source": "HEADWATER",
                "certain": outcome.verdict is Verdict.CARRIED,
                "rule": outcome.rule,
                "path": [_leg(leg) for leg in outcome.path],
            }
            if outcome.what is What.DESCRIPTION:
                entries[outcome.field.table]["descriptions"].append({"description": outcome.name, **how})
            else:
                key, value = tag_parts(outcome.name)
                entries[outcome.field.table]["tags"].append({"key": key, "value": value, **how})
    return dict(entries)


def _leg(leg: Leg) -> dict[str, Any]:
    ends = (("origin", leg.origin), ("destination", leg.destination))
    return {
        **{end: {"namespace": name.namespace, "name": name.name, "field": name.field} for end, name in ends},
        **plain(leg.how),
        "job": plain(leg.job) if leg.job else None,
    }


def _content(facet: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What a facet holds, in an order of its own."""
    return {key: sorted(facet.get(key) or [], key=_place) for key in ("tags", "descriptions")}


def _place(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(entry.get(key)) for key in ("field", "key", "value", "description"))


def _with_others(new: Mapping[str, Any], old: Mapping[str, Any], asked: Collection[str]) -> dict[str, Any]:
    """What is new, and of what was there, that which was not asked about."""
    content = _content(new)
    if asked:
        folded = {name.casefold() for name in asked}
        others = [tag for tag in _content(old)["tags"] if tag_names({"tags": [tag]})[0][1].casefold() not in folded]
        return _content({"tags": [*others, *content["tags"]], "descriptions": old.get("descriptions")})
    return content


def _event(name: TableName, content: Mapping[str, Any], us: int) -> dict[str, Any]:
    base = {"_producer": PRODUCER, "_schemaURL": _FACET_URL}
    facet = {**base, **content} if any(content.values()) else {**base, "_deleted": True}
    return {
        "eventTime": instant_text(us),
        "producer": PRODUCER,
        "schemaURL": _EVENT_URL,
        "dataset": {**plain(name), "facets": {DERIVED: facet}},
    }
