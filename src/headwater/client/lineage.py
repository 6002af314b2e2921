"""Questions about lineage, as methods.

>>> import headwater
>>> with headwater.connect("lineage.db") as lineage:  # doctest: +SKIP
...     lineage.upstream("warehouse/orders", "total", as_of="2026-05-12").nodes
>>> headwater.connect("https://lineage.example", token="…").stats().events  # doctest: +SKIP
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Answer, Direction, TableAnswer, TableName
from headwater.query.moments import Time, beginning_us, moment_us
from headwater.query.names import read_question
from headwater.query.question_parts import ALL_COLUMNS, read_texts
from headwater.query.questions import Datasets, Events, HistoryOf, Jobs, Question, StatsOf
from headwater.query.search.resolve import NameNotFound
from headwater.store.entities.search_terms import Kind

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from headwater.query.changes.diff import Diff
    from headwater.query.changes.history import History
    from headwater.query.lineage.impact import Impact
    from headwater.query.lineage.roots import Roots
    from headwater.query.options import DiffOptions, FollowOptions, PiiOptions, TimeOptions, WalkOptions
    from headwater.query.privacy.pii import Pii
    from headwater.query.search.fuzzy import SearchResult
    from headwater.store import IngestResult, Stats

__all__ = ["ALL_COLUMNS", "Lineage"]

T = TypeVar("T")
P = TypeVar("P", Datasets, Jobs, Events)


class Lineage(ABC):
    """Questions about lineage, and events to answer them from. Use it with `with`, or `close` it.

    Datasets and jobs are named `namespace/name`, or by any end of the name that no other has; columns by their path.
    A time is a datetime with a zone, a date, either as ISO 8601 text, or microseconds UTC. A date is a day in UTC: as a
    moment, or as the end of a window, its last moment, so that the whole day counts; as the start of a window, its
    first. None is now.

    A name that does not exist raises `UnknownName`, a LookupError with the nearest names in `candidates`; one with
    several meanings `AmbiguousName`; options that contradict each other `BadQuestion`, a ValueError; a store that
    cannot be read, or a server that cannot be reached, `StoreError`.
    """

    @overload
    def upstream(self, dataset: str, column: str, **options: Unpack[FollowOptions]) -> Answer: ...

    @overload
    def upstream(
        self, dataset: str | None = ..., column: str | None = ..., **options: Unpack[FollowOptions]
    ) -> Answer | TableAnswer: ...

    def upstream(
        self, dataset: str | None = None, column: str | None = None, **options: Unpack[FollowOptions]
    ) -> Answer | TableAnswer:
        """Where a column comes from; without one, which datasets and jobs a dataset or a job comes from.

        Args:
            dataset: the dataset.
            column: one of its columns, or "*" for all of them.
            **options: `as_of`, or `since` and `until`: the moment, or the window. `version`: a version, for its
                provenance. `contents`: count all writes since the last that replaced the whole dataset. `depth`: the
                most edges to follow. `direct`: leave out columns that only decide on rows or conditions.
                `namespaces`: enter datasets of these only. `limit`: the most nodes to return, the nearest first.
                `job`: a job to start from instead of a dataset. `collapse`: show applications instead of their jobs.
        """
        return self.follow(Direction.UPSTREAM, dataset, column, **options)

    @overload
    def downstream(self, dataset: str, column: str, **options: Unpack[FollowOptions]) -> Answer: ...

    @overload
    def downstream(
        self, dataset: str | None = ..., column: str | None = ..., **options: Unpack[FollowOptions]
    ) -> Answer | TableAnswer: ...

    def downstream(
        self, dataset: str | None = None, column: str | None = None, **options: Unpack[FollowOptions]
    ) -> Answer | TableAnswer:
        """What a column reaches; without one, which datasets and jobs a dataset or a job reaches.

        The arguments are those of `upstream`; a version has no downstream of its own.
        """
        return self.follow(Direction.DOWNSTREAM, dataset, column, **options)

    def follow(
        self,
        direction: Direction,
        dataset: str | None = None,
        column: str | None = None,
        **options: Unpack[FollowOptions],
    ) -> Answer | TableAnswer:
        """`upstream` or `downstream`, by direction."""
        question: Question[Answer | TableAnswer] = read_question(
            direction.value, {"dataset": dataset, "column": column, **options}
        )
        return self.ask(question)

    def provenance(
        self, dataset: str, version: str, column: str | None = None, **options: Unpack[WalkOptions]
    ) -> Answer:
        """Where a version comes from: its run, the versions that the run read, and so on.

        Args:
            dataset: the dataset.
            version: its UUID, its name in a version facet, or the UUID of the run that wrote it.
            column: one of its columns; None for all.
            **options: `depth`, `direct`, `namespaces` and `limit`, as in `upstream`.
        """
        question: Question[Answer] = read_question(
            "provenance", {"dataset": dataset, "version": version, "column": column, **options}
        )
        return self.ask(question)

    def roots(self, dataset: str, column: str | None = None, **options: Unpack[TimeOptions]) -> Roots:
        """The source columns of a column, or of all columns: where all paths start, without what is in between.

        Each says why the path starts there: it is a source, a job writes it from no column, or it is unknown.
        """
        question: Question[Roots] = read_question("roots", {"dataset": dataset, "column": column, **options})
        return self.ask(question)

    def impact(self, dataset: str, column: str | None = None, **options: Unpack[TimeOptions]) -> Impact:
        """What a change to a column, or to all columns, affects: by dataset and job, with paths and owners."""
        question: Question[Impact] = read_question("impact", {"dataset": dataset, "column": column, **options})
        return self.ask(question)

    def pii(self, dataset: str | None = None, column: str | None = None, **options: Unpack[PiiOptions]) -> Pii:
        """Where a field goes: in the clear, possibly, masked and at which step, or only as a condition.

        Without a field, all fields with a personal tag, of all datasets or of one; with `tag`, those with this tag.
        """
        question: Question[Pii] = read_question("pii", {"dataset": dataset, "column": column, **options})
        return self.ask(question)

    def diff(self, dataset: str, column: str | None = None, **options: Unpack[DiffOptions]) -> Diff:
        """What changed in the lineage of a column, or of all columns, from one moment (`since`) to another (`until`).

        A date is the last moment of that day, on both sides. `versions` are two versions of the dataset instead.
        """
        question: Question[Diff] = read_question("diff", {"dataset": dataset, "column": column, **options})
        return self.ask(question)

    def history(self, dataset: str, column: str | None = None) -> History:
        """Each change to a column's inputs or its expression, with the run that made it; or to all columns."""
        return self.ask(HistoryOf(dataset=dataset, column=column))

    def search(  # noqa: PLR0913  the parts of a question
        self,
        text: str = "",
        *,
        kinds: Collection[Kind | str] | None = None,
        limit: int = 20,
        namespaces: Collection[str] | None = None,
        field: str | None = None,
        path: str | None = None,
        tag: str | None = None,
    ) -> SearchResult:
        """Find datasets, columns and jobs by the words of names, tags and descriptions, misspelt ones too.

        With a field, a path or a tag instead of words: the datasets and fields that have exactly this.

        Args:
            text: words, or a name.
            kinds: what to look for: "dataset", "field", "job"; None for all.
            limit: the most results.
            namespaces: only what is in one of these.
            field: the name of a field: the last part of its path.
            path: the path of a field: `a.b`, `/a/b` as in DataHub's RFC, or `[version=2.0]…`.
            tag: a tag, or a term of the glossary.
        """
        values = {"text": text, "kinds": kinds, "limit": limit, "namespaces": namespaces}
        question: Question[SearchResult] = read_question("search", {**values, "field": field, "path": path, "tag": tag})
        return self.ask(question)

    def datasets(self, namespaces: Collection[str] | None = None) -> Iterator[TableName]:
        """All datasets, in a stable order."""
        for page in self._pages(Datasets(namespaces=read_texts(namespaces, "namespaces"))):
            yield from page.names

    def jobs(self, namespaces: Collection[str] | None = None) -> Iterator[TableName]:
        """All jobs, in a stable order."""
        for page in self._pages(Jobs(namespaces=read_texts(namespaces, "namespaces"))):
            yield from page.names

    def events(self, since: Time = None, until: Time = None) -> Iterator[dict[str, Any]]:
        """The raw events in order of time, as they arrived; those that retention dropped are left out."""
        for page in self._pages(Events(since=beginning_us(since, "since"), until=moment_us(until, "until"))):
            yield from page.events

    def stats(self) -> Stats:
        """The size of the store, in counts."""
        return self.ask(StatsOf())

    @abstractmethod
    def ask(self, question: Question[T]) -> T:
        """Answer a question, a value from `headwater.query.questions`; the methods above build one and ask it."""

    @abstractmethod
    def ask_all(self, questions: Iterable[Question[T]]) -> list[T | NameNotFound | BadQuestion]:
        """Answer many questions, in their order; a question that fails has its error as the answer.

        A store in this process answers all of them from one moment, a server those of one request.
        """

    @abstractmethod
    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """Ingest OpenLineage events, each a dictionary; when this returns, they are stored."""

    @abstractmethod
    def ingest_many(self, batches: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[IngestResult]:
        """Ingest batch after batch; a batch is stored when its result arrives."""

    @abstractmethod
    def close(self) -> None:
        """Close files and connections."""

    def _pages(self, question: P) -> Iterator[Any]:
        """All pages of an answer."""
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


def answers_or_errors(
    questions: Iterable[Question[T]], ask: Callable[[Question[T]], T]
) -> list[T | NameNotFound | BadQuestion]:
    """The answer to each question, or its error."""
    answers: list[T | NameNotFound | BadQuestion] = []
    for question in questions:
        try:
            answers.append(ask(question))
        except (NameNotFound, BadQuestion) as error:  # noqa: PERF203  each has an answer of its own
            answers.append(error)
    return answers
