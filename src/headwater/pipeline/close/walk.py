"""Walks from many columns at once over a graph in memory, as arrays; pure.

A walk is breadth first. For each column it reaches, it records the distance and a label of five bits; across paths
labels are AND-ed. The class of a step is a number of ones, and along a path classes are OR-ed, so that the least direct
class of a path wins, and the most direct of all paths. Two bits say whether a value of the column is masked at the end
of the walk, the way data flows: if it is in the clear here (MASKED), and if it is masked here in a way that can be
undone. They hold for walks upstream, as nobody asks for them downstream.

Steps between columns and the rows of their dataset cost nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from headwater.common.masking import Passage
from headwater.query.graph.answer import Kind
from headwater.store.db.codes import FIELD_NUMBERS

Ints: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]

MASKED = 8
_STAYS_MASKED = 16
_CLASS = MASKED - 1
_LABEL_BITS = 5
_LABEL = (1 << _LABEL_BITS) - 1
_PASSAGE_BITS = 3
# About how many columns the walks of one batch reach, at some 100 bytes each while they are sorted.
_PAIRS = 1_500_000
_FIRST_BATCH = 64
_MOST_BATCH = 1 << 16


def label_of(kind: int, passage: Passage) -> int:
    """The label of a step: its class, and what it does to masking.

    >>> bin(label_of(Kind.AGGREGATION, Passage.MASKS)), bin(label_of(Kind.IDENTITY, Passage.AS_IT_IS))
    ('0b1011', '0b0')
    """
    return (1 << kind) - 1 | passage << _PASSAGE_BITS


def kinds_of(labels: Bytes) -> Bytes:
    """The classes in labels.

    >>> [Kind(kind).name for kind in kinds_of(np.array([0b0111, 0b1001], np.uint8))]
    ['INDIRECT', 'TRANSFORMATION']
    """
    kinds: Bytes = _KINDS[labels & _CLASS]
    return kinds


def passed(labels: Bytes, steps: Bytes) -> Bytes:
    """The labels of walks after one more step upstream.

    >>> hows = Passage.MASKS, Passage.UNMASKS
    >>> masks, unmasks = (np.array([label_of(Kind.IDENTITY, how)], np.uint8) for how in hows)
    >>> start = np.array([_STAYS_MASKED], np.uint8)
    >>> [bool(label[0] & MASKED) for label in (passed(start, masks), passed(passed(start, unmasks), masks))]
    [True, False]
    """
    after: Bytes = _PASSED[steps >> _PASSAGE_BITS, labels >> _PASSAGE_BITS] | ((labels | steps) & _CLASS)
    return after


def _ends_masked(passage: Passage, before: int) -> int:
    """The two bits of a label after a step upstream: the step comes first, the way data flows."""
    clear, masked = bool(before & 1), bool(before & 2)
    if passage is Passage.MASKS:
        clear = masked
    elif passage is Passage.UNMASKS:
        masked = clear
    elif passage is Passage.FOR_GOOD:
        clear = masked = True
    return clear * MASKED | masked * _STAYS_MASKED


_PASSED = np.array([[_ends_masked(passage, before) for before in range(4)] for passage in Passage], np.uint8)
_KINDS = np.zeros(_CLASS + 1, np.uint8)
for _kind in Kind:
    _KINDS[(1 << _kind) - 1] = _kind


@dataclass(frozen=True)
class _Steps:
    """The steps from each node: those of node n are at places first[n] to first[n + 1]."""

    first: Ints
    ends: Ints
    labels: Bytes

    def take(self, keys: Ints, labels: Bytes, nodes: int) -> tuple[Ints, Bytes]:
        """All steps from where walks are; a key is the walk's number times all nodes, plus the node."""
        at = keys % nodes
        places, counts = spread(self.first, at)
        return np.repeat(keys - at, counts) + self.ends[places], passed(np.repeat(labels, counts), self.labels[places])


class Graph:
    """Nodes by number, in the order of their ids; a node whose id ends in zeros is a dataset's rows.

    Steps have a start, an end and a label; those between `free` pairs cost nothing; `more` nodes may have no step.
    """

    def __init__(self, starts: Ints, ends: Ints, labels: Bytes, free: tuple[Ints, Ints], more: Ints) -> None:
        self.ids = np.unique(np.concatenate([starts, ends, *free, more]))
        self.starts, self.ends = np.searchsorted(self.ids, starts), np.searchsorted(self.ids, ends)
        self.size = len(self.ids)
        self._steps = self._sorted(self.starts, self.ends, labels)
        starts, ends = (np.searchsorted(self.ids, side) for side in free)
        self._free = self._sorted(starts, ends, np.zeros(len(ends), np.uint8))
        self.is_rows = (self.ids & FIELD_NUMBERS) == 0
        self.is_last = (np.diff(self._steps.first) == 0) & (np.diff(self._free.first) == 0) & ~self.is_rows

    def _sorted(self, starts: Ints, ends: Ints, labels: Bytes) -> _Steps:
        order = np.argsort(starts, kind="stable")
        first = np.searchsorted(starts[order], np.arange(self.size + 1))
        return _Steps(first, ends[order], labels[order])

    def walk(self, sources: Ints) -> "Reached":
        """Walk from each of these nodes, given by number."""
        keys = np.arange(len(sources)) * self.size + sources
        seen = _Seen()
        frontier = seen.add(keys, np.full(len(keys), _STAYS_MASKED, np.uint8), 0)
        distance = 0
        while len(frontier[0]):
            free = seen.add(*_merge(*self._free.take(*frontier, self.size)), distance)
            frontier = np.concatenate([frontier[0], free[0]]), np.concatenate([frontier[1], free[1]])
            distance += 1
            frontier = seen.add(*_merge(*self._steps.take(*frontier, self.size)), distance)
        return seen.all(self.size)

    def walks(self, sources: Ints) -> Iterator[tuple[Ints, "Reached"]]:
        """Walk from all of these nodes, in batches that fit into memory."""
        # Shuffled: columns that reach little are often neighbours, and predict nothing about later batches.
        mixed = np.random.default_rng(0).permutation(sources)
        batch, done = _FIRST_BATCH, 0
        while done < len(mixed):
            starts = mixed[done : done + batch]
            reached = self.walk(starts)
            yield starts, reached
            done += len(starts)
            fitting = int(batch * _PAIRS / max(1, len(reached.walks)))
            batch = min(max(1, batch // 8, min(fitting, batch * 4)), _MOST_BATCH)


@dataclass(frozen=True)
class Reached:
    """What walks have reached, sorted by walk and node: the walk's number, the node, the distance and the label."""

    walks: Ints
    nodes: Ints
    distances: npt.NDArray[np.int32]
    labels: Bytes

    def only(self, mask: npt.NDArray[np.bool_]) -> "Reached":
        """The rows that a mask selects."""
        return Reached(self.walks[mask], self.nodes[mask], self.distances[mask], self.labels[mask])


class _Seen:
    """What walks have reached so far, in sorted runs, each twice as long as the next: few even on long paths."""

    def __init__(self) -> None:
        self._runs: list[tuple[Ints, Bytes, npt.NDArray[np.int32]]] = []

    def add(self, keys: Ints, labels: Bytes, distance: int) -> tuple[Ints, Bytes]:
        """Add sorted keys; returns the new ones, and those whose labels improved."""
        better: list[tuple[Ints, Bytes]] = []
        for known, known_labels, _ in self._runs:
            places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            there = known[places] == keys
            if there.any():
                matches = places[there]
                merged = known_labels[matches] & labels[there]
                changed = merged != known_labels[matches]
                known_labels[matches[changed]] = merged[changed]
                better.append((keys[there][changed], merged[changed]))
                keys, labels = keys[~there], labels[~there]
        if len(keys):
            self._runs.append((keys, labels.copy(), np.full(len(keys), distance, np.int32)))
            self._tidy()
        return np.concatenate([keys, *(changed for changed, _ in better)]), np.concatenate(
            [labels, *(merged for _, merged in better)]
        )

    def _tidy(self) -> None:
        runs = self._runs
        while len(runs) > 1 and len(runs[-1][0]) * 2 > len(runs[-2][0]):
            last = runs.pop()
            before = runs.pop()
            keys = np.concatenate([before[0], last[0]])
            order = np.argsort(keys, kind="stable")  # two sorted runs: a merge
            runs.append(
                (
                    keys[order],
                    np.concatenate([before[1], last[1]])[order],
                    np.concatenate([before[2], last[2]])[order],
                )
            )

    def all(self, nodes: int) -> Reached:
        """All of it."""
        keys, labels, distances = (np.concatenate(parts) for parts in zip(*self._runs, strict=True))
        order = np.argsort(keys, kind="stable")
        walks, at = np.divmod(keys[order], nodes)
        return Reached(walks, at, distances[order], labels[order])


def _merge(keys: Ints, labels: Bytes) -> tuple[Ints, Bytes]:
    """Sorted, distinct keys, each with its labels AND-ed."""
    if not len(keys):
        return keys, labels
    # The label travels in the low bits: one plain sort, no argsort.
    packed = keys << _LABEL_BITS | labels
    packed.sort()
    keys = packed >> _LABEL_BITS
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[first], np.bitwise_and.reduceat((packed & _LABEL).astype(np.uint8), first)


def spread(first: Ints, at: Ints) -> tuple[Ints, Ints]:
    """The places of what belongs to these nodes, node by node, and how many each has.

    >>> spread(np.array([0, 2, 2, 5]), np.array([2, 0]))
    (array([2, 3, 4, 0, 1]), array([3, 2]))
    """
    begins = first[at]
    counts = first[at + 1] - begins
    before = np.cumsum(counts) - counts
    return np.repeat(begins - before, counts) + np.arange(int(counts.sum())), counts
