"""The parts that questions are made of: what each says, how people may write it, and what it may be."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from headwater.bad_question import BadQuestion
from headwater.graph.answer import Direction
from headwater.openlineage.check import text
from headwater.openlineage.model import BadEvent
from headwater.store.terms import Kind
from headwater.times import beginning_us, moment_us

ALL_COLUMNS = "*"
"""As a column: all columns of the dataset."""

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
                text(value, name)
            except BadEvent as bad:
                raise BadQuestion(f"{bad.field} {bad.reason}") from None
        elif isinstance(value, tuple):
            for one in value:
                self.check(one, name)
        elif self.is_time and value is not None:
            self._check_range(value, name, _FIRST_US, _LAST_US, "is out of the years 1 to 9999")
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
        raise BadQuestion(f"{name} is upstream or downstream, not {value!r}") from None


def read_kinds(value: Collection[Kind | str] | None, name: str) -> tuple[Kind, ...] | None:
    """Kinds of things, or their names.

    >>> read_kinds(["dataset", "FIELD"], "kinds")
    (<Kind.DATASET: 0>, <Kind.FIELD: 1>)
    """
    return None if value is None else tuple(_kind(one, name) for one in value)


def _kind(value: Kind | str, name: str) -> Kind:
    if isinstance(value, Kind):
        return value
    try:
        return Kind[value.upper()]
    except KeyError:
        raise BadQuestion(f"{name}: {value!r} is nothing to look for: give dataset, field or job") from None


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
        raise BadQuestion(f"{name} are two, the earlier first") from None
    return before, after


Dataset: TypeAlias = Annotated[str, Part("namespace/name, or any end of the name that no other dataset has.")]
OptionalDataset: TypeAlias = Annotated[
    str | None, Part("namespace/name, or any end of the name that no other dataset has; not with job.")
]
Datasets: TypeAlias = Annotated[
    tuple[str, ...], Part("Datasets by their full names, namespace/name; may be repeated.", read_texts)
]
Job: TypeAlias = Annotated[str, Part("namespace/name, or any end of the name that no other job has.")]
OptionalJob: TypeAlias = Annotated[str | None, Part("A job to start from in place of a dataset.")]
Column: TypeAlias = Annotated[str, Part("A column, or a path to a nested field.")]
OptionalColumn: TypeAlias = Annotated[
    str | None, Part("A column, a path to a nested field, or * for all columns; without it, the dataset as a whole.")
]
TaggedDataset: TypeAlias = Annotated[
    str | None, Part("Only fields of this dataset: namespace/name, or any end of the name that no other dataset has.")
]
TaggedColumn: TypeAlias = Annotated[str | None, Part("This one field of the dataset, whatever its tags.")]
TagName: TypeAlias = Annotated[
    str | None, Part("Fields with this tag, upper and lower case alike, in place of those with a personal one.")
]
Way: TypeAlias = Annotated[Direction, Part("upstream or downstream.", read_direction)]
AsOf: TypeAlias = Annotated[
    int | None, Part("The moment to look at; a date is its last moment, none is now.", moment_us)
]
Since: TypeAlias = Annotated[
    int | None, Part("The start of a window: what held at any moment in it counts. A date is its start.", beginning_us)
]
Until: TypeAlias = Annotated[int | None, Part("The end of the window; a date is its last moment.", moment_us)]
Before: TypeAlias = Annotated[int | None, Part("The moment before; a date is its last moment.", moment_us)]
After: TypeAlias = Annotated[int | None, Part("The moment after; a date is its last moment, none is now.", moment_us)]
Version: TypeAlias = Annotated[
    str, Part("A version: its UUID, its name in a version facet, or the UUID of the run that wrote it.")
]
OptionalVersion: TypeAlias = Annotated[
    str | None, Part("The version to look at: its UUID, its name in a version facet, or the UUID of its run.")
]
Versions: TypeAlias = Annotated[
    tuple[str, str] | None, Part("Two versions in place of two moments, the earlier first: written twice.", read_pair)
]
Contents: TypeAlias = Annotated[
    bool, Part("Count every write since the dataset was last overwritten as a whole, not only the last.")
]
Depth: TypeAlias = Annotated[int | None, Part("How many edges to follow at most; none is all.")]
Direct: TypeAlias = Annotated[bool, Part("Leave out what only filters, joins, groups, sorts or decides.")]
Namespaces: TypeAlias = Annotated[
    tuple[str, ...] | None, Part("Keep to these namespaces; may be repeated.", read_texts)
]
Limit: TypeAlias = Annotated[
    int | None, Part("How many to return at most, nearest first; the answer says if there is more.", least=1)
]
Best: TypeAlias = Annotated[int, Part("How many to return at most, the best first.", least=1)]
OfEach: TypeAlias = Annotated[int, Part("How many of each kind to return at most.", least=1, most=1_000)]
Collapse: TypeAlias = Annotated[bool, Part("Show the applications that jobs belong to, in place of the jobs.")]
Words: TypeAlias = Annotated[str, Part("Words of names, tags or descriptions; a typo is forgiven.")]
FieldCalled: TypeAlias = Annotated[
    str | None, Part("The name of a field, in place of words: the last part of its path.")
]
PathCalled: TypeAlias = Annotated[
    str | None, Part("The path of a field, in place of words: a.b, /a/b as in DataHub's RFC, or [version=2.0]….")
]
TagCalled: TypeAlias = Annotated[
    str | None, Part("A tag or a glossary term of datasets and fields, in place of words.")
]
Kinds: TypeAlias = Annotated[
    tuple[Kind, ...] | None, Part("What to look for: dataset, field, job; may be repeated.", read_kinds)
]
Cursor: TypeAlias = Annotated[str | None, Part("Where to go on: the cursor of the page before.")]
RunId: TypeAlias = Annotated[str, Part("The UUID of a run.")]
PageSize: TypeAlias = Annotated[int, Part("How many to read for a page.", least=1, most=10_000)]
