"""Asking a store about columns and tables, by name."""

from collections.abc import Collection

from headwater.bad_question import BadQuestion
from headwater.graph.answer import Answer, Direction, TableAnswer
from headwater.graph.moments import moment_of
from headwater.graph.names import resolve_column, resolve_dataset, resolve_job
from headwater.graph.provenance import provenance
from headwater.graph.tables import follow_tables
from headwater.graph.traverse import LIMIT, Question, traverse
from headwater.graph.versions import find_version
from headwater.store import Store
from headwater.store.session import Session


def columns(  # noqa: PLR0913  the parts of a question
    session: Session,
    direction: Direction,
    dataset: str,
    column: str | None = None,
    *,
    as_of: int | None = None,
    since: int | None = None,
    until: int | None = None,
    contents: bool = False,
    version: str | None = None,
    depth: int | None = None,
    direct: bool = False,
    namespaces: Collection[str] | None = None,
    limit: int = LIMIT,
) -> Answer:
    """Where a column comes from, or what it reaches.

    Args:
        session: the store to ask.
        direction: UPSTREAM or DOWNSTREAM.
        dataset: `namespace/name`, or any end of the name that no other dataset has.
        column: the column's path; upper and lower case matter only where two columns differ in nothing else. None for
            all columns of the dataset.
        as_of: the moment to look at, in microseconds UTC; None for now.
        since: the start of a window: what was in force at any moment in it counts.
        until: the end of the window; None for now.
        contents: what the datasets hold at the moment was made by more than the last writes: count all since the last
            that replaced the whole dataset.
        version: the version whose provenance is asked for: its UUID, what a version facet calls it, or the UUID of the
            run that wrote it.
        depth: how many edges to follow at most; None for all.
        direct: leave out what only decides on rows or conditions (INDIRECT).
        namespaces: enter datasets of these namespaces only.
        limit: how many nodes to return at most; the nearest come first.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
        BadQuestion: options that contradict each other.
    """
    moment = moment_of(as_of, since, until, contents=contents)
    question = Question(
        direction, moment, contents, depth, direct, None if namespaces is None else frozenset(namespaces), limit
    )
    found = resolve_dataset(session, dataset, moment.until)
    if version is None:
        field = None if column is None else resolve_column(session, found, column, moment.until)
        return traverse(session, found.id, field, question)
    if direction is not Direction.UPSTREAM:
        raise BadQuestion("a version has a provenance, upstream; what it reaches is asked with as_of")
    if contents or (as_of, since, until) != (None, None, None):
        raise BadQuestion("a version has its own time: give no other")
    chosen = find_version(session, found, version)
    field = None if column is None else resolve_column(session, found, column, chosen.us)
    return provenance(session, found, chosen, field, question)


def tables(  # noqa: PLR0913  the parts of a question
    session: Session,
    direction: Direction,
    dataset: str | None = None,
    *,
    job: str | None = None,
    as_of: int | None = None,
    since: int | None = None,
    until: int | None = None,
    contents: bool = False,
    depth: int | None = None,
    namespaces: Collection[str] | None = None,
    limit: int = LIMIT,
    collapse: bool = False,
) -> TableAnswer:
    """Which datasets and jobs are behind a dataset or a job, or after it.

    Args:
        session: the store to ask.
        direction: UPSTREAM or DOWNSTREAM.
        dataset: `namespace/name`, or any end of the name that no other dataset has.
        job: a job's name instead, in the same forms.
        as_of: the moment to look at, in microseconds UTC; None for now.
        since: the start of a window: what was in force at any moment in it counts.
        until: the end of the window; None for now.
        contents: count all writes since the last that replaced the whole dataset.
        depth: how many edges to follow at most, each from a dataset to a job or from a job to a dataset; None for all.
        namespaces: enter datasets of these namespaces only.
        limit: how many nodes to return at most; the nearest come first.
        collapse: show the executions of an application as that application.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
        BadQuestion: options that contradict each other.
    """
    moment = moment_of(as_of, since, until, contents=contents)
    question = Question(
        direction,
        moment,
        contents,
        depth,
        namespaces=None if namespaces is None else frozenset(namespaces),
        limit=limit,
    )
    if dataset is not None and job is None:
        return follow_tables(session, resolve_dataset(session, dataset, moment.until), question, collapse=collapse)
    if job is not None and dataset is None:
        return follow_tables(session, resolve_job(session, job), question, collapse=collapse)
    raise BadQuestion("give a dataset or a job to start from")


def ask(  # noqa: PLR0913  the parts of a question
    store: Store,
    direction: Direction,
    dataset: str,
    column: str | None = None,
    *,
    as_of: int | None = None,
    since: int | None = None,
    until: int | None = None,
    contents: bool = False,
    version: str | None = None,
    depth: int | None = None,
    direct: bool = False,
    namespaces: Collection[str] | None = None,
    limit: int = LIMIT,
) -> Answer:
    """Ask a store about a column, or all columns of a dataset: `columns` in a transaction of its own.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
        BadQuestion: options that contradict each other.
        StoreError: the store cannot be read.
    """
    with store.read() as session:
        return columns(
            session,
            direction,
            dataset,
            column,
            as_of=as_of,
            since=since,
            until=until,
            contents=contents,
            version=version,
            depth=depth,
            direct=direct,
            namespaces=namespaces,
            limit=limit,
        )
