"""Asking lineage from Python, wherever it is kept.

>>> import headwater
>>> with headwater.connect("lineage.db") as lineage:  # doctest: +SKIP
...     lineage.upstream("warehouse/orders", "total", as_of="2026-05-12").nodes
>>> headwater.connect("https://lineage.example", token="…").stats().events  # doctest: +SKIP
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from headwater.graph.answer import Answer, Direction, TableAnswer, TableName
from headwater.pipeline.lake_address import is_lake, lake_path
from headwater.question_parts import ALL_COLUMNS, read_direction, read_kinds, read_pair, read_texts
from headwater.questions import (
    Datasets,
    DiffOf,
    Events,
    Follow,
    HistoryOf,
    ImpactOf,
    Jobs,
    PiiOf,
    Provenance,
    Question,
    SearchFor,
    StatsOf,
)
from headwater.remote_address import is_server
from headwater.store.errors import StoreError
from headwater.store.terms import Kind
from headwater.times import Time, beginning_us, moment_us

if TYPE_CHECKING:
    from headwater.bad_question import BadQuestion
    from headwater.graph.diff import Diff
    from headwater.graph.history import History
    from headwater.graph.impact import Impact
    from headwater.graph.names import NameNotFound
    from headwater.graph.search import SearchResult
    from headwater.store import IngestResult, Stats
    from headwater.travel.pii import Pii

__all__ = ["ALL_COLUMNS", "Lineage", "connect"]

T = TypeVar("T")
P = TypeVar("P", Datasets, Jobs, Events)


def connect(path_or_url: str | os.PathLike[str] = "headwater.db", *, token: str | None = None) -> Lineage:
    """Lineage in a store, behind a server, or in a lake.

    Args:
        path_or_url: a path, `sqlite:///file.db`, `postgresql://host/database`, a server's `https://host:5000`, or a
            lake: `lake:/path`, `lake:s3a://bucket/path`; Spark answers from that, in the session that is running, or
            in one of its own until it is closed. Nothing is opened, made or asked until it is used.
        token: what lets you in to a server; else what stands before the host in its URL (`https://token@host`), else
            the environment variable HEADWATER_TOKEN.

    Raises:
        StoreError: it names no store that can be asked.
    """
    url = os.fspath(path_or_url)
    if is_server(url):
        from headwater.remote import RemoteLineage  # noqa: PLC0415  only where a server is asked

        return RemoteLineage(url, token)
    if is_lake(url):
        if find_spec("pyspark") is None or find_spec("pyarrow") is None:
            raise StoreError("A lake is asked by Spark: pip install 'headwater[spark]' pyarrow pandas.")
        from headwater.pipeline.asking import LakeLineage  # noqa: PLC0415  only where a lake is asked

        return LakeLineage(lake_path(url))
    from headwater.local import StoredLineage  # noqa: PLC0415  it needs what is here
    from headwater.store import open_store  # noqa: PLC0415  only where a store is asked

    return StoredLineage(open_store(url))


class Lineage(ABC):
    """Questions about lineage, and events to answer them from. Use it with `with`, or `close` it.

    Datasets and jobs are named `namespace/name`, or by any end of the name that no other has; columns by their path.
    A time is a datetime with a zone, a date, either as ISO 8601 text, or microseconds UTC. A date is a day in UTC: as a
    moment, or as the end of a window, its last moment, so that all that happened on it counts; as the start of a
    window, its first. None is now.

    What is asked for and not there raises `UnknownName`, a LookupError with the nearest names in `candidates`; what has
    several meanings `AmbiguousName`; options that contradict each other `BadQuestion`, a ValueError; a store that
    cannot be read, or a server that cannot be reached, `StoreError`.
    """

    @overload
    def upstream(
        self,
        dataset: str,
        column: str,
        *,
        as_of: Time = ...,
        since: Time = ...,
        until: Time = ...,
        version: str | None = ...,
        contents: bool = ...,
        depth: int | None = ...,
        direct: bool = ...,
        namespaces: Collection[str] | None = ...,
        limit: int | None = ...,
        job: None = ...,
        collapse: bool = ...,
    ) -> Answer: ...

    @overload
    def upstream(
        self,
        dataset: str | None = ...,
        column: str | None = ...,
        *,
        as_of: Time = ...,
        since: Time = ...,
        until: Time = ...,
        version: str | None = ...,
        contents: bool = ...,
        depth: int | None = ...,
        direct: bool = ...,
        namespaces: Collection[str] | None = ...,
        limit: int | None = ...,
        job: str | None = ...,
        collapse: bool = ...,
    ) -> Answer | TableAnswer: ...

    def upstream(  # noqa: PLR0913  the parts of a question
        self,
        dataset: str | None = None,
        column: str | None = None,
        *,
        as_of: Time = None,
        since: Time = None,
        until: Time = None,
        version: str | None = None,
        contents: bool = False,
        depth: int | None = None,
        direct: bool = False,
        namespaces: Collection[str] | None = None,
        limit: int | None = None,
        job: str | None = None,
        collapse: bool = False,
    ) -> Answer | TableAnswer:
        """Where a column comes from; without one, which datasets and jobs a dataset or a job comes from.

        Args:
            dataset: the dataset.
            column: one of its columns, or "*" for all of them.
            as_of: the moment to look at.
            since: the start of a window: what was in force at any moment in it counts.
            until: the end of the window.
            version: the version whose provenance is asked for; see `provenance`.
            contents: count all writes since the last that replaced the whole dataset.
            depth: how many edges to follow at most; None for all.
            direct: of columns, leave out what only decides on rows or conditions.
            namespaces: enter datasets of these namespaces only.
            limit: how many nodes to return at most; the nearest come first.
            job: a job to start from instead of a dataset.
            collapse: of datasets and jobs, show the executions of an application as that application.
        """
        return self.follow(
            Direction.UPSTREAM,
            dataset,
            column,
            as_of=as_of,
            since=since,
            until=until,
            version=version,
            contents=contents,
            depth=depth,
            direct=direct,
            namespaces=namespaces,
            limit=limit,
            job=job,
            collapse=collapse,
        )

    @overload
    def downstream(
        self,
        dataset: str,
        column: str,
        *,
        as_of: Time = ...,
        since: Time = ...,
        until: Time = ...,
        version: None = ...,
        contents: bool = ...,
        depth: int | None = ...,
        direct: bool = ...,
        namespaces: Collection[str] | None = ...,
        limit: int | None = ...,
        job: None = ...,
        collapse: bool = ...,
    ) -> Answer: ...

    @overload
    def downstream(
        self,
        dataset: str | None = ...,
        column: str | None = ...,
        *,
        as_of: Time = ...,
        since: Time = ...,
        until: Time = ...,
        version: str | None = ...,
        contents: bool = ...,
        depth: int | None = ...,
        direct: bool = ...,
        namespaces: Collection[str] | None = ...,
        limit: int | None = ...,
        job: str | None = ...,
        collapse: bool = ...,
    ) -> Answer | TableAnswer: ...

    def downstream(  # noqa: PLR0913  the parts of a question
        self,
        dataset: str | None = None,
        column: str | None = None,
        *,
        as_of: Time = None,
        since: Time = None,
        until: Time = None,
        version: str | None = None,
        contents: bool = False,
        depth: int | None = None,
        direct: bool = False,
        namespaces: Collection[str] | None = None,
        limit: int | None = None,
        job: str | None = None,
        collapse: bool = False,
    ) -> Answer | TableAnswer:
        """What a column reaches; without one, which datasets and jobs a dataset or a job reaches.

        The arguments are those of `upstream`; a version has no downstream of its own.
        """
        return self.follow(
            Direction.DOWNSTREAM,
            dataset,
            column,
            as_of=as_of,
            since=since,
            until=until,
            version=version,
            contents=contents,
            depth=depth,
            direct=direct,
            namespaces=namespaces,
            limit=limit,
            job=job,
            collapse=collapse,
        )

    def follow(  # noqa: PLR0913  the parts of a question
        self,
        direction: Direction,
        dataset: str | None = None,
        column: str | None = None,
        *,
        as_of: Time = None,
        since: Time = None,
        until: Time = None,
        version: str | None = None,
        contents: bool = False,
        depth: int | None = None,
        direct: bool = False,
        namespaces: Collection[str] | None = None,
        limit: int | None = None,
        job: str | None = None,
        collapse: bool = False,
    ) -> Answer | TableAnswer:
        """`upstream` or `downstream`, whichever way it is."""
        return self.ask(
            Follow(
                direction=direction,
                dataset=dataset,
                column=column,
                as_of=moment_us(as_of, "as_of"),
                since=beginning_us(since, "since"),
                until=moment_us(until, "until"),
                version=version,
                contents=contents,
                depth=depth,
                direct=direct,
                namespaces=read_texts(namespaces, "namespaces"),
                limit=limit,
                job=job,
                collapse=collapse,
            )
        )

    def provenance(  # noqa: PLR0913  the parts of a question
        self,
        dataset: str,
        version: str,
        column: str | None = None,
        *,
        depth: int | None = None,
        direct: bool = False,
        namespaces: Collection[str] | None = None,
        limit: int | None = None,
    ) -> Answer:
        """Where a version comes from: its run, the versions that it read, and so on.

        Args:
            dataset: the dataset.
            version: the version's UUID, what a version facet calls it, or the UUID of the run that wrote it.
            column: one of its columns; None for all.
            depth: how many edges to follow at most; None for all.
            direct: leave out what only decides on rows or conditions.
            namespaces: enter datasets of these namespaces only.
            limit: how many nodes to return at most; the nearest come first.
        """
        return self.ask(
            Provenance(
                dataset=dataset,
                version=version,
                column=column,
                depth=depth,
                direct=direct,
                namespaces=read_texts(namespaces, "namespaces"),
                limit=limit,
            )
        )

    def impact(  # noqa: PLR0913  the parts of a question
        self,
        dataset: str,
        column: str | None = None,
        *,
        as_of: Time = None,
        since: Time = None,
        until: Time = None,
        depth: int | None = None,
        direct: bool = False,
        namespaces: Collection[str] | None = None,
        limit: int | None = None,
    ) -> Impact:
        """What a change or a drop of a column, or of all columns, reaches: by dataset and job, with paths, owners."""
        return self.ask(
            ImpactOf(
                dataset=dataset,
                column=column,
                as_of=moment_us(as_of, "as_of"),
                since=beginning_us(since, "since"),
                until=moment_us(until, "until"),
                depth=depth,
                direct=direct,
                namespaces=read_texts(namespaces, "namespaces"),
                limit=limit,
            )
        )

    def pii(  # noqa: PLR0913  the parts of a question
        self,
        dataset: str | None = None,
        column: str | None = None,
        *,
        tag: str | None = None,
        as_of: Time = None,
        since: Time = None,
        until: Time = None,
        depth: int | None = None,
        direct: bool = False,
        namespaces: Collection[str] | None = None,
        limit: int | None = None,
    ) -> Pii:
        """Where a field went: in the clear, possibly, masked at which step, or only as a condition.

        Without a field, all fields that have a personal tag, of all datasets or of one; with `tag`, those that have it.
        """
        return self.ask(
            PiiOf(
                dataset=dataset,
                column=column,
                tag=tag,
                as_of=moment_us(as_of, "as_of"),
                since=beginning_us(since, "since"),
                until=moment_us(until, "until"),
                depth=depth,
                direct=direct,
                namespaces=read_texts(namespaces, "namespaces"),
                limit=limit,
            )
        )

    def diff(  # noqa: PLR0913  the parts of a question
        self,
        dataset: str,
        column: str | None = None,
        *,
        since: Time = None,
        until: Time = None,
        versions: tuple[str, str] | None = None,
        direction: Direction | str = Direction.UPSTREAM,
        depth: int | None = None,
        direct: bool = False,
        namespaces: Collection[str] | None = None,
        limit: int | None = None,
    ) -> Diff:
        """What changed in the lineage of a column, or of all columns, from one moment (`since`) to another (`until`).

        A date is the last moment of that day, on both sides. `versions` are two versions of the dataset instead.
        """
        return self.ask(
            DiffOf(
                dataset=dataset,
                column=column,
                since=moment_us(since, "since"),
                until=moment_us(until, "until"),
                versions=read_pair(versions, "versions"),
                direction=read_direction(direction, "direction"),
                depth=depth,
                direct=direct,
                namespaces=read_texts(namespaces, "namespaces"),
                limit=limit,
            )
        )

    def history(self, dataset: str, column: str) -> History:
        """Each change of a column's inputs or of its expression, with the run that made it."""
        return self.ask(HistoryOf(dataset=dataset, column=column))

    def search(
        self,
        text: str,
        *,
        kinds: Collection[Kind | str] | None = None,
        limit: int = 20,
        namespaces: Collection[str] | None = None,
    ) -> SearchResult:
        """Find datasets, columns and jobs by words of names, tags and descriptions; misspelt ones too.

        Args:
            text: words, or a name.
            kinds: what to look for: "dataset", "field", "job"; None for all.
            limit: how many to return at most.
            namespaces: only what is in one of these.
        """
        return self.ask(
            SearchFor(
                text=text,
                kinds=read_kinds(kinds, "kinds"),
                limit=limit,
                namespaces=read_texts(namespaces, "namespaces"),
            )
        )

    def datasets(self, namespaces: Collection[str] | None = None) -> Iterator[TableName]:
        """All datasets, in an order of their own that stays the same."""
        for page in self._pages(Datasets(namespaces=read_texts(namespaces, "namespaces"))):
            yield from page.names

    def jobs(self, namespaces: Collection[str] | None = None) -> Iterator[TableName]:
        """All jobs, in an order of their own that stays the same."""
        for page in self._pages(Jobs(namespaces=read_texts(namespaces, "namespaces"))):
            yield from page.names

    def events(self, since: Time = None, until: Time = None) -> Iterator[dict[str, Any]]:
        """The raw events in order of time, as they came; those that retention dropped are left out."""
        for page in self._pages(Events(since=beginning_us(since, "since"), until=moment_us(until, "until"))):
            yield from page.events

    def stats(self) -> Stats:
        """How much there is."""
        return self.ask(StatsOf())

    @abstractmethod
    def ask(self, question: Question[T]) -> T:
        """The answer to a question that is a value of `headwater.questions`; the methods above make one, and ask it."""

    @abstractmethod
    def ask_all(self, questions: Iterable[Question[T]]) -> list[T | NameNotFound | BadQuestion]:
        """The answers to many questions, in their order: in the place of one that has none, the error.

        A store in this process answers all of them from one moment of it, a server those of one request.
        """

    @abstractmethod
    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """Take in OpenLineage events, each a dictionary; when this returns, they are stored."""

    @abstractmethod
    def ingest_many(self, batches: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[IngestResult]:
        """Take in batch after batch; a batch is stored when its result comes."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""

    def _pages(self, question: P) -> Iterator[Any]:
        """The answers to a question that goes on by a cursor."""
        cursor: str | None = ""
        while cursor is not None:
            page = self.ask(replace(question, cursor=cursor or None))
            yield page
            cursor = page.cursor

    def __enter__(self) -> Lineage:  # noqa: PYI034  Python 3.10 has no Self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
