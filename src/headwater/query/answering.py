"""From questions to answers, in one transaction on a store."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar, cast

from headwater.fields.errors import BadUrn
from headwater.fields.paths import path_to_find
from headwater.query import questions as ask
from headwater.query.catalog.details import describe_dataset, describe_job
from headwater.query.catalog.listing import list_events, list_names
from headwater.query.catalog.outlines import outlines
from headwater.query.catalog.overview import overview
from headwater.query.catalog.runs import describe_run, list_runs, list_versions
from headwater.query.changes.diff import diff
from headwater.query.changes.history import history
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Answer, FieldName, Moment, TableName
from headwater.query.lineage.ask import follow, follow_version
from headwater.query.lineage.impact import impact
from headwater.query.lineage.roots import roots
from headwater.query.moments import lies_ahead
from headwater.query.privacy.pii import pii
from headwater.query.questions import Question, SearchFor, StatsOf, parts_of
from headwater.query.search.exact import Criteria, search_exactly
from headwater.query.search.fuzzy import KINDS, SearchResult, search
from headwater.query.search.resolve import UnknownName, readings
from headwater.store import Store
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.events import first_ahead

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
    find = _ANSWERS[type(question)]
    try:
        return cast("T", _with_times_ahead(session, find(question, session)))
    except UnknownName as unknown:
        reason = unknown
        for reading in _readings(question):
            try:
                return cast("T", _with_times_ahead(session, find(reading, session)))
            except UnknownName as error:  # noqa: PERF203  the next reading may fit
                reason = error if error.of_column and not reason.of_column else reason
        raise reason from None


def _with_times_ahead(session: Session, found: T) -> T:
    """An answer that says of its moments whether they lie ahead, and which events do that are about the same thing."""
    own: Any = found
    parts = {item.name: getattr(own, item.name) for item in fields(own)}
    names = {part.table if isinstance(part, FieldName) else part for part in parts.values() if _is_name(part)}
    moments = {name: part for name, part in parts.items() if isinstance(part, Moment)}
    changed: dict[str, Any] = {
        name: replace(part, ahead=True)
        for name, part in moments.items()
        if lies_ahead(part.until) or lies_ahead(part.since)
    }
    about_now = [name for name, part in moments.items() if part.until is None and part.version is None]
    if (
        about_now
        and (next_us := first_ahead(session, [(name.namespace, name.name) for name in sorted(names)])) is not None
    ):
        changed |= {name: replace(changed.get(name, moments[name]), next_us=next_us) for name in about_now}
    # The walk behind an answer is about the same moment.
    changed |= {name: replace(part, **changed) for name, part in parts.items() if changed and isinstance(part, Answer)}
    return cast("T", replace(own, **changed)) if changed else found


def _is_name(part: object) -> bool:
    return isinstance(part, FieldName | TableName)


def _readings(question: Question[T]) -> Iterator[Question[T]]:
    """A question about a dataset with the column in its name, `gold.orders.total`, as one about that column."""
    asked: Any = question
    if not {"dataset", "column"} <= parts_of(type(question)).keys() or asked.dataset is None or asked.column:
        return
    for dataset, column in readings(asked.dataset):
        try:
            yield replace(asked, dataset=dataset, column=column)
        except BadQuestion:  # noqa: PERF203  an option of datasets alone
            return


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


def _by_parts(function: Callable[..., Any]) -> Callable[[Question[Any], Session], Any]:
    """An answer by a function that takes the parts of a question under their names."""
    return lambda asked, session: function(session, **{part: getattr(asked, part) for part in parts_of(type(asked))})


_ANSWERS: Mapping[type[Question[Any]], Callable[[Any, Session], Any]] = MappingProxyType(
    {
        ask.Follow: follow,
        ask.Provenance: follow_version,
        ask.RootsOf: roots,
        ask.ImpactOf: impact,
        ask.PiiOf: pii,
        ask.DiffOf: diff,
        ask.SearchFor: _search,
        ask.HistoryOf: _by_parts(history),
        ask.DatasetOf: _by_parts(describe_dataset),
        ask.OutlinesOf: _by_parts(outlines),
        ask.VersionsOf: _by_parts(list_versions),
        ask.JobOf: _by_parts(describe_job),
        ask.RunsOf: _by_parts(list_runs),
        ask.RunOf: _by_parts(describe_run),
        ask.Datasets: _by_parts(partial(list_names, kind=Kind.DATASET)),
        ask.Jobs: _by_parts(partial(list_names, kind=Kind.JOB)),
        ask.Events: _by_parts(list_events),
        ask.OverviewOf: _by_parts(overview),
    }
)
