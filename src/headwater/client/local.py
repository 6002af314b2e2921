"""Lineage in a store that this process opens itself."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, final

from headwater.client.lineage import Lineage, answers_or_errors
from headwater.query.answering import answer
from headwater.query.errors import BadQuestion
from headwater.query.questions import Question
from headwater.query.search.resolve import NameNotFound
from headwater.store import IngestResult, Store

T = TypeVar("T")


@final
class StoredLineage(Lineage):
    """Answers from a store; each question is a transaction of its own. Threads may share it."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __repr__(self) -> str:
        return f"connect({str(self.store.database)!r})"

    def ask(self, question: Question[T]) -> T:
        """The answer to a question."""
        with self.store.read() as session:
            return answer(question, self.store, session)

    def ask_all(self, questions: Iterable[Question[T]]) -> list[T | NameNotFound | BadQuestion]:
        """The answers to many questions, from one moment of the store."""
        with self.store.read() as session:
            return answers_or_errors(questions, lambda question: answer(question, self.store, session))

    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """Ingest OpenLineage events."""
        return self.store.ingest(events)

    def ingest_many(self, batches: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[IngestResult]:
        """Ingest batch after batch; while the database writes one, the next is read and checked."""
        return self.store.ingest_many(batches)

    def close(self) -> None:
        """Close files and connections; a later question opens them again."""
        self.store.close()
