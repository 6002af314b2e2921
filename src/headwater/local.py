"""Lineage in a store that this process reads itself."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, final

from headwater.client import ALL_COLUMNS, Lineage
from headwater.graph import details
from headwater.graph.answer import Answer, Direction, TableAnswer, TableName
from headwater.graph.ask import columns, tables
from headwater.graph.diff import Diff, diff
from headwater.graph.history import History, history
from headwater.graph.impact import Impact, impact
from headwater.graph.search import SearchResult, search
from headwater.graph.traverse import LIMIT
from headwater.store import IngestResult, Stats, Store
from headwater.store.terms import Kind
from headwater.times import Time, beginning_us, moment_us


@final
class StoredLineage(Lineage):
    """Answers from a store; each question is a transaction of its own. Threads may share it."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __repr__(self) -> str:
        return f"connect({str(self.store.database)!r})"

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
        """Where a column, a dataset or a job comes from, or what it reaches."""
        asked: dict[str, Any] = {
            "as_of": moment_us(as_of, "as_of"),
            "since": beginning_us(since, "since"),
            "until": moment_us(until, "until"),
            "contents": contents,
            "depth": depth,
            "namespaces": namespaces,
            "limit": LIMIT if limit is None else limit,
        }
        of_columns = column is not None or version is not None
        if of_columns and (dataset is None or job is not None):
            raise ValueError("a column or a version is that of a dataset: give one, and no job")
        if of_columns and collapse:
            raise ValueError("collapse is about datasets and jobs, not about columns")
        if direct and not of_columns:
            raise ValueError("direct is about columns: give one")
        with self.store.read() as session:
            if dataset is not None and of_columns:
                asked |= {"version": version, "direct": direct}
                return columns(session, direction, dataset, None if column == ALL_COLUMNS else column, **asked)
            return tables(session, direction, dataset, job=job, collapse=collapse, **asked)

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
        """Where a version comes from."""
        with self.store.read() as session:
            return columns(
                session,
                Direction.UPSTREAM,
                dataset,
                None if column == ALL_COLUMNS else column,
                version=version,
                depth=depth,
                direct=direct,
                namespaces=namespaces,
                limit=LIMIT if limit is None else limit,
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
        """What a change or a drop of a column, or of all columns, reaches."""
        with self.store.read() as session:
            return impact(
                session,
                dataset,
                None if column == ALL_COLUMNS else column,
                as_of=moment_us(as_of, "as_of"),
                since=beginning_us(since, "since"),
                until=moment_us(until, "until"),
                depth=depth,
                direct=direct,
                namespaces=namespaces,
                limit=LIMIT if limit is None else limit,
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
        """What changed in the lineage of a column, or of all columns."""
        with self.store.read() as session:
            return diff(
                session,
                dataset,
                None if column == ALL_COLUMNS else column,
                since=moment_us(since, "since"),
                until=moment_us(until, "until"),
                versions=versions,
                direction=Direction(direction),
                depth=depth,
                direct=direct,
                namespaces=namespaces,
                limit=LIMIT if limit is None else limit,
            )

    def history(self, dataset: str, column: str) -> History:
        """Each change of a column's inputs or of its expression."""
        with self.store.read() as session:
            return history(session, dataset, column)

    def search(
        self,
        text: str,
        *,
        kinds: Collection[Kind | str] | None = None,
        limit: int = 20,
        namespaces: Collection[str] | None = None,
    ) -> SearchResult:
        """Find datasets, columns and jobs."""
        chosen = [_kind(kind) for kind in (Kind if kinds is None else kinds)]
        with self.store.read() as session:
            return search(session, text, kinds=chosen, limit=limit, namespaces=namespaces)

    def datasets(self, namespaces: Collection[str] | None = None) -> Iterator[TableName]:
        """All datasets, in the order in which they were first seen."""
        return details.list_names(self.store, "dataset", namespaces)

    def jobs(self, namespaces: Collection[str] | None = None) -> Iterator[TableName]:
        """All jobs, in the order in which they were first seen."""
        return details.list_names(self.store, "job", namespaces)

    def stats(self) -> Stats:
        """How much there is."""
        return self.store.stats()

    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """Take in OpenLineage events."""
        return self.store.ingest(events)

    def close(self) -> None:
        """Let go of files and connections; a later question opens them again."""
        self.store.close()


def _kind(kind: Kind | str) -> Kind:
    if isinstance(kind, Kind):
        return kind
    try:
        return Kind[kind.upper()]
    except KeyError:
        raise ValueError(f"{kind!r} is nothing to look for: give dataset, field or job") from None
