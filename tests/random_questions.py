"""Questions of all kinds, at random, about what a store has, so that nearly all of them have an answer."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from headwater.query import questions as asked
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Direction
from headwater.store.db.codes import Kind
from headwater.store.model.words import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.store import Store

_KINDS: list[type[asked.Question[Any]]] = [
    asked.Follow,
    asked.Provenance,
    asked.RootsOf,
    asked.ImpactOf,
    asked.DiffOf,
    asked.HistoryOf,
    asked.SearchFor,
    asked.DatasetOf,
    asked.VersionsOf,
    asked.JobOf,
    asked.RunsOf,
    asked.RunOf,
    asked.Datasets,
    asked.Jobs,
    asked.Events,
]
_OF_VERSIONS = (asked.Provenance, asked.DiffOf)
_PAGE = 40
_SELDOM = 0.03


@dataclass(frozen=True)
class Table:
    """A dataset: its full name, the paths of its columns, and the ids of its versions, the earliest first."""

    name: str
    columns: Sequence[str]
    versions: Sequence[str]


@dataclass(frozen=True)
class Known:
    """What a store has, by names and ids that every store has that holds the same."""

    tables: Sequence[Table]
    jobs: Sequence[str]
    runs: Sequence[str]
    namespaces: Sequence[str]
    words: Sequence[str]
    span: tuple[int, int]


def known_to(store: Store) -> Known:
    """What a store has."""
    with store.read() as session:
        rows = session.rows
        tables = []
        for key, namespace, name in rows("SELECT id, namespace, name FROM dataset"):
            paths = rows("SELECT path FROM field WHERE dataset = :key", key=key)
            versions = rows("SELECT stamp, uuid FROM version WHERE dataset = :key", key=key)
            ids = [_id(uuid) for _, uuid in sorted(versions)]
            tables.append(Table(f"{namespace}/{name}", sorted(path for (path,) in paths), ids))
        jobs = sorted(f"{namespace}/{name}" for namespace, name in rows("SELECT namespace, name FROM job"))
        runs = sorted(_id(uuid) for (uuid,) in rows("SELECT uuid FROM run WHERE first_us IS NOT NULL"))
        namespaces = sorted(name for (name,) in rows("SELECT DISTINCT namespace FROM dataset"))
        span = rows("SELECT min(us), max(us) FROM event")[0]
    names = [*jobs, *(table.name for table in tables), *(path for table in tables for path in table.columns)]
    words = sorted({word for name in names for word in words_of(name)})
    return Known(sorted(tables, key=lambda table: table.name), jobs, runs, namespaces, words, span)


def _id(uuid: bytes) -> str:
    return str(UUID(bytes=bytes(uuid)))


def questions_about(known: Known, count: int, seed: int = 1) -> list[asked.Question[Any]]:
    """So many questions, the same each time; a few ask for what is not there, or contradict themselves."""
    chance = random.Random(seed)  # noqa: S311  no secret
    found: list[asked.Question[Any]] = []
    while len(found) < count:
        kind = chance.choice(_KINDS)
        try:
            found.append(kind(**_Drawn(known, chance, kind).parts()))
        except BadQuestion:  # such as a column without a dataset: nothing that could be asked
            continue
    return found


class _Drawn:
    """The parts of a question about one dataset."""

    def __init__(self, known: Known, chance: random.Random, kind: type[asked.Question[Any]]) -> None:
        self._known = known
        self._chance = chance
        self._kind = kind
        enough = {
            **dict.fromkeys(_OF_VERSIONS, lambda table: table.versions),
        }
        self._table = chance.choice(list(filter(enough.get(kind), known.tables)))

    def parts(self) -> dict[str, Any]:
        """Some of the parts that questions of the kind have."""
        draws = self._draws()
        parts = {name: draws[name]() for name in asked.parts_of(self._kind) if name in draws}
        if self._kind is asked.Provenance:
            parts["version"] = self._chance.choice(self._table.versions)
        return parts if self._chance.random() < _SELDOM else self._agreeing(parts)

    def _draws(self) -> dict[str, Callable[[], Any]]:
        chance, known, table = self._chance, self._known, self._table
        return {
            "direction": lambda: chance.choice(list(Direction)),
            "dataset": lambda: self._nearly(table.name),
            "column": lambda: self._perhaps(0.7, [*table.columns, "*"]),
            "as_of": lambda: self._moment(0.3),
            "since": lambda: self._moment(0.4),
            "until": lambda: self._moment(0.4),
            "version": lambda: self._perhaps(0.1, table.versions),
            "versions": lambda: self._two_versions() if chance.random() < 0.5 else None,
            "contents": lambda: chance.random() < 0.2,
            "depth": lambda: self._perhaps(0.3, range(4)),
            "direct": lambda: chance.random() < 0.2,
            "namespaces": lambda: self._perhaps(0.2, [(name,) for name in known.namespaces]),
            "limit": lambda: chance.randint(1, _PAGE),
            "job": lambda: self._nearly(chance.choice(known.jobs)),
            "collapse": lambda: chance.random() < 0.2,
            "text": lambda: " ".join(self._nearly(chance.choice(known.words)) for _ in range(chance.randint(1, 2))),
            "kinds": lambda: self._perhaps(0.4, [(Kind.DATASET,), (Kind.FIELD, Kind.JOB)]),
            "run": lambda: chance.choice(known.runs),
        }

    def _agreeing(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Without what contradicts another part."""
        if self._kind is asked.Follow:
            parts["job" if self._chance.random() < 0.8 else "dataset"] = None
            if parts["dataset"] is None:
                parts |= {"column": None, "version": None}
            columns = parts["column"] is not None or parts["version"] is not None
            parts["collapse" if columns else "direct"] = False
            if parts["version"] is not None:
                parts |= {"as_of": None, "since": None, "until": None, "contents": False}
                parts["direction"] = Direction.UPSTREAM
        if self._kind is asked.DiffOf:
            if parts["versions"] is not None:
                parts |= {"since": None, "until": None, "direction": Direction.UPSTREAM}
            elif parts["since"] is None:
                parts["since"] = self._known.span[0]
        if parts.get("as_of") is not None or parts.get("contents"):
            parts |= {"since": None, "until": None}
        if parts.get("since") is not None and parts.get("until") is not None:
            parts["since"], parts["until"] = sorted((parts["since"], parts["until"]))
        return parts

    def _perhaps(self, share: float, values: Sequence[Any]) -> Any:  # noqa: ANN401  one of them
        return self._chance.choice(values) if values and self._chance.random() < share else None

    def _moment(self, share: float) -> int | None:
        return self._chance.randint(*self._known.span) if self._chance.random() < share else None

    def _two_versions(self) -> tuple[str, str]:
        first, second = sorted(self._chance.choices(range(len(self._table.versions)), k=2))
        return self._table.versions[first], self._table.versions[second]

    def _nearly(self, name: str) -> str:
        """A name; seldom with two letters of it swapped."""
        swapped = name[:-3] + name[-2:-1] + name[-3:-2] + name[-1:]
        return swapped if self._chance.random() < _SELDOM else name
