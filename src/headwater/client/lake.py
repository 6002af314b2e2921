"""Questions about lineage on lake tables.

Spark finds which datasets a question can reach and copies their rows into a store in a file; the graph's own code
answers from it, so an answer is the one that a store with the same history gives.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn, TypeVar, cast, final
from uuid import UUID

from pyspark.sql import functions as sf

from headwater.client.lineage import Lineage
from headwater.lake.address import lake_needs
from headwater.lake.errors import LakeError
from headwater.lake.lake import Lake
from headwater.lake.query.excerpt import Excerpt, write_excerpt, write_names
from headwater.lake.query.reach import Reach
from headwater.lake.session.session import SessionOptions, pipeline_session
from headwater.query.answering import answer
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Direction
from headwater.query.questions import DiffOf, Follow, HistoryOf, ImpactOf, Provenance, Question
from headwater.query.search.resolve import NameNotFound
from headwater.store import IngestResult, Store, open_store
from headwater.store.entities.keys import hash_of
from headwater.store.model.short_names import tail_of

T = TypeVar("T")
_MOST_KEPT = 8


@final
class LakeLineage(Lineage):
    """Answers from a lake as it was when it was first asked.

    It uses the Spark that is running, or starts one and stops it when it is closed.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._open: ExitStack | None = None
        self._kept: list[tuple[Excerpt | None, Store]] = []
        self._made = 0

    def __repr__(self) -> str:
        return f"connect('lake:{self._path}')"

    def ask(self, question: Question[T]) -> T:
        """The answer to a question about what is upstream or downstream; others are for a store."""
        if not isinstance(question, Follow | Provenance | ImpactOf | DiffOf | HistoryOf):
            raise LakeError(
                f"The lake {self._path} only answers upstream, downstream, provenance, impact, diff and history."
                " For other questions, load it into a store with `headwater pipeline load`."
            )
        store = self._store_for(cast("Any", question))
        with store.read() as session:
            return cast("T", answer(cast("Question[Any]", question), store, session))

    def ask_all(self, questions: Iterable[Question[T]]) -> list[T | NameNotFound | BadQuestion]:
        """The answers to many questions, from one state of the lake."""
        found: list[T | NameNotFound | BadQuestion] = []
        for question in questions:
            try:
                found.append(self.ask(question))
            except (NameNotFound, BadQuestion) as error:  # noqa: PERF203  each has an answer of its own
                found.append(error)
        return found

    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """A lake takes no single events."""
        self._refuse(events)

    def ingest_many(self, batches: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[IngestResult]:
        """A lake takes no single events."""
        self._refuse(batches)

    def _refuse(self, _events: object) -> NoReturn:
        raise LakeError(f"The lake {self._path} does not accept events here: use `headwater pipeline run`, or a store.")

    def close(self) -> None:
        """Remove what was copied; a later question opens the lake again."""
        self._kept.clear()
        if self._open is not None:
            self._open.close()
            self._open = None

    def _opened(self) -> ExitStack:
        if self._open is None:
            with ExitStack() as undo:
                spark = undo.enter_context(pipeline_session(SessionOptions(needs=lake_needs(self._path))))
                self._lake = Lake.open(spark, self._path, make=False)
                self._reach = Reach(self._lake)
                undo.callback(self._reach.close)
                self._folder = Path(undo.enter_context(TemporaryDirectory(prefix="headwater-lake-")))
                self._open = undo.pop_all()
        return self._open

    def _store_for(self, question: Follow | Provenance | ImpactOf | DiffOf | HistoryOf) -> Store:
        """A store with what the question needs."""
        opened = self._opened()
        datasets, jobs = self._start(question)
        if not datasets and not jobs:
            return self._kept_store(None, opened, lambda store: write_names(self._lake, ("dataset", "job"), store))
        wanted = Excerpt(
            self._reach.datasets(datasets, _direction(question)),
            frozenset(jobs),
            owners=isinstance(question, ImpactOf),
            texts=isinstance(question, DiffOf),
            runs=frozenset(_runs_named(question)),
            past=_of_the_past(question),
        )
        return self._kept_store(wanted, opened, lambda store: write_excerpt(self._lake, wanted, store))

    def _kept_store(self, wanted: Excerpt | None, opened: ExitStack, fill: Callable[[Store], None]) -> Store:
        """A store that holds what is wanted, and maybe more, which changes no answer; made where there is none."""
        for held, store in self._kept:
            if held == wanted or (held and wanted and held.covers(wanted)):
                return store
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._made += 1
        store = open_store(str(self._folder / f"{self._made}.db"))
        opened.callback(store.close)
        store.prepare()
        fill(store)
        self._kept.append((wanted, store))
        return store

    def _start(self, question: Follow | Provenance | ImpactOf | DiffOf | HistoryOf) -> tuple[set[int], set[int]]:
        """The datasets and the jobs that may be meant; with a job come the datasets that it reads and writes."""
        datasets: set[int] = set()
        jobs: set[int] = set()
        if question.dataset is not None:
            datasets |= self._named("dataset", question.dataset)
        if isinstance(question, Follow) and question.job is not None:
            jobs |= self._named("job", question.job)
            datasets |= self._of_jobs(jobs | self._below(jobs) if question.collapse else jobs)
        return datasets, jobs

    def _named(self, table: str, text: str) -> set[int]:
        keys = [bytearray(hash_of(text[:place], text[place + 1 :])) for place, one in enumerate(text) if one == "/"]
        meant = sf.col("tail") == tail_of(text)
        if keys:
            meant = meant | sf.col("key").isin(keys)
        return {row.id for row in self._lake.read(table).where(meant).select("id").collect()}

    def _below(self, jobs: set[int]) -> set[int]:
        """The jobs of all runs below runs of jobs."""
        runs = self._lake.read("run").select("id", "parent", "job")
        found = {row.id for row in runs.where(sf.col("job").isin(sorted(jobs))).select("id").collect()}
        frontier, below = set(found), set[int]()
        while frontier:
            rows = runs.where(sf.col("parent").isin(sorted(frontier))).collect()
            below |= {row.job for row in rows if row.job is not None}
            frontier = {row.id for row in rows} - found
            found |= frontier
        return below

    def _of_jobs(self, jobs: set[int]) -> set[int]:
        """The datasets that jobs write and read."""
        if not jobs:
            return set()
        slots = self._lake.read("slot").where(sf.col("job").isin(sorted(jobs))).select("dataset", "inputs")
        read = self._lake.read("input").join(slots.select("inputs").distinct(), "inputs", "left_semi")
        return {row.dataset for row in slots.select("dataset").union(read.select("dataset")).distinct().collect()}


def _direction(question: object) -> Direction:
    if isinstance(question, ImpactOf):
        return Direction.DOWNSTREAM
    if isinstance(question, Follow | DiffOf):
        return question.direction
    return Direction.UPSTREAM


def _of_the_past(question: object) -> bool:
    """Whether it matters which columns datasets had at another time than now."""
    if isinstance(question, Follow | ImpactOf):
        version = question.version if isinstance(question, Follow) else None
        return (question.as_of, question.since, question.until, version) != (None, None, None, None)
    return isinstance(question, Provenance | DiffOf)


def _runs_named(question: object) -> Iterator[UUID]:
    """What may be the run of a version that is asked for."""
    texts: tuple[str | None, ...] = ()
    if isinstance(question, Follow | Provenance):
        texts = (question.version,)
    elif isinstance(question, DiffOf):
        texts = question.versions or ()
    for text in texts:
        try:
            yield UUID(text or "")
        except ValueError:  # noqa: PERF203  two at most
            continue
