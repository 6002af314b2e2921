"""Questions as values: what was asked, checked, with times in microseconds.

Whoever asks makes one, and whoever answers takes one: a store in this process, or a server elsewhere. Which options
contradict each other is known to who answers, but for those that tell one question from another.

>>> Follow(direction=Direction.UPSTREAM, dataset="orders", column="total", depth=-1)
Traceback (most recent call last):
headwater.bad_question.BadQuestion: depth must be from 0 to 2,147,483,647
"""

from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar, get_type_hints

from headwater.bad_question import BadQuestion
from headwater.graph.answer import Answer, Direction, TableAnswer
from headwater.graph.described import DatasetDetails, JobDetails
from headwater.graph.diff import Diff
from headwater.graph.history import History
from headwater.graph.impact import Impact
from headwater.graph.listing import EventsPage, NamesPage
from headwater.graph.outlines import Outlines
from headwater.graph.overview import Overview
from headwater.graph.search import SearchResult
from headwater.graph.written import RunDetails, RunsPage, VersionsPage
from headwater.question_parts import (
    After,
    AsOf,
    Before,
    Best,
    Collapse,
    Column,
    Contents,
    Cursor,
    Dataset,
    Depth,
    Direct,
    FieldCalled,
    Job,
    Kinds,
    Limit,
    Namespaces,
    OfEach,
    OptionalColumn,
    OptionalDataset,
    OptionalJob,
    OptionalVersion,
    PageSize,
    Part,
    PathCalled,
    RunId,
    Since,
    TagCalled,
    TaggedColumn,
    TaggedDataset,
    TagName,
    Until,
    Version,
    Versions,
    Way,
    Words,
)
from headwater.question_parts import Datasets as Several
from headwater.store.stats import Stats
from headwater.travel.pii import Pii

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[T_co]):
    """Something that can be asked; T_co is what answers it."""

    def __post_init__(self) -> None:
        for name, part in parts_of(type(self)).items():
            part.check(getattr(self, name), name)


_PARTS: dict[type, dict[str, Part]] = {}


def parts_of(question: type[Question[Any]]) -> dict[str, Part]:
    """The parts of a kind of question, by name."""
    if question not in _PARTS:
        hints = get_type_hints(question, include_extras=True)
        _PARTS[question] = {field.name: hints[field.name].__metadata__[0] for field in fields(question)}
    return _PARTS[question]


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow(Question[Answer | TableAnswer]):
    """Where a column comes from or what it reaches; without one, the same of a dataset or a job."""

    direction: Way
    dataset: OptionalDataset = None
    column: OptionalColumn = None
    as_of: AsOf = None
    since: Since = None
    until: Until = None
    version: OptionalVersion = None
    contents: Contents = False
    depth: Depth = None
    direct: Direct = False
    namespaces: Namespaces = None
    limit: Limit = None
    job: OptionalJob = None
    collapse: Collapse = False

    def __post_init__(self) -> None:
        Question.__post_init__(self)
        if self.of_columns and (self.dataset is None or self.job is not None):
            raise BadQuestion("a column or a version is that of a dataset: give one, and no job")
        if self.of_columns and self.collapse:
            raise BadQuestion("collapse is about datasets and jobs, not about columns")
        if self.direct and not self.of_columns:
            raise BadQuestion("direct is about columns: give one")

    @property
    def of_columns(self) -> bool:
        """Whether it is about columns, not about datasets and jobs."""
        return self.column is not None or self.version is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance(Question[Answer]):
    """Where a version comes from: its run, the versions that it read, and so on."""

    dataset: Dataset
    version: Version
    column: OptionalColumn = None
    depth: Depth = None
    direct: Direct = False
    namespaces: Namespaces = None
    limit: Limit = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactOf(Question[Impact]):
    """What a change or a drop of a column, or of all columns, reaches."""

    dataset: Dataset
    column: OptionalColumn = None
    as_of: AsOf = None
    since: Since = None
    until: Until = None
    depth: Depth = None
    direct: Direct = False
    namespaces: Namespaces = None
    limit: Limit = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiOf(Question[Pii]):
    """Where fields with personal data went: in the clear, and masked at which step."""

    dataset: TaggedDataset = None
    column: TaggedColumn = None
    tag: TagName = None
    as_of: AsOf = None
    since: Since = None
    until: Until = None
    depth: Depth = None
    direct: Direct = False
    namespaces: Namespaces = None
    limit: Limit = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOf(Question[Diff]):
    """What changed in the lineage of a column, or of all columns, between two moments or two versions."""

    dataset: Dataset
    column: OptionalColumn = None
    since: Before = None
    until: After = None
    versions: Versions = None
    direction: Way = Direction.UPSTREAM
    depth: Depth = None
    direct: Direct = False
    namespaces: Namespaces = None
    limit: Limit = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryOf(Question[History]):
    """Each change of a column's inputs or of its expression, with the run that made it."""

    dataset: Dataset
    column: Column


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFor(Question[SearchResult]):
    """Datasets, columns and jobs by words of names, tags and descriptions, or by a field's name, its path or a tag."""

    text: Words = ""
    kinds: Kinds = None
    limit: Best = 20
    namespaces: Namespaces = None
    field: FieldCalled = None
    path: PathCalled = None
    tag: TagCalled = None

    def __post_init__(self) -> None:
        Question.__post_init__(self)
        if self.exact and self.text:
            raise BadQuestion("give words, or a field, a path or a tag")

    @property
    def exact(self) -> bool:
        """Whether it is about what has just this field, path or tag."""
        return (self.field, self.path, self.tag) != (None, None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetOf(Question[DatasetDetails]):
    """One dataset: its columns with their types, its description, owners, tags and other names."""

    dataset: Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlinesOf(Question[Outlines]):
    """Many datasets in short: how many columns each has, when it was written last, its owners and tags."""

    datasets: Several


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsOf(Question[VersionsPage]):
    """The versions of a dataset, a page at a time, the newest first."""

    dataset: Dataset
    limit: PageSize = 100
    cursor: Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOf(Question[JobDetails]):
    """One job: its description, owners and tags."""

    job: Job


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsOf(Question[RunsPage]):
    """The runs of a job, a page at a time, the newest first."""

    job: Job
    limit: PageSize = 100
    cursor: Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOf(Question[RunDetails]):
    """One run: when and how it ran, what it read, and the versions that it wrote."""

    run: RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasets(Question[NamesPage]):
    """All datasets, a page at a time, in an order of their own that stays the same."""

    namespaces: Namespaces = None
    limit: PageSize = 1_000
    cursor: Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs(Question[NamesPage]):
    """All jobs, a page at a time, in an order of their own that stays the same."""

    namespaces: Namespaces = None
    limit: PageSize = 1_000
    cursor: Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Events(Question[EventsPage]):
    """The raw events as they came, a page at a time, by time; those that retention dropped are left out."""

    since: Since = None
    until: Until = None
    limit: PageSize = 1_000
    cursor: Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsOf(Question[Stats]):
    """How much there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewOf(Question[Overview]):
    """What ran last, what failed, which datasets are used most, and how much has column lineage."""

    limit: OfEach = 10
