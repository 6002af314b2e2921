"""What the store answers about the columns that a program wrote, and what the events say by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from openlineage.client import OpenLineageClient
from openlineage.client.client import Event
from openlineage.client.transport import Transport
from pyspark.sql import SparkSession

import headwater
from headwater.capture.settings.settings import Settings
from headwater.capture.tracker import Tracker
from headwater.client.lineage import Lineage
from headwater.common.column_path import top_level
from headwater.openlineage.build.serialize import to_dict
from headwater.query.graph.answer import FieldName
from headwater.query.search.resolve import NameNotFound
from headwater.store.transport import StoreConfig, StoreTransport
from tests.truth.compare import meet

from .sources import LEAVES, Leaf


class _Switched(Transport):
    """Hands events to the store of the program at hand, and keeps them; between programs nobody wants them."""

    kind = "switched"

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.store: StoreTransport | None = None

    def emit(self, event: Event) -> None:
        if self.store is not None:
            self.events.append(to_dict(event))
            self.store.emit(event)


class Tracking:
    """Tracks an application, but only while programs run that are to be tracked.

    One tracker for all of them, as for an application that runs for long: what it remembers of a program must not be
    taken for a part of the next.

    Args:
        spark: a session of the application.
    """

    def __init__(self, spark: SparkSession) -> None:
        self._transport = _Switched()
        self._tracker = Tracker(spark, Settings(), OpenLineageClient(transport=self._transport))
        assert self._tracker._listener is not None
        self._listener: Any = self._tracker._listener
        assert self._tracker.flush()
        self._ignore()

    @contextmanager
    def into(self, store: Path) -> Iterator[list[dict[str, Any]]]:
        """Track what runs inside, into a new store; gives the events, which are all there when it is over."""
        events = self._transport.events = []
        self._transport.store = StoreTransport(StoreConfig(store=f"sqlite:///{store}"))
        self._listen()
        try:
            yield events
            self.flush()
        finally:
            self._ignore()
            self._transport.store.close()
            self._transport.store = None

    def flush(self) -> None:
        """Wait until the events of what has run are all there.

        Raises:
            TimeoutError: they did not come.
        """
        if not self._tracker.flush():
            raise TimeoutError("The events of the program did not come.")

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Track nothing that runs inside."""
        self.flush()
        self._ignore()
        try:
            yield
        finally:
            self._listen()

    def _listen(self) -> None:
        self._listener._bus.addToQueue(self._listener._listener, "headwater")

    def _ignore(self) -> None:
        """Hear of no more executions. The catalog can still be asked, unlike after `remove`."""
        self._listener._bus.removeListener(self._listener._listener)

    def stop(self) -> None:
        """Track no more."""
        self._tracker.stop()


class Trail(NamedTuple):
    """What is reached by following events.

    Attributes:
        leaves: the source fields.
        unknown: whether the way ends at something that is marked as not understood, and has no sources at all.
    """

    leaves: frozenset[Leaf]
    unknown: bool


class Answer:
    """Which source fields reach which outputs.

    Args:
        store: the store's file.
        events: what went into it.
        outputs: per folder of the program, the leaves of what is in it.
        root: the program's folder.

    Attributes:
        found: per folder and leaf, the source fields that the store knows a way from.
        folders: per folder and leaf, the folders that these ways lead through.
        opaque: what was not understood, as often as an event says so.
    """

    def __init__(
        self, store: Path, events: Iterable[Mapping[str, Any]], outputs: Mapping[str, Iterable[str]], root: Path
    ) -> None:
        self._events = list(events)
        self._root = root
        self.found: dict[tuple[str, str], frozenset[Leaf]] = {}
        self.folders: dict[tuple[str, str], frozenset[str]] = {}
        self.opaque = self._opaque()
        with headwater.connect(f"sqlite:///{store}") as lineage:
            for folder, leaves in outputs.items():
                for leaf in leaves:
                    fields = self._upstream(lineage, folder, leaf)
                    self.found[folder, leaf] = self._sources(fields)
                    self.folders[folder, leaf] = frozenset(
                        field.name.removeprefix(f"{self._root}/") for field in fields if field.name
                    )

    def _upstream(self, lineage: Lineage, folder: str, leaf: str) -> list[FieldName]:
        dataset = self._dataset(folder)
        if dataset is None:
            return []
        for column in dict.fromkeys((leaf, top_level(leaf))):
            try:
                # Tables are written by several statements: all that is in them counts.
                answer = lineage.upstream(dataset, column, contents=True)
            except NameNotFound:
                continue
            return [node.field for node in answer.nodes]
        return []

    def _sources(self, fields: Iterable[FieldName]) -> frozenset[Leaf]:
        return frozenset(
            source
            for field in fields
            for source in LEAVES
            if field.name == f"{self._root}/src/{source.table}"
            and (field.field is None or meet(field.field, source.path))
        )

    def _dataset(self, folder: str) -> str | None:
        for event in self._events:
            for output in event.get("outputs") or ():
                if output["name"] == f"{self._root}/{folder}":
                    return f"{output['namespace']}/{output['name']}"
        return None

    def _opaque(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for event in self._events:
            if event.get("eventType") in {"COMPLETE", "RUNNING"}:
                for what, times in (_capture(event).get("opaque") or {}).items():
                    found[what] = found.get(what, 0) + times
        return found

    def by_events(self, output: tuple[str, str]) -> Trail:
        """Where the events alone lead, whatever the store makes of them."""
        reached: set[Leaf] = set()
        unknown = False
        seen: set[tuple[str, str]] = set()
        stack = [(f"{self._root}/{output[0]}", output[1])]
        while stack:
            name, field = stack.pop()
            if (name, field) in seen:
                continue
            seen.add((name, field))
            here = {one for one in LEAVES if name == f"{self._root}/src/{one.table}" and meet(field, one.path)}
            origins = list(self._origins(name, field))
            unknown = unknown or (not here and not origins and self._is_opaque(name))
            reached |= here
            stack += origins
        return Trail(frozenset(reached), unknown)

    def tables(self, folder: str) -> frozenset[str]:
        """The source tables that a folder is made of, as the events' inputs and outputs say."""
        seen: set[str] = set()
        stack = [f"{self._root}/{folder}"]
        while stack:
            name = stack.pop()
            if name not in seen:
                seen.add(name)
                stack += (
                    read["name"]
                    for event in self._events
                    if any(output["name"] == name for output in event.get("outputs") or ())
                    for read in event.get("inputs") or ()
                )
        return frozenset(leaf.table for leaf in LEAVES if f"{self._root}/src/{leaf.table}" in seen)

    def _is_opaque(self, name: str) -> bool:
        """Whether an event that writes a dataset says that something in it was not understood."""
        return any(
            _capture(event).get("opaque") and any(output["name"] == name for output in event.get("outputs") or ())
            for event in self._events
        )

    def _origins(self, name: str, field: str) -> Iterable[tuple[str, str]]:
        for event in self._events:
            for output in event.get("outputs") or ():
                facet = (output.get("facets") or {}).get("columnLineage")
                if output["name"] != name or facet is None:
                    continue
                for origin in facet.get("dataset") or ():
                    yield origin["name"], origin["field"]
                for column, one in facet["fields"].items():
                    if meet(column, field):
                        yield from ((origin["name"], origin["field"]) for origin in one["inputFields"])


def _capture(event: Mapping[str, Any]) -> Mapping[str, Any]:
    facets: Mapping[str, Any] = (event.get("run") or {}).get("facets") or {}
    capture: Mapping[str, Any] = facets.get("headwater_capture", {})
    return capture
