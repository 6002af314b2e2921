"""What a process remembers of a store between transactions: keys, which never change once they are committed."""

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from headwater.store.db.codes import EventKind
from headwater.store.model.event_parts import KnownBody
from headwater.store.model.meaning import Name

_MOST = 100_000
_MOST_TEXT = 16_000_000  # characters of names
_FEW = 1_000  # names that are not weighed


@dataclass(frozen=True, slots=True)
class KnownMention:
    """What a shape says of a dataset, by keys."""

    role: int
    dataset: int
    name: Name
    said: int
    mapping: int | None
    schema: int | None
    lifecycle: str | None
    partial: int
    renamed: int | None


class KnownMadeOf(NamedTuple):
    """What a shape states that a dataset is made of, by which job, by keys; 0 as in the table `made_of`.

    `by` is the name of the job, empty for the event's own.
    """

    dataset: int
    job: int
    source: int
    by: Name = ("", "")


@dataclass(frozen=True, slots=True)
class KnownShape:
    """A shape of the store."""

    id: int
    kind: EventKind
    job: int
    streaming: bool
    mentions: tuple[KnownMention, ...]
    symlinks: tuple[tuple[int, int], ...]
    made_of: tuple[KnownMadeOf, ...] = ()


@dataclass(slots=True)
class Cache:
    """Emptied when a transaction is undone, and when something was purged from the store."""

    epoch: str = ""
    datasets: dict[Name, int] = field(default_factory=dict)
    jobs: dict[Name, int] = field(default_factory=dict)
    fields: dict[tuple[int, str], int] = field(default_factory=dict)
    bodies: dict[bytes, int] = field(default_factory=dict)
    # Bodies by the hashes of how they were written.
    written: dict[bytes, KnownBody] = field(default_factory=dict)
    # By the hash of the meaning, by that of a body that has it, and by key.
    shapes: dict[bytes, KnownShape] = field(default_factory=dict)
    shapes_by_body: dict[bytes, KnownShape] = field(default_factory=dict)
    shapes_by_id: dict[int, KnownShape] = field(default_factory=dict)
    steps: dict[tuple[str, str, int], int] = field(default_factory=dict)
    inputs: dict[tuple[int, ...], int] = field(default_factory=dict)
    # The stamp of the event whose texts a mapping has: it only ever becomes smaller.
    mapping_stamps: dict[int, bytes] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    # How many names there were when their length was added up last.
    weighed: int = _FEW

    def clear(self) -> None:
        """Forget everything."""
        for entries in self._all():
            entries.clear()

    def trim(self) -> None:
        """Forget what has grown too large; between transactions only, since one relies on what it has looked up."""
        for entries in self._all():
            if len(entries) > _MOST:
                entries.clear()
        # Weighed each time that there are half as many more: together that costs no more than they did.
        named = len(self.datasets) + len(self.jobs) + len(self.fields)
        if named > self.weighed + self.weighed // 2:
            self.weighed = max(named, _FEW)
            text = sum(len(space) + len(name) for names in (self.datasets, self.jobs) for space, name in names)
            if text + sum(len(path) for _, path in self.fields) > _MOST_TEXT:
                self.clear()
                self.weighed = _FEW

    def _all(self) -> list[dict[Any, Any]]:
        return [value for field in fields(self) if isinstance(value := getattr(self, field.name), dict)]
