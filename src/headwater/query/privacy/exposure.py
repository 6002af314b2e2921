"""Where the values of a field went, and how they arrived there; pure.

Along a way the strongest word wins: what only decides is no value, what was masked stays masked, what went through
something opaque is only possibly there. Over ways every word is said, the most exposed first.
"""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from headwater.common.groups import lists_by_key
from headwater.query.graph.answer import FieldName, Transformation, place_of_field
from headwater.query.privacy.legs import Class, Leg, Map, class_of, way_back


class Exposure(IntEnum):
    """How a value is there, the most exposed first."""

    CLEAR = 0
    POSSIBLE = 1
    MASKED = 2
    INDIRECT = 3


def exposure_of(step: Transformation) -> Exposure:
    """What a transformation does to a value that comes in the clear.

    >>> exposure_of(Transformation("DIRECT", "IDENTITY", masking=False, description="")).name
    'CLEAR'
    """
    kind = class_of(step)
    if kind is Class.INDIRECT:
        return Exposure.INDIRECT
    if step.masking:
        return Exposure.MASKED
    return Exposure.POSSIBLE if kind is Class.OPAQUE else Exposure.CLEAR


@dataclass(frozen=True, slots=True)
class Way:
    """A shortest way on which values arrive like this."""

    exposure: Exposure
    path: tuple[Leg, ...]

    @property
    def masked_at(self) -> Leg | None:
        """The leg that masks them, if one does."""
        return next((leg for leg in self.path if leg.how.masking), None)


@dataclass(frozen=True, slots=True)
class Exposed:
    """A field that is reached: a way for each exposure, the most exposed first; of mere conditions only if no other."""

    field: FieldName
    ways: tuple[Way, ...]

    @property
    def exposure(self) -> Exposure:
        """The most exposed."""
        return self.ways[0].exposure


_State: TypeAlias = tuple[FieldName, Exposure]


def exposed(starts: Collection[FieldName], legs: Map, depth: int | None = None) -> tuple[Exposed, ...]:
    """All fields that the values of some fields reach, in so many legs; the most exposed first, then the nearest.

    The fields themselves are left out.
    """
    first: list[_State] = [(name, Exposure.CLEAR) for name in sorted(starts, key=place_of_field)]
    previous: dict[_State, tuple[_State, Leg] | None] = dict.fromkeys(first)
    rows: set[_State] = set()
    rest = deque((state, 0) for state in first)
    while rest:
        here, away = rest.popleft()
        if away == depth:
            break
        for leg in legs.onward.get(here[0], ()):
            how = max(here[1], exposure_of(leg.how))
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
    by_field = lists_by_key(
        (name, Way(how, way_back(previous, (name, how))))
        for name, how in previous
        if name not in starts and name.field is not None
    )
    exposures = [Exposed(name, _ordered_ways(ways)) for name, ways in by_field.items()]
    return tuple(
        sorted(exposures, key=lambda item: (item.exposure, len(item.ways[0].path), place_of_field(item.field)))
    )


def _ordered_ways(ways: list[Way]) -> tuple[Way, ...]:
    values = [way for way in ways if way.exposure is not Exposure.INDIRECT]
    return tuple(sorted(values or ways, key=lambda way: way.exposure))
