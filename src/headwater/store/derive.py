"""From the writes of a dataset to what was in force when; pure.

A slot is (dataset, job). A write is in force from its time until the same job writes the dataset again, or anyone
replaces or removes the whole dataset. Appends by several jobs stand beside each other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

FOREVER = (1 << 63) - 1
"""The end of what is still in force."""

_REMOVALS = frozenset({"DROP", "TRUNCATE"})
_REPLACEMENTS = _REMOVALS | {"OVERWRITE"}


def replaces_all(lifecycle: str, *, partial: bool) -> bool:
    """Whether a write leaves nothing of what the dataset held; `partial` says that only some partitions were written.

    >>> replaces_all("OVERWRITE", partial=False), replaces_all("OVERWRITE", partial=True)
    (True, False)
    """
    return lifecycle in _REPLACEMENTS and not partial


@dataclass(frozen=True, slots=True)
class Write:
    """A completed write of one run; `mapping` is what its own columnLineage says, None where it says nothing."""

    run: int
    job: int
    us: int
    stamp: bytes
    mapping: int | None
    lifecycle: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Effect:
    """The mapping in effect with a write, and whether it was carried over from the job's write before."""

    stamp: bytes
    mapping: int | None
    carried: bool


@dataclass(frozen=True, slots=True)
class Interval:
    """A job's mapping in force from one moment (included) until another (not included)."""

    job: int
    mapping: int | None
    from_us: int
    until_us: int = FOREVER


@dataclass(frozen=True, slots=True)
class History:
    """The writes' effects in order, and the intervals that they make."""

    effects: tuple[Effect, ...]
    intervals: frozenset[Interval]


def fold_writes(
    writes: Iterable[Write],
    in_force: Iterable[Interval] = (),
    known: Mapping[int, int | None] | None = None,
) -> History:
    """Fold writes, in any order, into intervals.

    To go on from a moment instead of from the beginning, give what was in force then and each job's last mapping.

    >>> day1 = Write(run=1, job=7, us=10, stamp=b"1", mapping=100)
    >>> day2 = Write(run=2, job=7, us=20, stamp=b"2", mapping=None)  # says nothing: day 1's mapping is carried
    >>> day3 = Write(run=3, job=7, us=30, stamp=b"3", mapping=200)
    >>> for found in sorted(fold_writes([day3, day1, day2]).intervals, key=lambda interval: interval.from_us):
    ...     print(found.mapping, found.from_us, found.until_us == FOREVER)
    100 10 False
    200 30 True
    """
    current = {interval.job: replace(interval, until_us=FOREVER) for interval in in_force}
    last = dict(known or {})
    ended: list[Interval] = []
    effects: list[Effect] = []

    def end(job: int, us: int) -> None:
        interval = current.pop(job, None)
        if interval and interval.from_us < us:
            ended.append(replace(interval, until_us=us))

    for write in sorted(writes, key=lambda write: write.stamp):
        removal = write.lifecycle in _REMOVALS
        # Absent is unknown, so the slot's mapping goes on; but after a removal there is nothing left to know.
        mapping = write.mapping if write.mapping is not None or removal else last.get(write.job)
        last[write.job] = mapping
        effects.append(Effect(write.stamp, mapping, carried=write.mapping is None and mapping is not None))
        if write.whole:
            for job in [job for job in current if job != write.job]:
                end(job, write.us)
        if removal and mapping is None:
            end(write.job, write.us)
        elif write.job not in current or current[write.job].mapping != mapping:
            end(write.job, write.us)
            current[write.job] = Interval(write.job, mapping, write.us)
    return History(tuple(effects), frozenset((*ended, *current.values())))
