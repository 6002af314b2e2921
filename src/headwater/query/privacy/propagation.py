"""What tags, terms and descriptions reach, by the rules; pure.

Everything that is treated alike and starts from the same fields is walked once, whatever it is called.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from headwater.common.masking import Masking, state_after
from headwater.query.graph.answer import FieldName, place_of_field
from headwater.query.privacy.legs import Class, Leg, Map, class_of, is_masked, masking_of, way_back
from headwater.query.privacy.rules import DESCRIPTION, Carries, Rule, Rules, Thing, What


class Verdict(Enum):
    """What becomes of a thing at a field that it reaches.

    KEPT: the field has it, or a description, of its own. REFUSED: a person took it away from the field; it goes no
    further. MAY: it came through something opaque.
    """

    CARRIED = "carried"
    MAY = "may"
    KEPT = "kept"
    REFUSED = "refused"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Marks:
    """What is set on a field itself: its tags and terms, those that a person took away, its description."""

    tags: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of a thing at a field, and the shortest way there.

    Attributes:
        field: where.
        what: whether it is a tag, a term or a description.
        name: the name of the tag or term, or the description.
        verdict: what becomes of it.
        path: the way; where it is stopped, its last leg stops it.
        rule: the rule of the last leg.
        stopped_at: where it is carried, a leg of another way that stops it.
    """

    field: FieldName
    what: What
    name: str
    verdict: Verdict
    path: tuple[Leg, ...]
    rule: str
    stopped_at: Leg | None = None

    @property
    def arrives(self) -> bool:
        """Whether it is to be set on the field."""
        return self.verdict in {Verdict.CARRIED, Verdict.MAY}


def carried(marks: Mapping[FieldName, Marks], legs: Map, rules: Rules) -> list[Outcome]:
    """What becomes of all that is set on fields, at every field that it reaches, by field and name."""
    outcomes: list[Outcome] = []
    for things, walk in _walks(marks, rules):
        walk.go(legs)
        outcomes += [outcome for thing in things for outcome in walk.outcomes(thing, marks)]
    return sorted(outcomes, key=lambda item: (place_of_field(item.field), item.what.value, item.name))


_Table: TypeAlias = Mapping[tuple[Class, bool], Rule]
_Key: TypeAlias = tuple[tuple[Rule, ...], frozenset[FieldName], frozenset[FieldName]]


def _walks(marks: Mapping[FieldName, Marks], rules: Rules) -> Iterator[tuple[list[Thing], "_Walk"]]:
    """The walks that are needed, each with the things that it is for."""
    sources: defaultdict[Thing, set[FieldName]] = defaultdict(set)
    refusing: defaultdict[Thing, set[FieldName]] = defaultdict(set)
    for field, mark in marks.items():
        for name in mark.tags:
            sources[Thing.tag(name)].add(field)
        for name in mark.refused:
            refusing[Thing.tag(name)].add(field)
        if mark.description:
            sources[DESCRIPTION].add(field)
    kinds = [(kind, masked) for kind in Class for masked in (False, True)]
    grouped: defaultdict[_Key, list[Thing]] = defaultdict(list)
    for thing, starts in sources.items():
        table = tuple(rules.rule(thing, kind, masked=masked) for kind, masked in kinds)
        grouped[table, frozenset(starts), frozenset(refusing[thing])].append(thing)
    for (listed, having, refusing_it), things in grouped.items():
        yield things, _Walk(dict(zip(kinds, listed, strict=True)), having, refusing_it)


class _State(NamedTuple):
    """Where a walk is.

    Attributes:
        field: the field.
        certain: whether the thing is certainly there.
        hidden: a masking that can be undone stopped it. The field does not have it, but what unmasks the field's values
            brings it back.
    """

    field: FieldName
    certain: bool = True
    hidden: bool = False


class _Walk:
    """From all fields that have a thing, as far as it is carried."""

    def __init__(self, table: _Table, starts: frozenset[FieldName], refusing: frozenset[FieldName]) -> None:
        self._table = table
        self._starts = starts
        self._refusing = refusing
        self._previous: dict[_State, tuple[_State, Leg] | None] = {}
        # Where it arrives at a field that has it already, and where a leg stops it: the first of each.
        self._kept: dict[FieldName, tuple[_State, Leg]] = {}
        self._stopped: dict[FieldName, tuple[_State, Leg]] = {}

    def go(self, legs: Map) -> None:
        first = [_State(name) for name in sorted(self._starts, key=place_of_field)]
        self._previous.update(dict.fromkeys(first))
        rest = deque(first)
        while rest:
            here = rest.popleft()
            for leg in legs.onward.get(here.field, ()):
                rule, certain, hidden = self._passes(here, leg)
                for name in legs.landing(leg):
                    if rule.carries is Carries.NO and not here.hidden:
                        self._stopped.setdefault(name, (here, leg))
                    if rule.carries is Carries.NO and not hidden:
                        continue
                    if name in self._starts:
                        if not hidden:
                            self._kept.setdefault(name, (here, leg))
                        continue
                    there = _State(name, certain, hidden)
                    if there not in self._previous:
                        self._previous[there] = here, leg
                        if name not in self._refusing:
                            rest.append(there)

    def _passes(self, here: _State, leg: Leg) -> tuple[Rule, bool, bool]:
        """The rule that decides on a leg; whether what it carries is certain there; whether it goes on hidden."""
        state = state_after(Masking.KEYED if here.hidden else Masking.NONE, masking_of(leg.how))
        unmasked = self._table[class_of(leg.how), False]
        rule = self._table[class_of(leg.how), is_masked(state)]
        may = state & Masking.PARTIAL or (state & Masking.POSSIBLE and (here.hidden or leg.how.masks))
        if rule.carries is not Carries.NO:
            return rule, here.certain and rule.carries is Carries.YES and not may, False
        hidden = bool(state & Masking.KEYED) and unmasked.carries is not Carries.NO
        return rule, here.certain and unmasked.carries is Carries.YES and not may, hidden

    def outcomes(self, thing: Thing, marks: Mapping[FieldName, Marks]) -> Iterator[Outcome]:
        """What the walk found, told of one of the things that it is for."""
        arrived = {state.field for state in self._previous if not state.hidden} - self._starts
        for name in arrived:
            state = _State(name, certain=_State(name) in self._previous)
            verdict = Verdict.CARRIED if state.certain else Verdict.MAY
            if name in self._refusing:
                verdict = Verdict.REFUSED
            stop = self._stopped.get(name)
            yield self._outcome(thing, name, verdict, way_back(self._previous, state), marks, stop[1] if stop else None)
        for name, (before, leg) in self._kept.items():
            yield self._outcome(thing, name, Verdict.KEPT, (*way_back(self._previous, before), leg), marks)
        for name, (before, leg) in self._stopped.items():
            if name not in arrived and name not in self._starts:
                yield self._outcome(thing, name, Verdict.STOPPED, (*way_back(self._previous, before), leg), marks)

    def _outcome(  # noqa: PLR0913, PLR0917  the parts of an outcome
        self,
        thing: Thing,
        field: FieldName,
        verdict: Verdict,
        path: tuple[Leg, ...],
        marks: Mapping[FieldName, Marks],
        stopped_at: Leg | None = None,
    ) -> Outcome:
        name = marks[path[0].origin].description if thing.what is What.DESCRIPTION else thing.name
        return Outcome(field, thing.what, name, verdict, path, self._rule(path[-1]).name, stopped_at)

    def _rule(self, leg: Leg) -> Rule:
        return self._table[class_of(leg.how), is_masked(state_after(Masking.NONE, masking_of(leg.how)))]


def arriving(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """What is to be set."""
    return [outcome for outcome in outcomes if outcome.arrives]
