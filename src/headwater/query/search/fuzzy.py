"""Search over datasets, columns and jobs: by words of names, tags and descriptions, also misspelt ones."""

from collections.abc import Collection
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
from headwater.store.reads.names import Table, names_by_id

KINDS = tuple(Kind)
_NAMED = 100
_NEAREST = 5
_LEAST_ALIKE = 0.5
_COMPARED = 100  # characters


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
    """
    terms = SearchTerms(session, text, kinds)
    best, more = _best(session, terms.matches(), terms.words)
    hits = [hit for hit in best if namespaces is None or hit.namespace in namespaces]
    partial = len(hits) > limit or more or terms.cut
    return SearchResult(text, tuple(hits[:limit]), partial)


def nearest(session: Session, text: str, kind: Kind) -> list[str]:
    """Full names of what may have been meant by a name that nothing has."""
    terms = SearchTerms(session, text, [kind])
    hits = _best(session, terms.matches(every=False), terms.words)[0][:_NAMED]
    alike = [(max(_alike(text, name) for name in _spellings(hit)), hit) for hit in hits]
    alike.sort(key=lambda pair: (-pair[0], *_rank(pair[1])))
    return [hit.full for ratio, hit in alike if ratio >= _LEAST_ALIKE][:_NEAREST]


def _best(session: Session, matches: dict[Thing, list[Match]], words: int) -> tuple[list[Hit], bool]:
    """The best of each kind, with all that are as good as the last one; and whether there are more.

    Of things that are equally good, names say which comes first.
    """
    scores = {thing: round(sum(match.worth for match in listed) / words, 4) for thing, listed in matches.items()}
    rows: list[tuple[Kind, int, str, str, str | None, str]] = []
    named = 0
    for kind in KINDS:
        of_kind = [thing for thing in scores if thing[0] is kind]
        least = min(nlargest(_NAMED, (scores[thing] for thing in of_kind)), default=0.0)
        keys = [key for _, key in of_kind if scores[kind, key] >= least]
        named += len(keys)
        if kind is Kind.FIELD:
            rows += [(kind, *row) for row in fields_by_id(session, keys)]
        else:
            table: Table = "dataset" if kind is Kind.DATASET else "job"
            rows += [(kind, key, *name, None, "") for key, name in names_by_id(session, table, keys).items()]
    hits = [
        Hit(kind, namespace, name, path, type_, scores[kind, key], tuple(dict.fromkeys(matches[kind, key])))
        for kind, key, namespace, name, path, type_ in rows
    ]
    return sorted(hits, key=_rank), named < len(matches)


def _rank(hit: Hit) -> tuple[float, int, str, int]:
    return -hit.score, len(hit.name if hit.field is None else hit.field), hit.full, int(hit.kind)


def _spellings(hit: Hit) -> set[str]:
    names = {hit.full, hit.name} if hit.field is None else {hit.full, hit.field}
    return {name.casefold() for name in names} | {squeezed(name) for name in names}


def _alike(text: str, name: str) -> float:
    # The work is the product of both lengths: of long names, the ends say most.
    return SequenceMatcher(None, text.casefold()[-_COMPARED:], name[-_COMPARED:], autojunk=False).ratio()
