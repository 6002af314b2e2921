"""Asking lineage from Python, wherever it is kept.

>>> import headwater
>>> with headwater.connect("lineage.db") as lineage:  # doctest: +SKIP
...     lineage.upstream("warehouse/orders", "total", as_of="2026-05-12").nodes
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

from headwater.graph.answer import Answer, Direction, TableAnswer, TableName
from headwater.store.errors import StoreError, without_password
from headwater.store.terms import Kind
from headwater.times import Time

if TYPE_CHECKING:
    from headwater.graph.diff import Diff
    from headwater.graph.history import History
    from headwater.graph.impact import Impact
    from headwater.graph.search import SearchResult
    from headwater.store import IngestResult, Stats

ALL_COLUMNS = "*"
"""As a column: all columns of the dataset."""


def connect(path_or_url: str | os.PathLike[str] = "headwater.db") -> Lineage:
    """Lineage in a store.

    Args:
        path_or_url: a path, `sqlite:///file.db` or `postgresql://host/database`. Nothing is opened or made until it is
            used.

    Raises:
        StoreError: it names no store that can be asked.
    """
    url = os.fspath(path_or_url)
    if url.lower().startswith(("http://", "https://")):
        raise StoreError(
            f"A Headwater server such as {without_password(url)} cannot be asked from Python yet: connect to its"
            " store, by a path, sqlite:///file.db or postgresql://host/database."
        )
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
    several meanings `AmbiguousName`; options that contradict each other ValueError; a store that cannot be read
    `StoreError`.
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
    def history(self, dataset: str, column: str) -> History:
        """Each change of a column's inputs or of its expression, with the run that made it."""

    @abstractmethod
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

    @abstractmethod
    def datasets(self, namespaces: Collection[str] | None = None) -> Iterator[TableName]:
        """All datasets, in the order in which they were first seen."""

    @abstractmethod
    def jobs(self, namespaces: Collection[str] | None = None) -> Iterator[TableName]:
        """All jobs, in the order in which they were first seen."""

    @abstractmethod
    def stats(self) -> Stats:
        """How much there is."""

    @abstractmethod
    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """Take in OpenLineage events, each a dictionary; when this returns, they are stored."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""

    def __enter__(self) -> Lineage:  # noqa: PYI034  Python 3.10 has no Self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
