"""Links that a plan does not show: what is behind a checkpoint, a transposed frame, a micro-batch, a variable.

Each statement adds what it shows, for later ones to use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from headwater.rules.expressions.shapes import whole
from headwater.rules.plan.sources import Column, Output, Relation, merge
from headwater.rules.plan.tree import Dataset, Expr, Plan
from headwater.rules.session.latest import Latest, Memory
from headwater.rules.session.variables import Variables


@dataclass(frozen=True)
class Known:
    """The relation of an earlier statement, with what it read and what was opaque in it.

    Attributes:
        by_views: the same with the views of catalogs as datasets, where it read any.
    """

    relation: Relation
    reads: Mapping[Dataset, tuple[Expr, ...]] = field(default_factory=dict)
    opaque: Mapping[str, int] = field(default_factory=dict)
    by_views: Known | None = None

    @cached_property
    def weight(self) -> int:
        """How many sources it keeps; shared ones count once."""
        return _weight(self.relation) + (0 if self.by_views is None else self.by_views.weight)


@dataclass(frozen=True)
class Definition:
    """The definition of a view that some plan read.

    Attributes:
        columns: the view's columns.
        relation: what the view gives, from what is behind it and behind the views that it reads.
        by_views: the same, from the views that it reads; None where it reads none.
        reads: what it reads itself: views, and other datasets.
    """

    columns: tuple[Expr, ...]
    relation: Relation
    by_views: Relation | None
    reads: frozenset[Dataset]

    @cached_property
    def weight(self) -> int:
        """How many sources it keeps."""
        return _weight(self.relation) + (0 if self.by_views is None else _weight(self.by_views))


class Links(Memory):
    """What is known so far of one application.

    A statement works on a `branch`, which takes the place of what it branched from when the statement is done: one that
    is ended half way leaves nothing behind.

    Attributes:
        variables: the variables of its sessions and scripts.
    """

    def __init__(self) -> None:
        self.variables = Variables()
        self._by_rdd: Latest[int, Known] = Latest(lambda known: known.weight)
        self._by_ids: Latest[tuple[int | None, ...], Known] = Latest(lambda known: known.weight)
        self._transposed: Latest[tuple[int | None, ...], Known] = Latest(lambda known: known.weight)
        self._views: Latest[Dataset, Definition] = Latest(lambda definition: definition.weight)

    def remember_view(self, view: Dataset, definition: Definition) -> None:
        """Remember how a view is defined: a later statement may read it through a frame that does not show it."""
        self._views.keep(view, definition)

    def view(self, view: Dataset) -> Definition | None:
        """How a view is defined, as far as it was seen."""
        return self._views.get(view)

    def remember_rdd(self, rdd: int, known: Known) -> None:
        """Remember what is behind an RDD."""
        self._by_rdd.keep(rdd, known)

    def remember_checkpoint(self, known: Known, rdd: int | None) -> None:
        """Remember what is behind a checkpoint: by its RDD, where that is known, and by the ids of its columns.

        The ids alone are ambiguous: a frame and a filter of it have the same. Then it may be either.
        """
        if rdd is not None:
            self._by_rdd.keep(rdd, known)
        ids = _ids(known.relation)
        other = self._by_ids.get(ids)
        if other is not None:
            known = other if other.relation == known.relation else _either(other, known)
        self._by_ids.keep(ids, known)

    def remember_batch(self, known: Known) -> None:
        """Remember what is behind the frame of a micro-batch; the next batch's has the same ids, and replaces it."""
        self._by_ids.keep(_ids(known.relation), known)

    def remember_transposed(self, ids: Sequence[int], known: Known) -> None:
        """Remember what is behind a transposed frame, by the ids of its columns."""
        self._transposed.keep(tuple(ids), known)

    @contextmanager
    def all_or_nothing(self) -> Iterator[Links]:
        """A branch to work on. What it adds counts when the block ends, and not at all if the block raises.

        >>> from contextlib import suppress
        >>> links = Links()
        >>> with suppress(KeyError), links.all_or_nothing() as branch:
        ...     branch.remember_rdd(1, Known(Relation.of([])))
        ...     raise KeyError
        >>> links.of_rdd(1)
        """
        branch = self.branch()
        yield branch
        self.__dict__.update(branch.__dict__)

    def snapshot(self) -> Links:
        """A copy of what is known of frames and of sessions' variables now, to be used beside the statements."""
        snapshot = self.branch()
        snapshot.variables = self.variables.snapshot()
        return snapshot

    def of_rdd(self, rdd: int) -> Known | None:
        """What is behind an RDD, by its number."""
        return self._by_rdd.get(rdd)

    def transposed(self, leaf: Plan) -> Known | None:
        """What is behind a transposed frame in a plan; which column is in which is unknown."""
        return self._transposed.get(tuple(attribute.id for attribute in leaf.output or ()))

    def learn(self, leaves: Iterable[Plan]) -> None:
        """Learn which RDDs stand for known columns: where a frame is joined with itself, one copy has new ids."""
        for leaf in leaves:
            rdd = _rdd_of(leaf)
            known = self._by_ids.get(tuple(attribute.id for attribute in leaf.output or ()))
            if rdd is not None and known is not None and rdd not in self._by_rdd:
                self._by_rdd.keep(rdd, known)

    def behind(self, leaf: Plan) -> Known | None:
        """What is behind an RDD in a plan; its columns are the leaf's, by position."""
        rdd = _rdd_of(leaf)
        known = self._by_rdd.get(rdd) if rdd is not None else None
        return known if known is not None and len(known.relation.outputs) == len(leaf.output or ()) else None


def _ids(relation: Relation) -> tuple[int | None, ...]:
    return tuple(output.id for output in relation.outputs)


def _either(first: Known, second: Known) -> Known:
    """A relation that may be either of two with the same columns: all sources of both, counted as opaque."""
    outputs = (
        Output(mine.id, mine.name, Column(whole(merge([mine.column.sources, its.column.sources])), mine.column.text))
        for mine, its in zip(first.relation.outputs, second.relation.outputs, strict=True)
    )
    views = first.by_views is not None or second.by_views is not None
    return Known(
        Relation.of(outputs, merge([first.relation.rows, second.relation.rows])),
        {**first.reads, **second.reads},
        {**first.opaque, **second.opaque, "checkpoint": 1},
        _either(first.by_views or first, second.by_views or second) if views else None,
    )


def _weight(relation: Relation) -> int:
    shared = {id(part): part for output in relation.outputs for part in output.column.leaves.values()}
    return len(relation.rows) + sum(map(len, shared.values()))


def _rdd_of(leaf: Plan) -> int | None:
    described = leaf.described("rdd")
    return None if described is None else described.rdd
