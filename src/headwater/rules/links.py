"""Links that a plan does not show: what is behind a checkpoint, a micro-batch's frame, a session's variable.

They are found out statement by statement, and used in the statements after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from headwater.rules.model import Relation
from headwater.rules.tree import Dataset, Expr, Plan
from headwater.rules.variables import Latest, Variables


@dataclass(frozen=True)
class Known:
    """A relation that was worked out before, with what it read and what was opaque in it."""

    relation: Relation
    reads: Mapping[Dataset, tuple[Expr, ...]] = field(default_factory=dict)
    opaque: Mapping[str, int] = field(default_factory=dict)


class Links:
    """What is known so far of one application.

    Attributes:
        variables: the variables of its sessions and scripts.
    """

    def __init__(self) -> None:
        self.variables = Variables()
        self._by_rdd: Latest[int, Known] = Latest()
        self._by_ids: Latest[tuple[int | None, ...], Known] = Latest()

    def remember(self, known: Known, rdd: int | None = None) -> None:
        """Remember what is behind a frame: by its RDD, where that is known, and by the ids of its columns.

        The ids alone may mean two things (a frame and a filter of it have the same): the latest is meant.
        """
        if rdd is not None:
            self._by_rdd.keep(rdd, known)
        self._by_ids.keep(tuple(output.id for output in known.relation.outputs), known)

    def learn(self, leaves: Iterable[Plan]) -> None:
        """See which RDDs stand for known columns: where a frame is joined with itself, one copy has new ids."""
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


def _rdd_of(leaf: Plan) -> int | None:
    described = leaf.described("rdd")
    return None if described is None else described.rdd
