"""Whether a regular expression has a text that takes more than linear work: read off the pattern, not measured.

The parsed pattern becomes an automaton, one state for each character that is looked at. Work grows faster than the text
where a piece of text, repeated, can be read in ever more ways:

- from a state back to itself in two ways: exponential, as `(a+)+b`
- around one state, from there to another, and around that one: quadratic, as `a+a+b`

`search`, `finditer`, `sub` and `split` try each place of a text as the beginning, which is one more state that goes
around before the pattern: `a+b` is quadratic for them. A state from which the pattern is satisfied at once costs
nothing: a match is found instead of looked for again.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

if sys.version_info >= (3, 11):
    from re import _compiler as sre_compile  # type: ignore[attr-defined]
    from re import _parser as sre_parse  # type: ignore[attr-defined]
else:
    import sre_compile
    import sre_parse

_SAMPLES = [*map(chr, range(128)), "é", "İ", "ß", "٣", "\u00a0", "\u2028", "␟", "\ud800", "\N{GRINNING FACE}"]
_COPIES = 2
"""More copies of what is repeated a number of times show nothing new."""
_ANYWHERE = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
_MOST_SETS = 500
_MOST_ALTERNATIVES = 64
_START, _ACCEPT, _DEAD = -1, -2, -3


def growth(pattern: str | re.Pattern[Any], method: str = "search") -> str:
    """Why a pattern takes more than linear work over some text, with that text; empty if it does not.

    >>> growth("a+b", "match"), growth("[^/]*/$", "fullmatch")
    ('', '')
    >>> growth("a+b").partition(" over")[0], growth("(a|b*)*c", "match").partition(" over")[0]
    ('quadratic', 'exponential')
    """
    compiled: re.Pattern[Any] = re.compile(pattern) if isinstance(pattern, str) else pattern
    if isinstance(compiled.pattern, bytes):
        compiled = re.compile(compiled.pattern.decode("latin-1"), compiled.flags & ~re.UNICODE)
    parsed = sre_parse.parse(compiled.pattern, compiled.flags)
    if not any(_Automaton(way, compiled.flags, method).growth() for way in _alternatives(parsed)):
        return ""
    # Where one alternative would be looked for again and again, another one may match.
    return _Automaton(parsed, compiled.flags, method).growth()


def _alternatives(parsed: Any) -> Iterator[Any]:  # noqa: ANN401 (the parser has no types)
    """The patterns that a pattern is one of: whatever is repeated, a text takes one way through what is not.

    Each by itself is small: to look at all of them together costs the square of their states.
    """
    ways: list[list[Any]] = [[]]
    for code, value in parsed:
        options: list[list[Any]] = [[(code, value)]]
        if str(code) == "BRANCH":
            options = [list(way) for branch in value[1] for way in _alternatives(branch)]
        elif str(code) == "SUBPATTERN" and not any(value[1:3]) and parsed.state.groups == 1:
            options = [list(way) for way in _alternatives(value[-1])]
        if len(ways) * len(options) > _MOST_ALTERNATIVES:
            options = [[(code, value)]]
        ways = [way + option for way in ways for option in options]
    for way in ways:
        yield sre_parse.SubPattern(parsed.state, way)


@dataclass(slots=True)
class _Node:
    """One state: what it reads (`matches`, by character), or what has to hold (`holds`), and what may follow."""

    matches: frozenset[int] | None = None
    holds: Any = None
    after: list[int] = field(default_factory=list)


class _Automaton:
    def __init__(self, parsed: Any, flags: int, method: str) -> None:  # noqa: ANN401 (the parser has no types)
        self._flags = flags & ~re.VERBOSE
        self._whole = method == "fullmatch"
        self._nodes: list[_Node] = []
        self._singles: list[Any] = []
        self._classes = self._characters(parsed)
        entry, end = self._sequence(parsed)
        self._nodes[end].after.append(_ACCEPT)
        self._entry = entry
        first = str(next(iter(parsed), ("", ""))[1])
        begins = first == "AT_BEGINNING_STRING" or (first == "AT_BEGINNING" and not flags & re.MULTILINE)
        self._anywhere = method in _ANYWHERE and not begins
        self._steps: dict[tuple[int, int], dict[int, dict[int, int]]] = {}

    # --- from the pattern to states -----------------------------------------------------------------------------------

    def _characters(self, parsed: Any) -> list[str]:  # noqa: ANN401 (the parser has no types)
        """One character for all that every part of the pattern treats alike."""
        for code, value, state in _singles(parsed):
            alone = sre_parse.SubPattern(state)
            alone.append((code, value))
            self._singles.append((str((code, value)), sre_compile.compile(alone, self._flags)))
        kinds: dict[tuple[bool, ...], str] = {}
        for sample in [*_SAMPLES, *_literals(parsed)]:
            signs = [single.fullmatch(sample) is not None for _, single in self._singles]
            kinds.setdefault((*signs, sample == "\n", _is_word(sample)), sample)
        return list(kinds.values())

    def _add(self, **parts: Any) -> int:  # noqa: ANN401
        self._nodes.append(_Node(**parts))
        return len(self._nodes) - 1

    def _sequence(self, parsed: Any) -> tuple[int, int]:  # noqa: ANN401
        start = end = self._add()
        for code, value in parsed:
            first, last = self._part(str(code), code, value)
            self._nodes[end].after.append(first)
            end = last
        return start, end

    def _part(self, name: str, code: Any, value: Any) -> tuple[int, int]:  # noqa: ANN401, PLR0911 (a table)
        if name == "BRANCH":
            return self._either([self._sequence(branch) for branch in value[1]])
        if name == "SUBPATTERN":
            return self._sequence(value[-1])
        if name == "ATOMIC_GROUP":
            return self._sequence(value)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            return self._repeat(*value)
        if name in {"ASSERT", "ASSERT_NOT"}:
            return self._look(value, wanted=name == "ASSERT")
        if name == "AT":
            node = self._add(holds=lambda before, after, at=str(value): self._at(at, before, after))
            return node, node
        if name == "GROUPREF":
            node = self._add()  # what it repeats was read before: no further than that
            return node, node
        single = next(single for written, single in self._singles if written == str((code, value)))
        kinds = enumerate(self._classes)
        node = self._add(matches=frozenset(at for at, sign in kinds if single.fullmatch(sign) is not None))
        return node, node

    def _either(self, ways: list[tuple[int, int]]) -> tuple[int, int]:
        start, end = self._add(), self._add()
        for first, last in ways:
            self._nodes[start].after.append(first)
            self._nodes[last].after.append(end)
        return start, end

    def _repeat(self, least: int, most: Any, parsed: Any) -> tuple[int, int]:  # noqa: ANN401
        start = end = self._add()
        for _ in range(min(least, _COPIES)):
            first, last = self._sequence(parsed)
            self._nodes[end].after.append(first)
            end = last
        if most == sre_parse.MAXREPEAT:
            first, last = self._sequence(parsed)
            loop, out = self._add(after=[first]), self._add()
            self._nodes[loop].after.append(out)
            self._nodes[last].after.append(loop)
            self._nodes[end].after.append(loop)
            return start, out
        out = self._add()
        for _ in range(min(most - least, _COPIES)):
            self._nodes[end].after.append(out)
            first, last = self._sequence(parsed)
            self._nodes[end].after.append(first)
            end = last
        self._nodes[end].after.append(out)
        return start, out

    def _look(self, value: Any, *, wanted: bool) -> tuple[int, int]:  # noqa: ANN401
        direction, inside = value
        if tuple(map(int, inside.getwidth())) in {(0, 1), (1, 1)} and not str(inside).count("ASSERT"):
            single = sre_compile.compile(inside, self._flags)

            def holds(before: str | None, after: str | None) -> bool:
                # A text's end is like a character that nothing else is; so is its beginning.
                sign = before if direction < 0 else after
                return (single.fullmatch(sign or "") is not None) is wanted

            node = self._add(holds=holds)
            return node, node
        start, end = self._add(), self._add()
        self._nodes[start].after.append(end)
        if direction < 0 and wanted and inside:  # of several characters, the last one
            end_of_it = sre_parse.SubPattern(inside.state, [inside[-1]])
            if tuple(map(int, end_of_it.getwidth())) == (1, 1):
                return self._look((direction, end_of_it), wanted=True)
        if direction > 0:  # what it reads is work, and leads nowhere
            first, last = self._sequence(inside)
            self._nodes[start].after.append(first)
            self._nodes[last].after.append(_DEAD)
        return start, end

    def _at(self, at: str, before: str | None, after: str | None) -> bool:
        multiline = bool(self._flags & re.MULTILINE)
        match at:
            case "AT_BEGINNING_STRING":
                return before is None
            case "AT_BEGINNING":
                return before is None or (multiline and before == "\n")
            case "AT_END_STRING":
                return after is None
            case "AT_END":
                return after is None  # before the last newline, too: but nothing is repeated there
            case _:
                border = _is_word(before or "") != _is_word(after or "")
                return border is (at == "AT_BOUNDARY")

    # --- steps --------------------------------------------------------------------------------------------------------

    def _after(self, state: int, before: int) -> dict[int, dict[int, int]]:
        """Of each character, the states that a state leads to, each with how many ways there are (one or more)."""
        key = state, before
        if key not in self._steps:
            self._steps[key] = {at: ways for at in range(len(self._classes)) if (ways := self._ways(state, before, at))}
        return self._steps[key]

    def _ways(self, state: int, before: int, sign: int) -> dict[int, int]:
        found: dict[int, int] = {}
        if state == _START:
            found[_START] = 1
        for node in self._reached(state, before, self._classes[sign]):
            if node >= 0 and sign in (self._nodes[node].matches or ()):
                found[node] = found.get(node, 0) + 1
        return found

    def _reached(self, state: int, before: int, after: str | None) -> Iterator[int]:
        """Nodes that read a character, and the end, as often as there are ways to them without reading."""
        sign_before = None if before < 0 else self._classes[before]
        begin = [self._entry] if state == _START else self._nodes[state].after
        ways = [(node, tuple[int, ...]()) for node in begin]
        tried = 0
        while ways and tried < 2_000:
            node, seen = ways.pop()
            tried += 1
            if node < 0 or self._nodes[node].matches is not None:
                yield node
            elif seen.count(node) < _COPIES:  # a loop inside another is left, and entered again
                holds = self._nodes[node].holds
                if holds is None or holds(sign_before, after):
                    ways += [(following, (*seen, node)) for following in self._nodes[node].after]

    def _always_ends(self, states: set[int], before: int) -> bool:
        """Whether a match ends somewhere after these states, whatever follows: nothing is looked for in vain."""
        if self._whole:
            return False
        begin = frozenset(states), before
        graph: dict[tuple[frozenset[int], int], list[tuple[frozenset[int], int]]] = {}
        ahead, bad = [begin], []
        while ahead and len(graph) < _MOST_SETS:
            here = ahead.pop()
            if here not in graph:
                following = list(self._without_end(*here))
                graph[here] = [there for there in following if there[0]]
                bad += [here] if len(graph[here]) < len(following) else []
                ahead += graph[here]
        if ahead:
            return False
        back: dict[tuple[frozenset[int], int], list[tuple[frozenset[int], int]]] = {}
        for here, theres in graph.items():
            for there in theres:
                back.setdefault(there, []).append(here)
        failing: set[tuple[frozenset[int], int]] = set()
        while bad:
            here = bad.pop()
            if here not in failing:
                failing.add(here)
                bad += back.get(here, ())
        return begin not in failing

    def _without_end(self, states: frozenset[int], before: int) -> Iterator[tuple[frozenset[int], int]]:
        """What each character, and the end of the text, leads to where no match ends before it."""
        for sign in (*range(len(self._classes)), None):
            after = None if sign is None else self._classes[sign]
            if not any(_ACCEPT in self._reached(one, before, after) for one in states):
                steps = [self._after(one, before).get(sign, {}) for one in states] if sign is not None else []
                yield frozenset(there for ways in steps for there in ways), sign or 0

    # --- what grows ---------------------------------------------------------------------------------------------------

    def growth(self) -> str:
        """Why it takes more than linear work, and over what; empty if it does not."""
        graph = self._graph()
        components = _components(graph)
        cyclic = [group for group in components if len(group) > 1 or any(one in graph[one] for one in group)]
        for group in cyclic:
            if text := self._exponential(group):
                return f"exponential over {text!r} repeated"
        loops = [group for group in cyclic if all(state != _START for state, _ in group)]
        firsts = [{(state, before) for state, before in group} for group in cyclic]
        for first in firsts:
            for second in loops:
                if text := self._quadratic(first, second):
                    return f"quadratic over {text!r} repeated"
        return ""

    def _graph(self) -> dict[tuple[int, int], set[tuple[int, int]]]:
        """States with the character before them, from the beginning on."""
        graph: dict[tuple[int, int], set[tuple[int, int]]] = {}
        begin = (_START, -1)
        ahead = [begin]
        while ahead:
            here = ahead.pop()
            if here in graph:
                continue
            graph[here] = set()
            for sign, ways in self._after(*here).items():
                for state in ways:
                    if state == _START and not self._anywhere:
                        continue
                    graph[here].add((state, sign))
            ahead += graph[here]
        return graph

    def _exponential(self, group: set[tuple[int, int]]) -> str:
        """A text that leads around in two ways."""
        if any(state == _START for state, _ in group):
            return ""
        for start, before in group:
            # (one way, the other, the character before, whether they differ)
            texts = {(start, start, before, False): ""}
            ahead = deque(texts)
            while ahead:
                here = ahead.popleft()
                one, other, last, apart = here
                for sign, ways in self._after(one, last).items():
                    others = self._after(other, last).get(sign, {})
                    for a, count in ways.items():
                        for b in others:
                            if (a, sign) not in group or (b, sign) not in group:
                                continue
                            there = (a, b, sign, apart or a != b or count > 1)
                            if there not in texts:
                                texts[there] = texts[here] + self._classes[sign]
                                ahead.append(there)
                            if there == (start, start, before, True) and not self._ends({start}, before, texts[there]):
                                return texts[there]
        return ""

    def _quadratic(self, first: set[tuple[int, int]], second: set[tuple[int, int]]) -> str:
        """A text that leads around one state, from there to another, and around that one."""
        for start, before in first:
            for goal, also_before in second:
                if before != also_before or start == goal:
                    continue
                begin = (start, start, goal, before)
                texts = {begin: ""}
                ahead = deque([begin])
                while ahead:
                    here = ahead.popleft()
                    for there in self._together(here, first, second):
                        if there in texts:
                            continue
                        texts[there] = texts[here] + self._classes[there[3]]
                        ahead.append(there)
                        if there == (start, goal, goal, before) and self._fails(start, goal, before, texts[there]):
                            return texts[there]
        return ""

    def _together(
        self, here: tuple[int, int, int, int], first: set[tuple[int, int]], second: set[tuple[int, int]]
    ) -> Iterator[tuple[int, int, int, int]]:
        one, between, other, last = here
        for sign, ways in self._after(one, last).items():
            for b in self._after(between, last).get(sign, {}):
                for c in self._after(other, last).get(sign, {}):
                    if (c, sign) in second:
                        for a in ways:
                            if (a, sign) in first:
                                yield a, b, c, sign

    def _fails(self, start: int, goal: int, before: int, text: str) -> bool:
        """Whether a text that leads from a state to another, and around it, may end without a match."""
        if start != _START:
            return not self._ends({goal}, before, text)
        # What begins at some place of the text goes on in all its ways until one ends.
        for place in range(len(text)):
            states, at = {_START}, before if place == 0 else self._classes.index(text[place - 1])
            for sign in text[place:]:
                states, at = self._read(states, at, sign)
                states.discard(_START)
            if goal in states and not self._ends(states, before, text):
                return True
        return False

    def _read(self, states: set[int], before: int, sign: str) -> tuple[set[int], int]:
        at = self._classes.index(sign)
        return {there for here in states for there in self._after(here, before).get(at, {})}, at

    def _ends(self, states: set[int], before: int, text: str) -> bool:
        """Whether a match ends in a text that leads from states back to them, or must end after it."""
        at, now = before, states
        for sign in () if self._whole else 3 * text:
            if any(_ACCEPT in self._reached(here, at, sign) for here in now):
                return True
            now, at = self._read(now, at, sign)
        return self._always_ends(states, before)


def _is_word(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign == "_")


def _parts(parsed: Any) -> Iterator[Any]:  # noqa: ANN401
    for code, value in parsed:
        yield code, value, parsed.state
        for inner in _inner(str(code), value):
            yield from _parts(inner)


def _inner(name: str, value: Any) -> Any:  # noqa: ANN401
    match name:
        case "BRANCH":
            return value[1]
        case "SUBPATTERN":
            return [value[-1]]
        case "ATOMIC_GROUP":
            return [value]
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [value[2]]
        case "ASSERT" | "ASSERT_NOT":
            return [value[1]]
        case _:
            return []


_OTHERS = frozenset({
    "BRANCH", "SUBPATTERN", "ATOMIC_GROUP", "MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT", "ASSERT", "ASSERT_NOT",
    "AT", "GROUPREF",
})  # fmt: skip


def _singles(parsed: Any) -> Iterator[tuple[Any, Any, Any]]:  # noqa: ANN401
    """The parts that read one character."""
    return (part for part in _parts(parsed) if str(part[0]) not in _OTHERS)


def _literals(parsed: Any) -> list[str]:  # noqa: ANN401
    return [chr(number) for number in map(int, re.findall(r"LITERAL, (\d+)", str([*_singles(parsed)])))]


def _components(graph: dict[tuple[int, int], set[tuple[int, int]]]) -> list[set[tuple[int, int]]]:
    """Groups of states that all lead to each other."""
    order: list[tuple[int, int]] = []
    seen: set[tuple[int, int]] = set()
    for root, nexts in graph.items():
        stack = [(root, iter(nexts))] if root not in seen else []
        seen.add(root)
        while stack:
            state, following = stack[-1]
            new = next((there for there in following if there not in seen), None)
            if new is None:
                order.append(state)
                stack.pop()
            else:
                seen.add(new)
                stack.append((new, iter(graph[new])))
    back: dict[tuple[int, int], list[tuple[int, int]]] = {state: [] for state in graph}
    for state, nexts in graph.items():
        for there in nexts:
            back[there].append(state)
    groups: list[set[tuple[int, int]]] = []
    taken: set[tuple[int, int]] = set()
    for root in reversed(order):
        if root in taken:
            continue
        group, ways = set[tuple[int, int]](), [root]
        while ways:
            state = ways.pop()
            if state not in taken:
                taken.add(state)
                group.add(state)
                ways += back[state]
        groups.append(group)
    return groups
