"""The parts that questions are made of: what each says, how people may write it, and what it may be."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from headwater.openlineage.model.check import text
from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.limits import LONGEST_ASKED
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Direction
from headwater.query.moments import beginning_us, moment_us
from headwater.store.db.codes import Kind

ALL_COLUMNS = "*"
"""As a column: all columns of the dataset."""

MOST_VALUES = 10_000
"""Of a part that can be repeated."""

_LARGEST = 2**31 - 1
_FIRST_US, _LAST_US = -62_135_596_800_000_000, 253_402_300_799_999_999  # the years 1 to 9999


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question.

    Attributes:
        said: what it means, for those who read about it.
        read: from how people may write it to what the question holds; raises ValueError.
        least: for numbers, the least there is.
        most: for numbers, the most there is.
    """

    said: str
    read: Callable[[Any, str], object] | None = None
    least: int = 0
    most: int = _LARGEST

    @property
    def is_time(self) -> bool:
        """Whether it is a moment, in microseconds UTC."""
        return self.read in {moment_us, beginning_us}

    def check(self, value: object, name: str) -> None:
        """See to it that a store can be asked with a value.

        Raises:
            BadQuestion: it cannot.
        """
        if isinstance(value, str):
            try:
                text(value, name, LONGEST_ASKED)
            except BadEvent as bad:
                raise BadQuestion(f"{bad.field} {bad.reason}") from None
        elif isinstance(value, tuple):
            if len(value) > MOST_VALUES:
                raise BadQuestion(f"{name} has {len(value):,} values; the limit is {MOST_VALUES:,}")
            for item in value:
                self.check(item, name)
        elif self.is_time and value is not None:
            self._check_range(value, name, _FIRST_US, _LAST_US, "must be in the years 1 to 9999")
        elif isinstance(value, int) and not isinstance(value, bool | Kind):
            self._check_range(value, name, self.least, self.most, f"must be from {self.least:,} to {self.most:,}")

    @staticmethod
    def _check_range(value: object, name: str, least: int, most: int, said: str) -> None:
        if not isinstance(value, int) or not least <= value <= most:
            raise BadQuestion(f"{name} {said}")


def read_direction(value: Direction | str, name: str) -> Direction:
    """A direction, or its name."""
    try:
        return Direction(value)
    except ValueError:
        raise BadQuestion(f"{name} must be upstream or downstream, not {value!r}") from None


def read_kinds(value: Collection[Kind | str] | None, name: str) -> tuple[Kind, ...] | None:
    """Kinds of things, or their names.

    >>> read_kinds(["dataset", "FIELD"], "kinds")
    (<Kind.DATASET: 0>, <Kind.FIELD: 1>)
    """
    return None if value is None else tuple(_kind(kind, name) for kind in value)


def _kind(value: Kind | str, name: str) -> Kind:
    if isinstance(value, Kind):
        return value
    try:
        return Kind[value.upper()]
    except KeyError:
        raise BadQuestion(f"{name}: unknown kind {value!r}; use dataset, field or job") from None


def read_texts(value: Collection[str] | None, name: str) -> tuple[str, ...] | None:
    """Texts, in their order."""
    del name
    return None if value is None else tuple(value)


def read_pair(value: Collection[str] | None, name: str) -> tuple[str, str] | None:
    """Two texts."""
    if value is None:
        return None
    try:
        before, after = value
    except ValueError:
        raise BadQuestion(f"{name} needs two values, the earlier one first") from None
    return before, after


Dataset: TypeAlias = Annotated[str, Part("Dataset: namespace/name, or a unique ending of it.")]
OptionalDataset: TypeAlias = Annotated[
    str | None, Part("Dataset: namespace/name, or a unique ending of it. Cannot be combined with job.")
]
Datasets: TypeAlias = Annotated[
    tuple[str, ...], Part("Full dataset names: namespace/name. Can be repeated.", read_texts)
]
Job: TypeAlias = Annotated[str, Part("Job: namespace/name, or a unique ending of it.")]
OptionalJob: TypeAlias = Annotated[str | None, Part("A job to start from instead of a dataset.")]
Column: TypeAlias = Annotated[str, Part("Column, or path of a nested field.")]
OptionalColumn: TypeAlias = Annotated[
    str | None, Part("Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.")
]
TaggedDataset: TypeAlias = Annotated[
    str | None,
    Part("What this dataset holds, and where it goes: namespace/name, or a unique ending of it."),
]
TaggedColumn: TypeAlias = Annotated[str | None, Part("Only this column of the dataset, whatever its tags.")]
TagName: TypeAlias = Annotated[
    str | None, Part("Start from columns with this tag, ignoring case, instead of a personal-data tag.")
]
Way: TypeAlias = Annotated[Direction, Part("upstream or downstream.", read_direction)]
AsOf: TypeAlias = Annotated[
    int | None, Part("The time to look at; now if omitted. A date means the end of that day.", moment_us)
]
Since: TypeAlias = Annotated[
    int | None,
    Part(
        "The start of a time window: everything in effect at any time within it is included. A date means the"
        " start of that day.",
        beginning_us,
    ),
]
Until: TypeAlias = Annotated[
    int | None, Part("The end of the time window. A date means the end of that day.", moment_us)
]
Before: TypeAlias = Annotated[int | None, Part("The earlier time. A date means the end of that day.", moment_us)]
After: TypeAlias = Annotated[
    int | None, Part("The later time; now if omitted. A date means the end of that day.", moment_us)
]
Version: TypeAlias = Annotated[
    str, Part("A version: its UUID, its name in a version facet, or the UUID of the run that wrote it.")
]
OptionalVersion: TypeAlias = Annotated[
    str | None,
    Part("The version to look at: its UUID, its name in a version facet, or the UUID of the run that wrote it."),
]
Versions: TypeAlias = Annotated[
    tuple[str, str] | None,
    Part("Two versions to compare instead of two times, the earlier first. Give the parameter twice.", read_pair),
]
Contents: TypeAlias = Annotated[
    bool, Part("Include every write since the dataset was last fully overwritten, not only the latest.")
]
Depth: TypeAlias = Annotated[int | None, Part("The most edges to follow; all if omitted.")]
Direct: TypeAlias = Annotated[
    bool, Part("Follow values only: leave out filters, joins, grouping, sorting and conditions.")
]
Namespaces: TypeAlias = Annotated[
    tuple[str, ...] | None, Part("Only include these namespaces. Can be repeated.", read_texts)
]
Limit: TypeAlias = Annotated[
    int | None, Part("The most results to return, nearest first. The answer says if there are more.", least=1)
]
Best: TypeAlias = Annotated[int, Part("The most results to return, best first.", least=1)]
OfEach: TypeAlias = Annotated[int, Part("The most results to return of each kind.", least=1, most=1_000)]
Collapse: TypeAlias = Annotated[bool, Part("Show applications instead of the jobs that belong to them.")]
Words: TypeAlias = Annotated[str, Part("Words from names, tags or descriptions. Typos are tolerated.")]
FieldCalled: TypeAlias = Annotated[
    str | None, Part("Instead of words: the name of a column or nested field, the last part of its path.")
]
PathCalled: TypeAlias = Annotated[
    str | None, Part("Instead of words: the path of a field: a.b, /a/b as in DataHub's RFC, or [version=2.0]….")
]
TagCalled: TypeAlias = Annotated[str | None, Part("Instead of words: a tag or glossary term of datasets and columns.")]
Kinds: TypeAlias = Annotated[
    tuple[Kind, ...] | None, Part("The kinds to find: dataset, field, job. Can be repeated.", read_kinds)
]
Cursor: TypeAlias = Annotated[str | None, Part("The cursor of the previous page, to get the next one.")]
RunId: TypeAlias = Annotated[str, Part("The UUID of a run, or its id in events.")]
PageSize: TypeAlias = Annotated[int, Part("The number of results per page.", least=1, most=10_000)]
