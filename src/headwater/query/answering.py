"""From questions to answers, in one transaction on a store."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar, cast

from headwater.fields.errors import BadUrn
from headwater.fields.paths import path_to_find
from headwater.query.catalog.details import describe_dataset, describe_job
from headwater.query.catalog.listing import list_events, list_names
from headwater.query.catalog.outlines import outlines
from headwater.query.catalog.overview import overview
from headwater.query.catalog.runs import describe_run, list_runs, list_versions
from headwater.query.changes.diff import diff
from headwater.query.changes.history import history
from headwater.query.errors import BadQuestion
from headwater.query.lineage.ask import follow, follow_version
from headwater.query.lineage.impact import impact
from headwater.query.privacy.pii import pii
from headwater.query.questions import (
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
from headwater.query.search.exact import Criteria, search_exactly
from headwater.query.search.fuzzy import KINDS, SearchResult, search
from headwater.store import Store
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session

T = TypeVar("T")


def answer(question: Question[T], store: Store, session: Session) -> T:
    """The answer to a question, as the session sees the store.

    Raises:
        UnknownName: nothing has a name that was asked for; carries the nearest.
        AmbiguousName: several have it; carries them.
        BadQuestion: it names something that cannot be looked for.
        StoreError: the store cannot be read.
    """
    # How large it is on its disk, the store alone knows.
    if isinstance(question, StatsOf):
        return cast("T", store.stats_in(session))
    return cast("T", _ANSWERS[type(question)](question, session))


def _search(asked: SearchFor, session: Session) -> SearchResult:
    kinds = KINDS if asked.kinds is None else asked.kinds
    if not asked.exact:
        return search(session, asked.text, kinds=kinds, limit=asked.limit, namespaces=asked.namespaces)
    try:
        path = None if asked.path is None else path_to_find(asked.path)
    except BadUrn as error:
        raise BadQuestion(str(error), "path") from None
    criteria = Criteria(asked.field, path, asked.tag)
    return search_exactly(session, criteria, kinds=kinds, limit=asked.limit, namespaces=asked.namespaces)


_ANSWERS: Mapping[type[Question[Any]], Callable[[Any, Session], Any]] = MappingProxyType(
    {
        Follow: follow,
        Provenance: follow_version,
        ImpactOf: impact,
        PiiOf: pii,
        DiffOf: diff,
        SearchFor: _search,
        HistoryOf: lambda asked, session: history(session, asked.dataset, asked.column),
        DatasetOf: lambda asked, session: describe_dataset(session, asked.dataset),
        OutlinesOf: lambda asked, session: outlines(session, asked.datasets),
        VersionsOf: lambda asked, session: list_versions(
            session, asked.dataset, limit=asked.limit, cursor=asked.cursor
        ),
        JobOf: lambda asked, session: describe_job(session, asked.job),
        RunsOf: lambda asked, session: list_runs(session, asked.job, limit=asked.limit, cursor=asked.cursor),
        RunOf: lambda asked, session: describe_run(session, asked.run),
        Datasets: lambda asked, session: list_names(
            session, Kind.DATASET, namespaces=asked.namespaces, limit=asked.limit, cursor=asked.cursor
        ),
        Jobs: lambda asked, session: list_names(
            session, Kind.JOB, namespaces=asked.namespaces, limit=asked.limit, cursor=asked.cursor
        ),
        Events: lambda asked, session: list_events(
            session, since=asked.since, until=asked.until, limit=asked.limit, cursor=asked.cursor
        ),
        OverviewOf: lambda asked, session: overview(session, limit=asked.limit),
    }
)
