"""Questions and answers by name, as they go between a client and a server.

>>> asked = ask.Follow(direction=Direction.UPSTREAM, dataset="orders", depth=2, as_of=0)
>>> name_of(asked), written(asked)
('upstream', {'dataset': 'orders', 'as_of': '1970-01-01T00:00:00.000000Z', 'depth': 2})
>>> read_question("upstream", {"dataset": "orders", "as_of": "1970-01-01T00:00:00Z", "depth": 2}) == asked
True
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from types import MappingProxyType
from typing import Any

from headwater.common.codec import NotUnderstood, json_text, plain, typed, word_of
from headwater.openlineage.model.instants import instant_text
from headwater.query import questions as ask
from headwater.query.catalog.details import DatasetDetails, JobDetails
from headwater.query.catalog.listing import EventsPage, NamesPage
from headwater.query.catalog.outlines import Outlines
from headwater.query.catalog.overview import Overview
from headwater.query.catalog.runs import RunDetails, RunsPage, VersionsPage
from headwater.query.changes.diff import Diff
from headwater.query.changes.history import History
from headwater.query.graph.answer import Answer, Direction, TableAnswer
from headwater.query.lineage.impact import Impact
from headwater.query.lineage.roots import Roots
from headwater.query.privacy.pii import Pii
from headwater.query.questions import Question, parts_of
from headwater.query.search.fuzzy import SearchResult
from headwater.store import Stats

_UP = MappingProxyType({"direction": Direction.UPSTREAM})
_DOWN = MappingProxyType({"direction": Direction.DOWNSTREAM})


@dataclass(frozen=True, slots=True)
class Named:
    """A question that has a name: its class, what the name says already, and what answers it."""

    question: type[Question[Any]]
    answers: tuple[type, ...]
    said: Mapping[str, Any] = field(default_factory=dict)


QUESTIONS: Mapping[str, Named] = MappingProxyType(
    {
        "upstream": Named(ask.Follow, (Answer, TableAnswer), _UP),
        "downstream": Named(ask.Follow, (Answer, TableAnswer), _DOWN),
        "provenance": Named(ask.Provenance, (Answer,)),
        "roots": Named(ask.RootsOf, (Roots,)),
        "impact": Named(ask.ImpactOf, (Impact,)),
        "pii": Named(ask.PiiOf, (Pii,)),
        "diff": Named(ask.DiffOf, (Diff,)),
        "history": Named(ask.HistoryOf, (History,)),
        "search": Named(ask.SearchFor, (SearchResult,)),
        "dataset": Named(ask.DatasetOf, (DatasetDetails,)),
        "outlines": Named(ask.OutlinesOf, (Outlines,)),
        "versions": Named(ask.VersionsOf, (VersionsPage,)),
        "job": Named(ask.JobOf, (JobDetails,)),
        "runs": Named(ask.RunsOf, (RunsPage,)),
        "run": Named(ask.RunOf, (RunDetails,)),
        "datasets": Named(ask.Datasets, (NamesPage,)),
        "jobs": Named(ask.Jobs, (NamesPage,)),
        "events": Named(ask.Events, (EventsPage,)),
        "stats": Named(ask.StatsOf, (Stats,)),
        "overview": Named(ask.OverviewOf, (Overview,)),
    }
)
NO_ROOM = "NoRoom"
"""Of many questions in one request: the answers before fill the response, and this one is to be asked again."""

_ANSWERS: Mapping[str, type] = {kind.__name__: kind for named in QUESTIONS.values() for kind in named.answers}


def name_of(question: Question[Any]) -> str:
    """The name of a question."""
    for name, named in QUESTIONS.items():
        if type(question) is named.question and all(
            getattr(question, part) == said for part, said in named.said.items()
        ):
            return name
    raise TypeError(f"{type(question).__name__} has no name")


def written(question: Question[Any]) -> dict[str, Any]:
    """The parts of a question that its name does not say, as plain JSON; those that are as always are left out."""
    known = QUESTIONS[name_of(question)].said
    parts = parts_of(type(question))
    chosen = {}
    defaults = {item.name: item.default for item in fields(question)}
    for name, part in parts.items():
        value = getattr(question, name)
        if name not in known and value != defaults[name]:
            chosen[name] = instant_text(value) if part.is_time else _written(value)
    return chosen


def _written(value: Any) -> Any:  # noqa: ANN401  a part of a question
    if isinstance(value, tuple):
        return [_written(item) for item in value]
    return word_of(value).lower() if isinstance(value, Enum) else value


def read_question(name: str, values: Mapping[str, Any]) -> Question[Any]:
    """The question of a name, from its parts as people may write them.

    Raises:
        BadQuestion: the parts make none.
    """
    named = QUESTIONS[name]
    parts = parts_of(named.question)
    read = {
        part: known.read(value, part) if (known := parts.get(part)) and known.read else value
        for part, value in values.items()
    }
    return named.question(**named.said, **read)


def write_answer(answer: object) -> dict[str, Any]:
    """An answer as plain JSON, with the name of its type."""
    return {"kind": type(answer).__name__, "answer": plain(answer)}


def answer_text(answer: object) -> str:
    """The same as the text of the JSON, compact and in ASCII."""
    return f'{{"kind":"{type(answer).__name__}","answer":{json_text(answer)}}}'


def read_answer(document: Mapping[str, Any]) -> Any:  # noqa: ANN401  by its kind
    """The answer that plain JSON stands for.

    Raises:
        NotUnderstood: it stands for none.
    """
    kind = _ANSWERS.get(str(document.get("kind")))
    if kind is None:
        raise NotUnderstood(f"{document.get('kind')!r} is not a kind of answer")
    return typed(kind, document.get("answer"))
