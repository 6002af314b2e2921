"""Questions asked of a store in one line, for tests: `ask(store, UP, "orders", "total", depth=1)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from headwater.client.local import StoredLineage
from headwater.query.changes.diff import diff as diff_of
from headwater.query.lineage.ask import follow
from headwater.query.lineage.impact import impact as impact_of
from headwater.query.names import read_question
from headwater.query.question_parts import ALL_COLUMNS

if TYPE_CHECKING:
    from headwater.query.changes.diff import Diff
    from headwater.query.graph.answer import Answer, Direction, TableAnswer
    from headwater.query.lineage.impact import Impact
    from headwater.query.questions import DiffOf, Follow, ImpactOf
    from headwater.store import Store
    from headwater.store.db.session import Session


def ask(store: Store, direction: Direction, dataset: str, column: str | None = None, **options: object) -> Answer:
    """Where a column comes from, or what it reaches; without one, all columns of the dataset."""
    values = {"dataset": dataset, "column": column or ALL_COLUMNS, **options}
    return cast("Answer", StoredLineage(store).ask(read_question(direction.value, values)))


def columns(
    session: Session, direction: Direction, dataset: str, column: str | None = None, **options: object
) -> Answer:
    """The same, in a transaction that is open."""
    values = {"dataset": dataset, "column": column or ALL_COLUMNS, **options}
    return cast("Answer", follow(cast("Follow", read_question(direction.value, values)), session))


def tables(session: Session, direction: Direction, dataset: str | None = None, **options: object) -> TableAnswer:
    """Which datasets and jobs are behind a dataset or a job, or after it."""
    asked = cast("Follow", read_question(direction.value, {"dataset": dataset, **options}))
    return cast("TableAnswer", follow(asked, session))


def impact(session: Session, dataset: str, column: str | None = None, **options: object) -> Impact:
    """What a change of a column reaches."""
    asked = cast("ImpactOf", read_question("impact", {"dataset": dataset, "column": column, **options}))
    return impact_of(asked, session)


def diff(session: Session, dataset: str, column: str | None = None, **options: object) -> Diff:
    """What changed in the lineage of a column."""
    return diff_of(cast("DiffOf", read_question("diff", {"dataset": dataset, "column": column, **options})), session)
