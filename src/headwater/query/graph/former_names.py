"""What was read under a name that another table has now (rule 9).

After `a` became `b`, a new table may take the name `a`. Who read `a` before that, and has not since, has what is in `b`
now, although it names `a`. So it is a reader of both.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, TypeVar

from headwater.common.groups import lists_by_key
from headwater.query.graph.intervals import Span
from headwater.store.db.codes import NO_JOB
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of, rows_of
from headwater.store.reads.aliases import FormerName, former_names, same_paths
from headwater.store.reads.edges import Hop, Match
from headwater.store.reads.versions import last_versions

T = TypeVar("T")


class SlotOf(NamedTuple):
    """A slot that reads something, and until when."""

    dataset: int
    job: int
    until_us: int


def slot_of(hop: Hop) -> SlotOf:
    """The slot of a hop."""
    return SlotOf(*hop[4:7])


class FormerNames:
    """The names that datasets had before other tables took them, as of one span; empty where there are no renames."""

    def __init__(self, session: Session, span: Span, *, renames: bool) -> None:
        self._session = session
        self._span = span
        self._renames = renames

    def before(self, datasets: Collection[int]) -> list[FormerName]:
        """The former names of datasets."""
        return former_names(self._session, datasets, self._span.since, "physical") if self._renames else []

    def after(self, datasets: Collection[int]) -> list[FormerName]:
        """What had the names of datasets before."""
        return former_names(self._session, datasets, self._span.since, "dataset") if self._renames else []

    def matches(self, nodes: Collection[int]) -> tuple[list[Match], list[FormerName]]:
        """The columns of the same paths under former names, for columns and rows of datasets."""
        names = self.before({dataset_of(node) for node in nodes})
        by_new = lists_by_key((name.new, name.old) for name in names)
        pairs = [(node, old) for node in nodes for old in by_new.get(dataset_of(node), ())]
        matches: list[Match] = [(node, rows_of(old), 0) for node, old in pairs if node == rows_of(dataset_of(node))]
        matches += same_paths(self._session, pairs)
        return matches, names

    def renamed(self, hops: Sequence[Hop]) -> list[Hop]:
        """Hops up, from the columns of the same paths in what had the names before, where those were read."""
        names = self.after({dataset_of(hop[0]) for hop in hops})
        if not names:
            return []
        read = self.read_then(names, hops, lambda hop: dataset_of(hop[0]), slot_of)
        same: dict[tuple[int, int], int] = {}
        for field, other, exact in same_paths(self._session, sorted({(hop[0], name.new) for hop, name in read})):
            if exact:
                same[field, dataset_of(other)] = other
        found = []
        for hop, name in read:
            is_rows = hop[0] == rows_of(name.old)
            origin = rows_of(name.new) if is_rows else same.get((hop[0], name.new))
            if origin is not None:
                found.append((origin, *hop[1:]))
        return found

    def read_then(
        self, names: Iterable[FormerName], reads: Iterable[T], old: Callable[[T], int], slot: Callable[[T], SlotOf]
    ) -> list[tuple[T, FormerName]]:
        """Of what reads a name, what read it last while it was that of a dataset that was renamed; with the names."""
        by_old = lists_by_key((name.old, name) for name in names)
        # What is declared reads what has the name when it is read itself.
        asked = [(read, slot(read)) for read in reads if by_old.get(old(read)) and slot(read).job != NO_JOB]
        ends = {(at.dataset, at.job): at.until_us for _, at in asked}
        last = last_versions(self._session, ends, self._span)
        return [
            (read, name)
            for read, at in asked
            if (write := last.get((at.dataset, at.job))) is not None
            for name in by_old[old(read)]
            if name.since_us <= write.read_us < name.until_us
        ]
