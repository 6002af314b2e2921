"""Where the values of a field went, and how they arrived there; pure.

Along a way the strongest word wins: what only decides is no value, what was masked stays masked until something undoes
it, what went through something opaque is only possibly there. Over ways every word is said, the most exposed first.
"""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from headwater.common.groups import lists_by_key
from headwater.common.masking import Masking, state_after
from headwater.query.graph.answer import FieldName, Transformation, place_of_field
from headwater.query.privacy.legs import Class, Leg, Map, class_of, is_masked, masking_of, way_back


class Exposure(IntEnum):
    """How a value is there, the most exposed first."""

    CLEAR = 0
    POSSIBLE = 1
    PARTIAL = 2
    MASKED = 3
    INDIRECT = 4


# How a value is masked, and whether it is one: what it only decided about is not.
_Value: TypeAlias = tuple[Masking, bool]
_CLEAR: _Value = (Masking.NONE, True)
_NO_VALUE: _Value = (Masking.NONE, False)
_FOR_GOOD = Masking.IRREVERSIBLE | Masking.PARTIAL


def _after(value: _Value, step: Transformation) -> _Value:
    """How a value leaves a transformation."""
    if not value[1] or class_of(step) is Class.INDIRECT:
        return _NO_VALUE
    return state_after(value[0], masking_of(step)), True


def _undoable(value: _Value) -> bool:
    """Whether a value is masked in a way that can be undone."""
    return bool(value[0] & Masking.KEYED)


def _exposure(value: _Value) -> Exposure:
    state, is_value = value
    if not is_value:
        return Exposure.INDIRECT
    if is_masked(state):
        return Exposure.MASKED
    if state & Masking.PARTIAL:
        return Exposure.PARTIAL
    return Exposure.POSSIBLE if state & Masking.POSSIBLE else Exposure.CLEAR


@dataclass(frozen=True, slots=True)
class Way:
    """A shortest way on which values arrive like this."""

    exposure: Exposure
    path: tuple[Leg, ...]

    @property
    def masked_at(self) -> Leg | None:
        """The leg that masks them, if one does: the first that nothing undoes, or else the last that was undone."""
        undone, lasting = self._masking()
        return lasting or (undone[0] if undone else None)

    @property
    def unmasked_at(self) -> Leg | None:
        """Where nothing masks them in the end, the leg that undoes, or may undo, what masked them before."""
        undone, lasting = self._masking()
        return undone[1] if undone and lasting is None else None

    def _masking(self) -> tuple[tuple[Leg | None, Leg] | None, Leg | None]:
        """The last leg that undoes a masking, with the leg that did it; and the first that masks and is not undone."""
        keyed: Leg | None = None
        for_good: Leg | None = None
        undone: tuple[Leg | None, Leg] | None = None
        before = _CLEAR
        for leg in self.path:
            after = _after(before, leg.how)
            came, went = _undoable(before), _undoable(after)
            if after[0] & _FOR_GOOD and not before[0] & _FOR_GOOD:
                for_good = leg
            if not after[1] or after[0] & Masking.IRREVERSIBLE:  # nothing to be undone from here on
                break
            if went and not came:
                keyed = leg
            elif not went and (came or leg.how.masks & Masking.POSSIBLE):
                undone, keyed = (keyed, leg), None
            before = after
        return undone, keyed or for_good


@dataclass(frozen=True, slots=True)
class Exposed:
    """A field that is reached: a way for each exposure, the most exposed first; of mere conditions only if no other."""

    field: FieldName
    ways: tuple[Way, ...]

    @property
    def exposure(self) -> Exposure:
        """The most exposed."""
        return self.ways[0].exposure


_State: TypeAlias = tuple[FieldName, _Value]


def exposed(starts: Collection[FieldName], legs: Map, depth: int | None = None) -> tuple[Exposed, ...]:
    """All fields that the values of some fields reach, in so many legs; the most exposed first, then the nearest.

    The fields themselves are left out.
    """
    first: list[_State] = [(name, _CLEAR) for name in sorted(starts, key=place_of_field)]
    previous: dict[_State, tuple[_State, Leg] | None] = dict.fromkeys(first)
    rows: set[_State] = set()
    rest = deque((state, 0) for state in first)
    while rest:
        here, away = rest.popleft()
        if away == depth:
            break
        for leg in legs.onward.get(here[0], ()):
            how = _after(here[1], leg.how)
            if leg.destination.field is None:
                if (leg.destination, how) in rows:
                    continue
                rows.add((leg.destination, how))
            # How many rows a dataset has leads on by itself, also where none of its columns does.
            rows_too = (leg.destination,) if leg.destination.field is None else ()
            for name in (*rows_too, *legs.landing(leg)):
                if (name, how) not in previous:
                    previous[name, how] = here, leg
                    rest.append(((name, how), away + 1))
    # The first, which is a shortest, of those that end alike.
    arrived: dict[tuple[FieldName, Exposure], _State] = {}
    for state in previous:
        arrived.setdefault((state[0], _exposure(state[1])), state)
    by_field = lists_by_key(
        (name, Way(exposure, way_back(previous, state)))
        for (name, exposure), state in arrived.items()
        if name not in starts and name.field is not None
    )
    exposures = [Exposed(name, _ordered_ways(ways)) for name, ways in by_field.items()]
    return tuple(
        sorted(exposures, key=lambda item: (item.exposure, len(item.ways[0].path), place_of_field(item.field)))
    )


def _ordered_ways(ways: list[Way]) -> tuple[Way, ...]:
    values = [way for way in ways if way.exposure is not Exposure.INDIRECT]
    return tuple(sorted(values or ways, key=lambda way: way.exposure))
