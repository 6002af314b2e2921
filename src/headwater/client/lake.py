"""Questions about lineage in a lake.

Spark copies rows into a store in a file: of a small lake all, once for all questions; of a larger one those of the
datasets that a question can reach. The same code as for any store answers from it, so the answer is that of a store
with the same history.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn, TypeVar, cast, final
from uuid import UUID

from pyspark.sql import functions as sf

from headwater.client.lineage import Lineage, answers_or_errors
from headwater.common.column_path import normal_path
from headwater.lake.address import lake_needs
from headwater.lake.clock import latest_where_ahead
from headwater.lake.errors import LakeError
from headwater.lake.lake import Lake
from headwater.lake.query.excerpt import Excerpt, write_excerpt, write_names, write_whole
from headwater.lake.query.reach import Reach
from headwater.lake.session.session import SessionOptions, pipeline_session
from headwater.openlineage.model.run_ids import run_uuid
from headwater.query.answering import answer
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Direction
from headwater.query.questions import DiffOf, Follow, HistoryOf, ImpactOf, Provenance, Question, RootsOf
from headwater.query.search.resolve import NameNotFound, readings, unquoted
from headwater.store import IngestResult, Store, open_store
from headwater.store.db.clock import Clock
from headwater.store.entities.keys import hash_of
from headwater.store.model.short_names import tail_of

T = TypeVar("T")
_MOST_STORES = 8
# Of all files of a lake. Copying so much takes about as long as Spark's jobs for one question about a larger lake.
_SMALL_BYTES = 4 * 1024 * 1024
_REMEMBERED = 256


@final
class LakeLineage(Lineage):
    """Answers from a lake as it was at the first question.

    It uses the running Spark, or starts one and stops it when it is closed.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._open: ExitStack | None = None
        self._stores: list[tuple[Excerpt | None, Store]] = []
        self._whole: Store | None = None
        self._count = 0

    def __repr__(self) -> str:
        return f"connect('lake:{self._path}')"

    def ask(self, question: Question[T]) -> T:
        """Answer a question about upstream or downstream lineage; all others need a store."""
        if not isinstance(question, Follow | Provenance | RootsOf | ImpactOf | DiffOf | HistoryOf):
            raise LakeError(
                f"The lake {self._path} only answers upstream, downstream, provenance, roots, impact, diff and history."
                " For other questions, load it into a store with `headwater pipeline load`."
            )
        store = self._store_for(cast("Any", question))
        with store.read() as session:
            return cast("T", answer(cast("Question[Any]", question), store, session))

    def ask_all(self, questions: Iterable[Question[T]]) -> list[T | NameNotFound | BadQuestion]:
        """The answers to many questions, from one state of the lake."""
        return answers_or_errors(questions, self.ask)

    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """A lake takes no single events."""
        self._refuse(events)

    def ingest_many(self, batches: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[IngestResult]:
        """A lake takes no single events."""
        self._refuse(batches)

    def _refuse(self, _events: object) -> NoReturn:
        raise LakeError(f"The lake {self._path} does not accept events here: use `headwater pipeline run`, or a store.")

    def close(self) -> None:
        """Remove the copies; a later question opens the lake again."""
        self._stores.clear()
        self._whole = None
        if self._open is not None:
            self._open.close()
            self._open = None

    def _opened(self) -> ExitStack:
        if self._open is None:
            with ExitStack() as undo:
                spark = undo.enter_context(pipeline_session(SessionOptions(needs=lake_needs(self._path))))
                self._lake = Lake.open(spark, self._path, make=False)
                reach = Reach(self._lake)
                undo.callback(reach.close)
                # Each takes jobs of Spark, and questions about the same names follow each other.
                self._reached = lru_cache(_REMEMBERED)(reach.datasets)
                self._named = lru_cache(_REMEMBERED)(partial(_named, self._lake))
                self._has_gone = lru_cache(_REMEMBERED)(partial(_has_gone, self._lake))
                self._latest = latest_where_ahead(self._lake, Clock.of_environment())
                self._folder = Path(undo.enter_context(TemporaryDirectory(prefix="headwater-lake-")))
                if not self._lake.files.is_larger(_SMALL_BYTES):
                    self._whole = self._filled(undo, lambda store: write_whole(self._lake, store))
                self._open = undo.pop_all()
        return self._open

    def _store_for(self, question: Follow | Provenance | RootsOf | ImpactOf | DiffOf | HistoryOf) -> Store:
        """A store with the rows that a question needs."""
        opened = self._opened()
        if self._whole is not None:
            return self._whole
        datasets, jobs = self._start(question)
        if not datasets and not jobs:
            return self._store_with(None, opened, lambda store: write_names(self._lake, ("dataset", "job"), store))
        excerpt = Excerpt(
            self._reached(datasets, _direction(question)),
            frozenset(jobs),
            owners=isinstance(question, ImpactOf),
            texts=isinstance(question, DiffOf),
            runs=frozenset(_runs_named(question)),
            past=self._latest is not None or _of_the_past(question) or self._has_gone(datasets, *_columns(question)),
            latest=self._latest,
        )
        return self._store_with(excerpt, opened, lambda store: write_excerpt(self._lake, excerpt, store))

    def _store_with(self, excerpt: Excerpt | None, opened: ExitStack, fill: Callable[[Store], None]) -> Store:
        """A store with an excerpt, and maybe more, which changes no answer; filled if there is none yet."""
        for stored, store in self._stores:
            if stored == excerpt or (stored and excerpt and stored.covers(excerpt)):
                return store
        if len(self._stores) >= _MOST_STORES:
            self._stores.clear()
        store = self._filled(opened, fill)
        self._stores.append((excerpt, store))
        return store

    def _filled(self, opened: ExitStack, fill: Callable[[Store], None]) -> Store:
        """A new store with rows of the lake."""
        self._count += 1
        store = open_store(str(self._folder / f"{self._count}.db"))
        opened.callback(store.close)
        store.prepare()
        fill(store)
        return store

    def _start(
        self, question: Follow | Provenance | RootsOf | ImpactOf | DiffOf | HistoryOf
    ) -> tuple[frozenset[int], set[int]]:
        """The datasets and jobs that a question may mean; with a job, the datasets that it reads and writes."""
        datasets: set[int] = set()
        jobs: set[int] = set()
        if question.dataset is not None:
            # The column may be in the name of the dataset.
            more = [] if question.column else [name for name, _ in readings(question.dataset)]
            datasets |= self._named("dataset", question.dataset, *more)
        if isinstance(question, Follow) and question.job is not None:
            jobs |= self._named("job", question.job)
            datasets |= self._of_jobs(jobs | self._below(jobs) if question.collapse else jobs)
        return frozenset(datasets), jobs

    def _below(self, jobs: set[int]) -> set[int]:
        """The jobs of all runs below runs of jobs."""
        runs = self._lake.read("run").select("id", "parent", "job")
        known = {row.id for row in runs.where(sf.col("job").isin(sorted(jobs))).select("id").collect()}
        frontier, below = set(known), set[int]()
        while frontier:
            rows = runs.where(sf.col("parent").isin(sorted(frontier))).collect()
            below |= {row.job for row in rows if row.job is not None}
            frontier = {row.id for row in rows} - known
            known |= frontier
        return below

    def _of_jobs(self, jobs: set[int]) -> set[int]:
        """The datasets that jobs write and read."""
        if not jobs:
            return set()
        slots = self._lake.read("slot").where(sf.col("job").isin(sorted(jobs))).select("dataset", "inputs")
        read = self._lake.read("input").join(slots.select("inputs").distinct(), "inputs", "left_semi")
        return {row.dataset for row in slots.select("dataset").union(read.select("dataset")).distinct().collect()}


def _named(lake: Lake, table: str, *texts: str) -> frozenset[int]:
    """The datasets or jobs that may have one of these names, and maybe more."""
    spelled = {spelling for text in texts for spelling in (text, unquoted(text))}
    keys = [
        bytearray(hash_of(text[:place], text[place + 1 :]))
        for text in spelled
        for place, char in enumerate(text)
        if char == "/"
    ]
    matches = sf.col("tail").isin(sorted({tail_of(text) for text in spelled}))
    if keys:
        matches = matches | sf.col("key").isin(keys)
    return frozenset(row.id for row in lake.read(table).where(matches).select("id").collect())


def _has_gone(lake: Lake, datasets: frozenset[int], *columns: str) -> bool:
    """Whether the last schemas of datasets lack one of these columns."""
    if not datasets or not columns:
        return False
    gone = lake.read("field").where(sf.col("dataset").isin(sorted(datasets))).where("position IS NULL")
    folded = {normal_path(text).casefold() for text in columns}
    return any(row.path.casefold() in folded for row in gone.select("path").collect())


def _columns(question: Any) -> list[str]:  # noqa: ANN401  any of them
    """The columns that a question may mean."""
    texts = [question.column] if question.column else [column for _, column in readings(question.dataset or "")]
    return [text for text in texts if text]


def _direction(question: object) -> Direction:
    if isinstance(question, ImpactOf):
        return Direction.DOWNSTREAM
    if isinstance(question, Follow | DiffOf):
        return question.direction
    return Direction.UPSTREAM


def _of_the_past(question: object) -> bool:
    """Whether the columns that datasets had in the past matter."""
    if isinstance(question, Follow | RootsOf | ImpactOf):
        version = question.version if isinstance(question, Follow) else None
        return (question.as_of, question.since, question.until, version) != (None, None, None, None)
    return isinstance(question, Provenance | DiffOf | HistoryOf)


def _runs_named(question: object) -> Iterator[UUID]:
    """The runs that the versions of a question may name."""
    texts: tuple[str | None, ...] = ()
    if isinstance(question, Follow | Provenance):
        texts = (question.version,)
    elif isinstance(question, DiffOf):
        texts = question.versions or ()
    for text in texts:
        if text:
            yield UUID(run_uuid(text))
