"""Questions of all kinds, at random, about the datasets of the random histories."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from hypothesis import reject
from hypothesis import strategies as st

from headwater.query import questions as asked
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Direction
from headwater.store.db.codes import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRIES = 20
_MINUTE = 60 * 10**6
_START = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z

_DATASETS = st.sampled_from(["in", "out", "other", "view", "alias", "lake/out", "t", "nothing like it"])
_COLUMNS = st.sampled_from(["a", "A", "b", "a.b", "x", "*", "c.d", "none"])
_TIMES = st.one_of(st.none(), st.integers(-1, 5).map(lambda minute: _START + minute * _MINUTE))
_NAMESPACES = st.sampled_from([None, ("lake",), ("lake", "jobs"), ()])
_VERSIONS = st.sampled_from(["1", "2", "3", "00000000-0000-0000-0000-000000000000"])
_PARTS: Mapping[str, st.SearchStrategy[Any]] = {
    "direction": st.sampled_from(Direction),
    "dataset": _DATASETS,
    "datasets": st.lists(st.sampled_from(["lake/out", "lake/in", "none", "a/b"]), max_size=3).map(tuple),
    "column": st.none() | _COLUMNS,
    "as_of": _TIMES,
    "since": _TIMES,
    "until": _TIMES,
    "version": _VERSIONS,
    "versions": st.none() | st.tuples(_VERSIONS, _VERSIONS),
    "contents": st.booleans(),
    "depth": st.none() | st.integers(0, 3),
    "direct": st.booleans(),
    "namespaces": _NAMESPACES,
    "limit": st.integers(1, 30),
    "job": st.sampled_from(["daily", "hourly", "jobs/stream", "dayly"]),
    "collapse": st.booleans(),
    "text": st.sampled_from(["out", "daily a", "pii", "ordered", "ohter", ""]),
    "field": st.sampled_from([None, None, "a", "x"]),
    "path": st.sampled_from([None, None, "c.d", "/c/d"]),
    "kinds": st.sampled_from([None, (Kind.DATASET,), (Kind.FIELD, Kind.JOB)]),
    "cursor": st.none(),
    "tag": st.sampled_from([None, None, "pii", "no tag"]),
    "run": st.sampled_from([str(uuid5(NAMESPACE_URL, name)) for name in ("one", "two", "no run")]),
}
_ALWAYS = {
    asked.Follow: {"direction"},
    asked.Provenance: {"dataset", "version"},
    asked.RootsOf: {"dataset"},
    asked.ImpactOf: {"dataset"},
    asked.PiiOf: set[str](),
    asked.DiffOf: {"dataset"},
    asked.HistoryOf: {"dataset"},
    asked.SearchFor: set[str](),
    asked.DatasetOf: {"dataset"},
    asked.OutlinesOf: {"datasets"},
    asked.OverviewOf: set[str](),
    asked.VersionsOf: {"dataset"},
    asked.JobOf: {"job"},
    asked.RunsOf: {"job"},
    asked.RunOf: {"run"},
    asked.Datasets: set[str](),
    asked.Jobs: set[str](),
    asked.Events: set[str](),
}


@st.composite
def questions(draw: st.DrawFn) -> asked.Question[Any]:
    """A question; its options may contradict each other, and its names may be those of nothing."""
    for _ in range(_TRIES):
        kind: Any = draw(st.sampled_from(list(_ALWAYS)))
        always = _ALWAYS[kind]
        parts = {
            name: draw(_PARTS[name])
            for name in asked.parts_of(kind)
            if name in always or (name == "dataset" and draw(st.integers(0, 5))) or not draw(st.integers(0, 3))
        }
        # One whose parts contradict each other must not take a list of others with it.
        with suppress(BadQuestion):
            made: asked.Question[Any] = kind(**parts)
            return made
    return reject()
