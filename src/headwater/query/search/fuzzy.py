"""Search over datasets, columns and jobs: by words of names, tags and descriptions, also misspelt ones."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest
from typing import ClassVar

from headwater.notebook.rows import Tabular
from headwater.query.search.matching import Match, SearchTerms, Thing
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.model.words import squeezed
from headwater.store.reads.fields import fields_by_id
from headwater.store.reads.names import names_by_id

KINDS = tuple(Kind)
_NAMED = 100
_NEAREST = 5
_LEAST_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found; `matches` says why, `score` how well, up to 1."""

    kind: Kind
    namespace: str
    name: str
    field: str | None
    type: str
    score: float
    matches: tuple[Match, ...]

    @property
    def full(self) -> str:
        """The full name; of a column, that of its dataset and its path."""
        return f"{self.namespace}/{self.name}" + (f".{self.field}" if self.field is not None else "")

    def row(self) -> dict[str, object]:
        """As one flat row."""
        return {
            "kind": self.kind.name,
            "namespace": self.namespace,
            "name": self.name,
            "field": self.field,
            "type": self.type,
            "score": self.score,
            "matched": " ".join(dict.fromkeys(match.word for match in self.matches)),
            "in": " ".join(dict.fromkeys(match.what.name for match in self.matches)),
        }


@dataclass(frozen=True, slots=True)
class SearchResult(Tabular):
    """What a search found, the best first; `partial`: there may be more."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("kind", "namespace", "name", "field", "type", "score", "matched", "in")

    text: str
    hits: tuple[Hit, ...]
    partial: bool

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a hit."""
        return [hit.row() for hit in self.hits]


def search(
    session: Session,
    text: str,
    *,
    kinds: Collection[Kind] = KINDS,
    limit: int = 20,
    namespaces: Collection[str] | None = None,
) -> SearchResult:
    """Find datasets, columns and jobs.

    Every word of the text has to match a word of the name, the tags or the description, of a column also of its
    dataset: as it is, as its beginning, or in all but a few letters. Names count more than tags, tags more than
    descriptions; whole words more than beginnings, these more than misspelt ones; short names come first.

    A search reads a bounded number of rows: of a word that very many things have, the first ones by the
    store's own keys. Apart from that, stores that hold the same give the same answer.

    Args:
        session: a transaction on the store.
        text: words, or a name.
        kinds: what to look for.
        limit: how many to return at most.
        namespaces: only what is in one of these; None for all.
    """
    terms = SearchTerms(session, text, kinds)
    matched = terms.matches()
    scored = {thing: _score(matches, terms.words) for thing, matches in matched.items()}
    best = _first_of_each_kind(scored)
    hits = [hit for hit in _named(session, best, matched, scored) if namespaces is None or hit.namespace in namespaces]
    hits.sort(key=_rank)
    partial = len(hits) > limit or len(best) < len(matched) or terms.cut
    return SearchResult(text, tuple(hits[:limit]), partial)


def nearest(session: Session, text: str, kind: Kind) -> list[str]:
    """Full names of what may have been meant by a name that nothing has."""
    terms = SearchTerms(session, text, [kind])
    matched = terms.matches(every=False)
    scored = {thing: _score(matches, terms.words) for thing, matches in matched.items()}
    hits = sorted(_named(session, _first_of_each_kind(scored), matched, scored), key=_rank)[:_NAMED]
    alike = [(max(_alike(text, name) for name in _spellings(hit)), hit) for hit in hits]
    alike.sort(key=lambda pair: (-pair[0], *_rank(pair[1])))
    return [hit.full for ratio, hit in alike if ratio >= _LEAST_ALIKE][:_NEAREST]


def _score(matches: Sequence[Match], words: int) -> float:
    return round(sum(match.worth for match in matches) / words, 4)


def _first_of_each_kind(scored: dict[Thing, float]) -> list[Thing]:
    """The best things, to read their names, with all that are as good as the last one: names say which comes first."""
    best: list[Thing] = []
    for kind in KINDS:
        things = [thing for thing in scored if thing[0] is kind]
        least = min(nlargest(_NAMED, (scored[thing] for thing in things)), default=0.0)
        best += [thing for thing in things if scored[thing] >= least]
    return best


def _named(
    session: Session, things: Iterable[Thing], matches: dict[Thing, list[Match]], scored: dict[Thing, float]
) -> list[Hit]:
    keys: dict[Kind, list[int]] = {kind: [] for kind in KINDS}
    for kind, key in things:
        keys[kind].append(key)
    rows: list[tuple[Kind, int, str, str, str | None, str]] = [
        *(
            (Kind.DATASET, key, *name, None, "")
            for key, name in names_by_id(session, "dataset", keys[Kind.DATASET]).items()
        ),
        *((Kind.FIELD, *row) for row in fields_by_id(session, keys[Kind.FIELD])),
        *((Kind.JOB, key, *name, None, "") for key, name in names_by_id(session, "job", keys[Kind.JOB]).items()),
    ]
    return [
        Hit(kind, namespace, name, path, type_, scored[kind, key], tuple(dict.fromkeys(matches[kind, key])))
        for kind, key, namespace, name, path, type_ in rows
    ]


def _rank(hit: Hit) -> tuple[float, int, str, int]:
    return -hit.score, len(hit.name if hit.field is None else hit.field), hit.full, int(hit.kind)


def _spellings(hit: Hit) -> set[str]:
    names = {hit.full, hit.name} if hit.field is None else {hit.full, hit.field}
    return {name.casefold() for name in names} | {squeezed(name) for name in names}


def _alike(text: str, name: str) -> float:
    return SequenceMatcher(None, text.casefold(), name, autojunk=False).ratio()
