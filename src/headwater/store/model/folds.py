"""The rules of time, pure: from what a run's events say to its writes, and from writes to what is in force.

A slot is (dataset, job). A write is in force from its time until the same job writes the dataset again, or anyone
replaces or removes the whole dataset. Appends by several jobs stand beside each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from headwater.store.db.codes import FOREVER
from headwater.store.model.order import stamp_us

DROP = "DROP"
DECLARED = 0
"""The job of what a dataset says of itself. A DROP does not end that: what was made from a view that is gone was still
made from what is behind the view."""
_REMOVALS = frozenset({DROP, "TRUNCATE"})
_REPLACEMENTS = _REMOVALS | {"OVERWRITE", "RENAME"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What events say of a dataset that they write, taken together: of each thing what was said last (rule 2).

    `said` is 1 where lineage stands, 0 where there is none: then it is unknown (rule 7).
    """

    said: int = 0
    mapping: int | None = None
    lifecycle: str = ""
    partial: int = 0
    renamed: int | None = None

    def then(
        self, *, said: int, mapping: int | None, lifecycle: str | None, partial: int, renamed: int | None
    ) -> "Outcome":
        """What holds after one more event.

        >>> Outcome().then(said=1, mapping=7, lifecycle=None, partial=0, renamed=None).mapping
        7
        """
        # A rename maps by itself, where nothing is said of columns.
        return Outcome(
            max(said, 0) if said else self.said,
            mapping if said or mapping is not None else self.mapping,
            self.lifecycle if lifecycle is None else lifecycle,
            max(partial, 0) if partial else self.partial,
            self.renamed if lifecycle is None else renamed,
        )

    @property
    def whole(self) -> bool:
        """Whether the write leaves nothing of what the dataset held."""
        return self.lifecycle in _REPLACEMENTS and not self.partial

    @property
    def removal(self) -> bool:
        """Whether nothing at all is left."""
        return self.lifecycle in _REMOVALS


@dataclass(frozen=True, slots=True)
class Write:
    """A write of a slot as the slot sees it; `mapping` is what it says itself, None where it says nothing.

    `ender` is the stamp of what ends it before the slot's own next write, if anything does. `going_on` is what was in
    effect with it under the old name, where it is a write that goes on after a rename.
    """

    stamp: bytes
    us: int
    mapping: int | None
    inputs: int | None
    removal: bool
    ender: bytes | None = None
    going_on: "Effect | None" = None


@dataclass(frozen=True, slots=True)
class Effect:
    """The mapping in effect with a write, and whether it was carried over from the write before."""

    mapping: int | None
    carried: bool


def effects(writes: Iterable[Write], before: int | None = None) -> list[Effect]:
    """The effect of each write of a slot, in their order; `before` is the mapping in effect until then (rule 7).

    >>> [effect.mapping for effect in effects([Write(b"1", 1, 7, None, False), Write(b"2", 2, None, None, False)])]
    [7, 7]
    """
    in_effect = []
    for write in writes:
        effect = write.going_on or effect_of(write.mapping, before, removal=write.removal)
        in_effect.append(effect)
        before = effect.mapping
    return in_effect


def effect_of(mapping: int | None, before: int | None, *, removal: bool) -> Effect:
    """The effect of a write that says a mapping or none, after one with which `before` was in effect."""
    # Absent is unknown, so the mapping goes on; but after a removal there is nothing left to know.
    effective = mapping if mapping is not None or removal else before
    return Effect(effective, carried=mapping is None and effective is not None)


@dataclass(frozen=True, slots=True)
class Interval:
    """What a slot keeps in force from one moment (included) until another (not included)."""

    from_us: int
    until_us: int
    mapping: int | None
    inputs: int | None


def intervals(writes: Sequence[Write], in_effect: Sequence[Effect], until: int = FOREVER) -> list[Interval]:
    """What is in force with the writes of a slot, in their order, up to the write that follows them at `until`.

    Writes that say the same keep one interval going.

    >>> from headwater.store.model.order import stamp
    >>> day1, day2 = Write(b"1", 10, 7, None, False), Write(b"2", 20, None, None, False, ender=stamp(30, 3, b""))
    >>> intervals([day1, day2], effects([day1, day2]))
    [Interval(from_us=10, until_us=30, mapping=7, inputs=None)]
    """
    merged: list[Interval] = []
    keeper = Keeper()
    ends = [*(write.us for write in writes[1:]), until]
    for write, effect, following in zip(writes, in_effect, ends, strict=True):
        keeper.begin(write.us, effect.mapping, write.inputs, removal=write.removal)
        merged += keeper.end(following if write.ender is None else min(following, stamp_us(write.ender)))
    return [*merged, *keeper.rest()]


class Keeper:
    """What a slot keeps in force, write by write in their order; the last interval may still grow."""

    __slots__ = ("_begun", "_held")

    def __init__(self, begun: Interval | None = None, at: int = 0) -> None:
        """Go on where a slot was left: with what is in force, and the time of its last write."""
        self._held = None if begun is None else replace(begun, until_us=at)
        self._begun = None if begun is None else replace(begun, from_us=at)

    def begin(self, us: int, mapping: int | None, inputs: int | None, *, removal: bool) -> None:
        """A write, with the mapping in effect; what was in force before it has ended."""
        self._begun = None if removal and mapping is None else Interval(us, FOREVER, mapping, inputs)

    def end(self, us: int) -> Iterator[Interval]:
        """The end of what was begun; gives what can no longer grow by it."""
        begun, pending = self._begun, self._held
        self._begun = None
        if begun is None:
            return
        if pending is not None and pending.until_us == begun.from_us and same(pending, begun):
            self._held = Interval(pending.from_us, us, pending.mapping, pending.inputs)
        elif begun.from_us < us:
            self._held = Interval(begun.from_us, us, begun.mapping, begun.inputs)
            if pending is not None:
                yield pending

    def rest(self) -> Iterator[Interval]:
        """What is left, once all has ended."""
        if self._held is not None:
            yield self._held
        self._held = None


def same(left: Interval, right: Interval) -> bool:
    """Whether two intervals keep the same in force."""
    return (left.mapping, left.inputs) == (right.mapping, right.inputs)
