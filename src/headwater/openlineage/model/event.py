"""OpenLineage events as read: frozen, typed, and independent of the sender."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from headwater.common.masking import Masking
from headwater.common.redaction.text import redact

Facet: TypeAlias = Mapping[str, object]
Facets: TypeAlias = Mapping[str, Facet]
_LONGEST_FIELD = 500


class BadEvent(ValueError):  # noqa: N818  logs show "BadEvent: run.runId: ..."
    """An event that cannot be stored: the field at fault, and why, without the secrets that the event may hold.

    >>> str(BadEvent("run.runId", "is not a UUID"))
    'run.runId: is not a UUID'
    """

    def __init__(self, field: str, reason: str) -> None:
        field = redact(field)
        # A key of the event is part of the field, however long it is.
        self.field = field if len(field) <= _LONGEST_FIELD else f"{field[:_LONGEST_FIELD]}…"
        self.reason = redact(reason)
        super().__init__(f"{self.field}: {self.reason}" if field else self.reason)


class EventType(IntEnum):
    """The types of run events; the value is the rank that orders events of the same instant."""

    START = 0
    RUNNING = 1
    OTHER = 2
    COMPLETE = 3
    FAIL = 4
    ABORT = 5

    @property
    def terminal(self) -> bool:
        """Whether it ends a run."""
        return self >= EventType.COMPLETE

    @property
    def rank(self) -> int:
        """START < RUNNING < OTHER < all types that end a run."""
        return min(int(self), int(EventType.COMPLETE))


@dataclass(frozen=True, slots=True, order=True)
class ColumnEdge:
    """One transformation from an input field to an output field.

    `out` is None where the input decides about rows, and so reaches every column of the output. `masking` is what the
    transformation does to the masking of the value.
    """

    out: str | None
    namespace: str
    name: str
    path: str
    type: str
    subtype: str
    masking: Masking
    description: str


class RowSource(NamedTuple):
    """A dataset of which it counts how many rows it has, for the column `out`; for all rows where `out` is None."""

    out: str | None
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class ColumnLineage:
    """A columnLineage or lineage facet: the output columns it describes, and the edges into them.

    `sources` are datasets that it lists as a whole, without a column. `made_of` are all the datasets that the dataset
    is made of, where the event states them for it alone, as the lineage facet does; None where all inputs may count.
    `made_by` are other jobs that the facet names as inputs. Where it is `complete`, as in our own events, a column that
    it does not describe has no inputs; else `left_out` are those that the schema lists and it does not describe: they
    may be made of anything. `row_sources` are datasets whose number of rows counts where no edge says so; None where
    the event does not say. Those of a column without inputs, such as a `count(*)`, may be missing there.
    """

    columns: tuple[str, ...]
    edges: tuple[ColumnEdge, ...]
    sources: tuple[tuple[str, str], ...] = ()
    made_of: tuple[tuple[str, str], ...] | None = None
    made_by: tuple[tuple[str, str], ...] = ()
    complete: bool = True
    left_out: tuple[str, ...] = ()
    row_sources: tuple[RowSource, ...] | None = None


@dataclass(frozen=True, slots=True)
class SchemaField:
    """A field of a schema facet under its dotted path."""

    path: str
    type: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset as one event mentions it.

    `facets` describe the dataset; `role_facets` this run's reading (inputFacets) or writing of it (outputFacets).
    `symlinks` are its other names, `renamed` its previous name, `version` the version of its version facet. `views` are
    the views that were read for an output or that a view reads; `behind` those that an input was read through, where
    nothing else of the run reads it.
    """

    namespace: str
    name: str
    facets: Facets = field(default_factory=dict)
    role_facets: Facets = field(default_factory=dict)
    schema: tuple[SchemaField, ...] | None = None
    lineage: ColumnLineage | None = None
    lifecycle: str | None = None
    renamed: tuple[str, str] | None = None
    symlinks: tuple[tuple[str, str], ...] = ()
    version: str | None = None
    views: tuple[tuple[str, str], ...] = ()
    behind: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A job's name and facets.

    `reads` are the datasets that other jobs read, each after its job, as the entries of the lineage facet have them.
    """

    namespace: str
    name: str
    facets: Facets = field(default_factory=dict)
    reads: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = ()


@dataclass(frozen=True, slots=True)
class Parent:
    """The run that started this one, and its job if the facet names it."""

    run_id: str
    job: Job | None


@dataclass(frozen=True, slots=True)
class RunEvent:
    """An event of a run."""

    time_us: int
    type: EventType
    run_id: str
    run_facets: Facets
    parent: Parent | None
    job: Job
    inputs: tuple[Dataset, ...]
    outputs: tuple[Dataset, ...]


@dataclass(frozen=True, slots=True)
class JobEvent:
    """What a job reads and writes, without a run."""

    time_us: int
    job: Job
    inputs: tuple[Dataset, ...]
    outputs: tuple[Dataset, ...]


@dataclass(frozen=True, slots=True)
class DatasetEvent:
    """The metadata of a dataset, without a run."""

    time_us: int
    dataset: Dataset


Event: TypeAlias = RunEvent | JobEvent | DatasetEvent
