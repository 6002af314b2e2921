"""Questions as values: what was asked, checked, with times in microseconds.

A command, a route or a method makes one, and it goes whole to the function that answers it. Each option is declared
once, here, and checked once, when the question is made.

>>> Follow(direction=Direction.UPSTREAM, dataset="orders", column="total", depth=-1)
Traceback (most recent call last):
headwater.query.errors.BadQuestion: depth must be from 0 to 2,147,483,647
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_type_hints

from headwater.query import question_parts as parts
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Direction, Moment

if TYPE_CHECKING:  # what answers stands as text in the bases below: the answers' modules import their questions
    # ruff: noqa: F401
    from headwater.query.catalog.details import DatasetDetails, JobDetails
    from headwater.query.catalog.listing import EventsPage, NamesPage
    from headwater.query.catalog.outlines import Outlines
    from headwater.query.catalog.overview import Overview
    from headwater.query.catalog.runs import RunDetails, RunsPage, VersionsPage
    from headwater.query.changes.diff import Diff
    from headwater.query.changes.history import History
    from headwater.query.graph.answer import Answer, TableAnswer
    from headwater.query.lineage.impact import Impact
    from headwater.query.lineage.roots import Roots
    from headwater.query.privacy.pii import Pii
    from headwater.query.search.fuzzy import SearchResult
    from headwater.store.upkeep.stats import Stats

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[T_co]):
    """Something that can be asked; T_co is what answers it."""

    def __post_init__(self) -> None:
        for name, part in parts_of(type(self)).items():
            part.check(getattr(self, name), name)


_PARTS: dict[type, dict[str, parts.Part]] = {}


def parts_of(question: type[Question[Any]]) -> dict[str, parts.Part]:
    """The parts of a kind of question, by name; its own first, then when to look and how far to go."""
    if question not in _PARTS:
        hints = get_type_hints(question, include_extras=True)
        names = [name for kind in question.__mro__ for name in get_annotations(kind) if name in hints]
        _PARTS[question] = {name: hints[name].__metadata__[0] for name in names}
    return _PARTS[question]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked(Question[T_co]):
    """A question that is answered by walking along edges: how far to go."""

    depth: parts.Depth = None
    direct: parts.Direct = False
    namespaces: parts.Namespaces = None
    limit: parts.Limit = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed(Walked[T_co]):
    """A question about a moment, or about a window of time."""

    as_of: parts.AsOf = None
    since: parts.Since = None
    until: parts.Until = None

    def __post_init__(self) -> None:
        Question.__post_init__(self)
        if self.as_of is not None and self.has_window:
            raise BadQuestion("Use either as_of or since and until, not both", "as_of", "since", "until")
        _check_order(self.since, self.until)

    @property
    def has_window(self) -> bool:
        """Whether it is about more than one moment."""
        return self.since is not None or self.until is not None

    @property
    def moment(self) -> Moment:
        """When to look."""
        return Moment(self.since, self.until) if self.has_window else Moment.at(self.as_of)


def _check_order(since: int | None, until: int | None) -> None:
    if since is not None and until is not None and since > until:
        raise BadQuestion("since must not be after until", "since", "until")


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow(Timed["Answer | TableAnswer"]):
    """Where a column comes from or what it reaches; without one, the same of a dataset or a job."""

    direction: parts.Way
    dataset: parts.OptionalDataset = None
    column: parts.OptionalColumn = None
    version: parts.OptionalVersion = None
    contents: parts.Contents = False
    job: parts.OptionalJob = None
    collapse: parts.Collapse = False

    def __post_init__(self) -> None:
        Timed.__post_init__(self)
        if self.of_columns:
            if self.dataset is None or self.job is not None:
                raise BadQuestion("A column or a version needs its dataset: give both, and no job", "dataset", "job")
            if self.collapse:
                raise BadQuestion("collapse only applies to datasets and jobs: remove the column", "collapse")
        else:
            if (self.dataset is None) == (self.job is None):
                raise BadQuestion("Give a dataset or a job to start from", "dataset", "job")
            if self.direct:
                raise BadQuestion("direct only applies to columns: give one", "direct")
        if self.version is not None and self.direction is Direction.DOWNSTREAM:
            raise BadQuestion("version only works upstream: use as_of to see what a dataset reaches", "version")
        if self.version is not None and (self.contents or self.has_window or self.as_of is not None):
            raise BadQuestion("A version implies its own time: remove as_of, since and until", "version")
        if self.contents and self.has_window:
            raise BadQuestion("contents works for one moment: use as_of, not since and until", "contents")

    @property
    def of_columns(self) -> bool:
        """Whether it is about columns, not about datasets and jobs."""
        return self.column is not None or self.version is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance(Walked["Answer"]):
    """Where a version comes from: its run, the versions that it read, and so on."""

    dataset: parts.Dataset
    version: parts.Version
    column: parts.OptionalColumn = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RootsOf(Timed["Roots"]):
    """The source columns at the start of all paths to a column, or to all columns: without what is in between."""

    dataset: parts.Dataset
    column: parts.OptionalColumn = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactOf(Timed["Impact"]):
    """What a change or a drop of a column, or of all columns, reaches."""

    dataset: parts.Dataset
    column: parts.OptionalColumn = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiOf(Timed["Pii"]):
    """Where fields with personal data went: in the clear, and masked at which step."""

    dataset: parts.TaggedDataset = None
    column: parts.TaggedColumn = None
    tag: parts.TagName = None

    def __post_init__(self) -> None:
        Timed.__post_init__(self)
        if self.column is not None and self.dataset is None:
            raise BadQuestion("A column needs its dataset: give both", "dataset")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOf(Walked["Diff"]):
    """What changed in the lineage of a column, or of all columns, between two moments or two versions."""

    dataset: parts.Dataset
    column: parts.OptionalColumn = None
    since: parts.Before = None
    until: parts.After = None
    versions: parts.Versions = None
    direction: parts.Way = Direction.UPSTREAM

    def __post_init__(self) -> None:
        Question.__post_init__(self)
        if self.versions is None and self.since is None:
            raise BadQuestion("Nothing to compare with: give since, or two versions", "since", "versions")
        if self.versions is not None and (self.since is not None or self.until is not None):
            raise BadQuestion("Versions imply their own times: remove since and until", "versions")
        if self.versions is not None and self.direction is Direction.DOWNSTREAM:
            raise BadQuestion("versions only work upstream: use since and until for what is downstream", "direction")
        _check_order(self.since, self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryOf(Question["History"]):
    """Each change of a column's inputs or of its expression, with the run that made it; or of all columns."""

    dataset: parts.Dataset
    column: parts.OptionalColumn = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFor(Question["SearchResult"]):
    """Datasets, columns and jobs by words of names, tags and descriptions, or by a field's name, its path or a tag."""

    text: parts.Words = ""
    kinds: parts.Kinds = None
    limit: parts.Best = 20
    namespaces: parts.Namespaces = None
    field: parts.FieldCalled = None
    path: parts.PathCalled = None
    tag: parts.TagCalled = None

    def __post_init__(self) -> None:
        Question.__post_init__(self)
        if self.exact and self.text:
            raise BadQuestion("Give words, or a field, a path or a tag", "text")

    @property
    def exact(self) -> bool:
        """Whether it is about what has just this field, path or tag."""
        return (self.field, self.path, self.tag) != (None, None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetOf(Question["DatasetDetails"]):
    """One dataset: its columns with their types, its description, owners, tags and other names."""

    dataset: parts.Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlinesOf(Question["Outlines"]):
    """Many datasets in short: how many columns each has, when it was written last, its owners and tags."""

    datasets: parts.Datasets


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsOf(Question["VersionsPage"]):
    """The versions of a dataset, a page at a time, the newest first."""

    dataset: parts.Dataset
    limit: parts.PageSize = 100
    cursor: parts.Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOf(Question["JobDetails"]):
    """One job: its description, owners and tags."""

    job: parts.Job


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsOf(Question["RunsPage"]):
    """The runs of a job, a page at a time, the newest first."""

    job: parts.Job
    limit: parts.PageSize = 100
    cursor: parts.Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOf(Question["RunDetails"]):
    """One run: when and how it ran, what it read, and the versions that it wrote."""

    run: parts.RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasets(Question["NamesPage"]):
    """All datasets, a page at a time, in an order of their own that stays the same."""

    namespaces: parts.Namespaces = None
    limit: parts.PageSize = 1_000
    cursor: parts.Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs(Question["NamesPage"]):
    """All jobs, a page at a time, in an order of their own that stays the same."""

    namespaces: parts.Namespaces = None
    limit: parts.PageSize = 1_000
    cursor: parts.Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Events(Question["EventsPage"]):
    """The raw events as they came, a page at a time, by time; those that retention dropped are left out."""

    since: parts.Since = None
    until: parts.Until = None
    limit: parts.PageSize = 1_000
    cursor: parts.Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsOf(Question["Stats"]):
    """How much there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewOf(Question["Overview"]):
    """What ran last, what failed, which datasets are used most, and how much has column lineage."""

    limit: parts.OfEach = 10
