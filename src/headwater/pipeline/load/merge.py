"""Merges a lake's events into a store that has some already: they are ingested like any others."""

import json
from collections.abc import Iterator, Sequence

from pyspark.sql import DataFrame

from headwater.lake.batches import rows as rows_of_frames
from headwater.lake.errors import LakeError
from headwater.lake.lake import Lake
from headwater.openlineage.model.event import EventType
from headwater.openlineage.model.parse import parse_happening
from headwater.store import Store
from headwater.store.db.codes import EventKind
from headwater.store.db.session import Row
from headwater.store.ingest.prepared_event import SHAPES, Ready, meaning_of_body, versions_in
from headwater.store.model.compression import unpacked
from headwater.store.model.meaning import Meaning
from headwater.store.model.order import stamp

_BATCH = 2_000
_MOST_BODIES = 10_000


def merge(store: Store, lake: Lake, since: int) -> tuple[int, int]:
    """Write the events that a lake gained after a snapshot; returns how many were new, and how many were known."""
    events = events_since(lake, since)
    _check(lake, events)
    accepted = known = 0
    known_bodies: dict[bytes, _Body] = {}
    for _, rows in rows_of_frames({"event": _with_bodies(lake, events)}):
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            if len(known_bodies) > _MOST_BODIES:
                known_bodies.clear()
            (new,) = store.write([list(_ready(batch, known_bodies))])
            accepted += new
            known += len(batch) - new
    return accepted, known


def events_since(lake: Lake, since: int) -> DataFrame:
    """The events added after a snapshot, perhaps with others that the store knows."""
    return lake.read("event") if since == 0 else lake.added_since("event", since)


def _check(lake: Lake, events: DataFrame) -> None:
    if not events.where("rest IS NULL OR body IS NULL").isEmpty():
        raise LakeError(
            f"Some events of the lake {lake.path} have no raw text (headwater vacuum --keep-raw), so they cannot"
            " be merged: load the lake into an empty store."
        )


def _with_bodies(lake: Lake, events: DataFrame) -> DataFrame:
    bodies = lake.read("body").selectExpr("id AS body", "hash AS body_hash", "content")
    runs = lake.read("run").selectExpr("id AS run", "uuid")
    whole = events.join(bodies, "body").join(runs, "run", "left")
    return whole.orderBy("us", "hash").select("us", "hash", "kind", "type", "uuid", "rest", "body_hash", "content")


class _Body:
    """A body, parsed once for all its events."""

    def __init__(self, content: bytes) -> None:
        self.content = unpacked(content)
        self.fields = json.loads(self.content)
        self.meaning: Meaning | None = None

    def meaning_as(self, kind: EventKind) -> Meaning:
        """The meaning, the same for any event with this body."""
        if self.meaning is None:
            self.meaning = meaning_of_body(self.fields, kind)
        return self.meaning


def _ready(rows: Sequence[Row], bodies: dict[bytes, _Body]) -> Iterator[Ready]:
    """Events as `make_ready` makes them, under the hash that the lake knows them by."""
    for us, hashed, kind, type_, uuid, rest, body_hash, content in rows:
        if body_hash not in bodies:
            bodies[body_hash] = _Body(content)
        body = bodies[body_hash]
        written = unpacked(rest)
        rest_fields = json.loads(written)
        of = EventKind(kind)
        happened = parse_happening(rest_fields, SHAPES[of])
        yield Ready(
            raw={},
            hash=hashed,
            stamp=stamp(us, EventType(type_).rank, hashed),
            kind=of,
            us=us,
            type=EventType(type_),
            run=uuid,
            parent=happened.parent,
            versions=tuple(versions_in(body.fields, rest_fields)) if uuid else (),
            written=None,
            body_hash=body_hash,
            body=body.content,
            rest=written,
            meaning=body.meaning_as(of),
        )
