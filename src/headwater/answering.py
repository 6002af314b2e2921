"""From questions to answers, in one transaction on a store."""

from collections.abc import Collection
from functools import singledispatch
from typing import Any, TypeVar, cast

from headwater.bad_question import BadQuestion
from headwater.graph.answer import Answer, Direction, TableAnswer
from headwater.graph.ask import columns, tables
from headwater.graph.described import DatasetDetails, JobDetails, describe_dataset, describe_job
from headwater.graph.diff import Diff, diff
from headwater.graph.exact_search import Wanted, search_exactly
from headwater.graph.history import History, history
from headwater.graph.impact import Impact, impact
from headwater.graph.listing import EventsPage, NamesPage, list_events, list_names
from headwater.graph.outlines import Outlines, outlines
from headwater.graph.overview import Overview, overview
from headwater.graph.search import KINDS, SearchResult, search
from headwater.graph.traverse import LIMIT
from headwater.graph.written import RunDetails, RunsPage, VersionsPage, describe_run, list_runs, list_versions
from headwater.question_parts import ALL_COLUMNS
from headwater.questions import (
    DatasetOf,
    Datasets,
    DiffOf,
    Events,
    Follow,
    HistoryOf,
    ImpactOf,
    JobOf,
    Jobs,
    OutlinesOf,
    OverviewOf,
    PiiOf,
    Provenance,
    Question,
    RunOf,
    RunsOf,
    SearchFor,
    StatsOf,
    VersionsOf,
)
from headwater.store import Store
from headwater.store.session import Session
from headwater.store.terms import Kind
from headwater.travel.pii import Pii, pii

T = TypeVar("T")


def answer(question: Question[T], store: Store, session: Session) -> T:
    """The answer to a question, as the session sees the store.

    Raises:
        UnknownName: nothing has a name that was asked for; carries the nearest.
        AmbiguousName: several have it; carries them.
        BadQuestion: options that contradict each other.
        StoreError: the store cannot be read.
    """
    # How large it is on its disk, the store alone knows.
    return cast("T", store.stats_in(session) if isinstance(question, StatsOf) else _answer(question, session))


@singledispatch
def _answer(question: Question[Any], session: Session) -> Any:  # noqa: ANN401  by the kind of question
    del session
    raise TypeError(f"{type(question).__name__} is no question")


@_answer.register
def _follow(asked: Follow, session: Session) -> Answer | TableAnswer:
    if asked.dataset is not None and asked.of_columns:
        return columns(
            session,
            asked.direction,
            asked.dataset,
            _column(asked.column),
            as_of=asked.as_of,
            since=asked.since,
            until=asked.until,
            contents=asked.contents,
            version=asked.version,
            direct=asked.direct,
            **_narrowed(asked),
        )
    return tables(
        session,
        asked.direction,
        asked.dataset,
        job=asked.job,
        as_of=asked.as_of,
        since=asked.since,
        until=asked.until,
        contents=asked.contents,
        collapse=asked.collapse,
        **_narrowed(asked),
    )


@_answer.register
def _provenance(asked: Provenance, session: Session) -> Answer:
    column = _column(asked.column)
    return columns(
        session,
        Direction.UPSTREAM,
        asked.dataset,
        column,
        version=asked.version,
        direct=asked.direct,
        **_narrowed(asked),
    )


@_answer.register
def _impact(asked: ImpactOf, session: Session) -> Impact:
    return impact(
        session,
        asked.dataset,
        _column(asked.column),
        as_of=asked.as_of,
        since=asked.since,
        until=asked.until,
        direct=asked.direct,
        **_narrowed(asked),
    )


@_answer.register
def _pii(asked: PiiOf, session: Session) -> Pii:
    return pii(
        session,
        asked.dataset,
        asked.column,
        tag=asked.tag,
        as_of=asked.as_of,
        since=asked.since,
        until=asked.until,
        direct=asked.direct,
        **_narrowed(asked),
    )


@_answer.register
def _diff(asked: DiffOf, session: Session) -> Diff:
    return diff(
        session,
        asked.dataset,
        _column(asked.column),
        since=asked.since,
        until=asked.until,
        versions=asked.versions,
        direction=asked.direction,
        direct=asked.direct,
        **_narrowed(asked),
    )


@_answer.register
def _history(asked: HistoryOf, session: Session) -> History:
    return history(session, asked.dataset, asked.column)


@_answer.register
def _search(asked: SearchFor, session: Session) -> SearchResult:
    kinds = KINDS if asked.kinds is None else asked.kinds
    if asked.exact:
        return _search_exactly(asked, session, kinds)
    return search(session, asked.text, kinds=kinds, limit=asked.limit, namespaces=asked.namespaces)


def _search_exactly(asked: SearchFor, session: Session, kinds: Collection[Kind]) -> SearchResult:
    from headwater.datahub.errors import BadUrn  # noqa: PLC0415  few ask for paths of DataHub's
    from headwater.datahub.field_paths import path_to_find  # noqa: PLC0415

    try:
        path = None if asked.path is None else path_to_find(asked.path)
    except BadUrn as error:
        raise BadQuestion(str(error)) from None
    wanted = Wanted(asked.field, path, asked.tag)
    return search_exactly(session, wanted, kinds=kinds, limit=asked.limit, namespaces=asked.namespaces)


@_answer.register
def _dataset(asked: DatasetOf, session: Session) -> DatasetDetails:
    return describe_dataset(session, asked.dataset)


@_answer.register
def _outlines(asked: OutlinesOf, session: Session) -> Outlines:
    return outlines(session, asked.datasets)


@_answer.register
def _versions(asked: VersionsOf, session: Session) -> VersionsPage:
    return list_versions(session, asked.dataset, limit=asked.limit, cursor=asked.cursor)


@_answer.register
def _job(asked: JobOf, session: Session) -> JobDetails:
    return describe_job(session, asked.job)


@_answer.register
def _runs(asked: RunsOf, session: Session) -> RunsPage:
    return list_runs(session, asked.job, limit=asked.limit, cursor=asked.cursor)


@_answer.register
def _run(asked: RunOf, session: Session) -> RunDetails:
    return describe_run(session, asked.run)


@_answer.register
def _datasets(asked: Datasets, session: Session) -> NamesPage:
    return list_names(session, "dataset", namespaces=asked.namespaces, limit=asked.limit, cursor=asked.cursor)


@_answer.register
def _jobs(asked: Jobs, session: Session) -> NamesPage:
    return list_names(session, "job", namespaces=asked.namespaces, limit=asked.limit, cursor=asked.cursor)


@_answer.register
def _events(asked: Events, session: Session) -> EventsPage:
    return list_events(session, since=asked.since, until=asked.until, limit=asked.limit, cursor=asked.cursor)


@_answer.register
def _overview(asked: OverviewOf, session: Session) -> Overview:
    return overview(session, limit=asked.limit)


def _column(column: str | None) -> str | None:
    return None if column == ALL_COLUMNS else column


def _narrowed(asked: Follow | Provenance | ImpactOf | PiiOf | DiffOf) -> dict[str, Any]:
    """How far to go: what all questions about lineage share."""
    limit = LIMIT if asked.limit is None else asked.limit
    return {"depth": asked.depth, "namespaces": asked.namespaces, "limit": limit}
