"""Folds runs on the executors: their facts, in order, become versions, by the store's own functions."""

import json
from collections.abc import Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any
from uuid import UUID

import pyarrow as pa

from headwater.lake.frames import Batches, batch_of, rows_of
from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import EventKind
from headwater.store.entities.key_cache import KnownMadeOf, KnownMention, KnownShape
from headwater.store.model.meaning import Name
from headwater.store.model.short_names import short_hash
from headwater.store.timeline.runs import Run
from headwater.store.timeline.version_rows import inputs_hash
from headwater.store.timeline.writes import (
    Fact,
    OfRun,
    Written,
    batch_versions,
    declared_versions,
    stream_versions,
    strongest,
)

HEADER, NAME, FACT = 0, 1, 2
"""The kinds of rows: the run itself, which comes first; the name of a version; an event."""
ROW = (
    "run", "what", "us", "type", "stamp", "shape", "shape_text", "dataset", "name", "uuid", "job", "first_us",
    "end_type", "end_stamp", "streaming", "since", "below",
)  # fmt: skip
"""The input columns; those that do not apply to a row are null."""
WRITTEN = pa.schema(
    [
        ("dataset", pa.int64()), ("job", pa.int64()), ("us", pa.int64()), ("read_us", pa.int64()), ("run", pa.int64()),
        ("mapping", pa.int64()), ("name_key", pa.int64()), ("whole", pa.int16()), ("removal", pa.int16()),
        ("renamed", pa.int64()), ("stamp", pa.binary()), ("uuid", pa.binary()), ("lifecycle", pa.string()),
        ("name", pa.string()),
        ("inputs_hash", pa.binary()), ("reads", pa.list_(pa.int64())),
    ]
)  # fmt: skip
"""Versions; instead of the key of the set of input datasets, its hash and the datasets."""
_BATCH = 5_000
_MOST = 200_000


class _Cache:
    """A Python process's cache across tasks: keys and hashes mean the same in all of a run's tasks."""

    def __init__(self) -> None:
        self.shapes: dict[int, KnownShape] = {}
        self._names: dict[int, Name] = {}
        self._inputs: dict[tuple[int, ...], bytes] = {}

    def learn(self, key: int, text: str) -> None:
        """Decode a shape from the text that its events carry."""
        if len(self.shapes) >= _MOST:
            self.shapes.clear()
            self._inputs.clear()
        kind, job, streaming, mentions, stated = json.loads(text)
        known = []
        for entry in mentions:
            role, dataset, name, said = entry["r"], entry["d"], (entry["n"], entry["e"]), entry["s"]
            mapping, lifecycle, renamed = map(entry.get, ("m", "l", "f"))
            mention = KnownMention(role, dataset, name, said, mapping, None, lifecycle, entry["p"], renamed)
            self._names[mention.dataset] = mention.name
            known.append(mention)
        made_of = tuple(
            KnownMadeOf(made["d"], made["j"], made["s"], (made.get("n", ""), made.get("e", ""))) for made in stated
        )
        self.shapes[key] = KnownShape(key, EventKind(kind), job, bool(streaming), tuple(known), (), made_of)

    def inputs(self, reads: tuple[int, ...]) -> bytes | None:
        """The hash of a set of datasets."""
        if not reads:
            return None
        hashed = self._inputs.get(reads)
        if hashed is None:
            hashed = self._inputs[reads] = inputs_hash(self._names[dataset] for dataset in reads)
        return hashed


def write_versions(batches: Batches) -> Batches:
    """Sorted rows of runs, and of events without one under a negative run, to versions; for `mapInArrow`."""
    known = _Cache()
    rows = (
        (
            version.dataset,
            version.job,
            version.us,
            version.read_us,
            version.run,
            version.mapping,
            short_hash(version.name) if version.name else None,
            int(version.whole),
            int(version.removal),
            version.renamed,
            version.stamp,
            version.uuid,
            version.lifecycle or None,
            version.name,
            known.inputs(reads),
            reads or None,
        )
        for version, reads in _versions(rows_of(batches, ROW), known)
    )
    while batch := list(islice(rows, _BATCH)):
        yield batch_of(batch, WRITTEN)


def _versions(rows: Iterator[tuple[Any, ...]], known: _Cache) -> Iterator[Written]:
    for run, group in groupby(rows, itemgetter(0)):
        if run >= 0:
            yield from _of_run(run, group, known)
            continue
        for row in group:
            fact = _fact(row, known)
            yield from strongest(declared_versions(fact, known.shapes[fact.shape])).values()


def _fact(row: tuple[Any, ...], known: _Cache) -> Fact:
    _, _, us, kind, stamp, shape, shape_text = row[:7]
    if shape not in known.shapes:
        known.learn(shape, shape_text)
    return Fact(us, EventType(kind), stamp, shape)


def _of_run(run: int, rows: Iterator[tuple[Any, ...]], known: _Cache) -> Iterator[Written]:
    header = next(rows)
    uuid, job, first_us, end_type, end_stamp, streaming, since, below = header[9:]
    state = Run(first_us, job, None, None, None, end_type, end_stamp, streaming)
    if header[1] != HEADER or not state.may_write:
        return
    names: dict[tuple[int, int], str] = {}
    of = OfRun(
        run,
        str(UUID(bytes=uuid)),
        state,
        {item["dataset"]: item["us"] for item in below or ()},
        lambda *key: names.get(key),
    )
    facts = _facts(rows, known, names, streaming=bool(streaming))
    if not streaming:
        yield from strongest(batch_versions(of, facts, known.shapes.__getitem__)).values()
        return
    versions = stream_versions(of, facts, known.shapes.__getitem__, since)
    for _, moment in groupby(versions, lambda written: written[0].us):
        yield from strongest(moment).values()


def _facts(
    rows: Iterator[tuple[Any, ...]], known: _Cache, names: dict[tuple[int, int], str], *, streaming: bool
) -> Iterator[Fact]:
    """A run's facts; the names of versions at a moment come before the moment's facts.

    They are forgotten after; those at the last end of a batch run are kept until there is another.
    """
    ended_us: int | None = None
    for row in rows:
        if row[1] != NAME:
            fact = _fact(row, known)
            if fact.type.terminal and not streaming:
                ended_us = fact.us
            yield fact
            continue
        us, dataset, name = row[2], row[7], row[8]
        for old in [key for key in names if key[1] not in {us, ended_us}]:
            del names[old]
        names[dataset, us] = name
