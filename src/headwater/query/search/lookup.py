"""Looking words up: those of the store that a question may mean, and where they are used.

No statement reads more than so many rows for a trigram or a word, however common it is: the first ones, by key. A
bound is found before what it bounds is read: the LIMIT beside it, larger than any table, keeps a database from finding
it again for each row.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from headwater.query.search.spelling import How, agreement
from headwater.store.db.codes import NO_LIMIT, Kind, What
from headwater.store.db.session import Given, Session
from headwater.store.entities.search_terms import word_hash
from headwater.store.model.words import grams_of

_WORDS_OF_A_GRAM = 300
_GRAMS = 24
_COMPARED = 60
_MEANT = 10
_DEEP = 5000
_DEEP_FOUND = 100

_EXACT = "SELECT term.word, term.id FROM {given} {join} term ON term.hash = given.hash"
_ALIKE = """
WITH bound AS (
    SELECT given.place, given.gram, coalesce(
        (SELECT gram.term FROM gram WHERE gram.gram = given.gram ORDER BY gram.term LIMIT 1 OFFSET :words), :last
    ) AS last
    FROM {given}
    LIMIT :last
),
shared AS (
    SELECT bound.place, gram.term, count(*) AS grams
    FROM bound {join} gram ON gram.gram = bound.gram AND gram.term <= bound.last
    GROUP BY bound.place, gram.term
),
best AS (
    SELECT place, term, row_number() OVER (PARTITION BY place ORDER BY grams DESC, term) AS rank FROM shared
)
SELECT best.place, best.term, (SELECT term.word FROM term WHERE term.id = best.term) FROM best
WHERE best.rank <= :compared
"""
_USED = """
WITH bound AS (
    SELECT given.term, given.kind, coalesce(
        (
            SELECT term_use.entity FROM term_use WHERE term_use.term = given.term AND term_use.kind = given.kind
            ORDER BY term_use.entity LIMIT 1 OFFSET :uses
        ), :last
    ) AS last
    FROM {given}
    LIMIT :last
)
SELECT term_use.term, term_use.kind, term_use.entity, term_use.what
FROM bound
{join} term_use ON term_use.term = bound.term AND term_use.kind = bound.kind AND term_use.entity <= bound.last
"""
_USED_BY = """
SELECT term_use.term, term_use.kind, term_use.entity, term_use.what
FROM {given}
{join} term_use
    ON term_use.term = given.term AND term_use.kind = given.kind
    AND term_use.entity >= given.first AND term_use.entity <= given.last
"""
_BOTH = """
WITH bound AS (
    SELECT given.one, given.other, given.kind, coalesce(
        (
            SELECT term_use.entity FROM term_use WHERE term_use.term = given.one AND term_use.kind = given.kind
            ORDER BY term_use.entity LIMIT 1 OFFSET :deep
        ), :last
    ) AS last
    FROM {given}
    LIMIT :last
)
SELECT one.kind, one.entity
FROM bound
{join} term_use one ON one.term = bound.one AND one.kind = bound.kind AND one.entity <= bound.last
WHERE (
    SELECT count(*) FROM term_use other
    WHERE other.term = bound.other AND other.kind = bound.kind AND other.entity = one.entity
) > 0
ORDER BY one.kind, one.entity
LIMIT :found
"""


@dataclass(frozen=True, slots=True)
class Meant:
    """A word of the store that a question may mean, and what that is worth."""

    term: int
    word: str
    how: How
    worth: float


class Use(NamedTuple):
    """A word, and where it stands."""

    term: int
    kind: Kind
    entity: int
    what: What


def meant_by(session: Session, words: Sequence[str]) -> list[list[Meant]]:
    """For each word of a question, the words of the store that agree with it, the best first."""
    exact: dict[str, int] = dict(session.rows(_EXACT, Given("hash bytes", [(word_hash(word),) for word in words])))
    found: list[dict[str, int]] = [{word: exact[word]} if word in exact else {} for word in words]
    grams = [(place, gram) for place, word in enumerate(words) for gram in grams_of(word)[:_GRAMS]]
    given = Given("place int, gram int", grams)
    for place, term, word in session.rows(_ALIKE, given, words=_WORDS_OF_A_GRAM, compared=_COMPARED, last=NO_LIMIT):
        found[place][word] = term
    return [_best(word, alike) for word, alike in zip(words, found, strict=True)]


def _best(asked: str, alike: dict[str, int]) -> list[Meant]:
    agreeing = [
        Meant(term, word, *agreed) for word, term in alike.items() if (agreed := agreement(asked, word)) is not None
    ]
    agreeing.sort(key=lambda meant: (-meant.worth, meant.word))
    return agreeing[:_MEANT]


def first_uses(
    session: Session, wanted: Collection[tuple[int, Kind]], most: int
) -> tuple[list[Use], set[tuple[int, Kind]]]:
    """The first uses of words by things of a kind; and which of them have more uses."""
    if not wanted:
        return [], set()
    given = Given("term int, kind int", [(term, int(kind)) for term, kind in sorted(wanted)])
    uses = _uses(session.rows(_USED, given, uses=most, last=NO_LIMIT))
    counted = Counter((use.term, use.kind) for use in uses)
    return uses, {key for key, count in counted.items() if count > most}


def uses_by(session: Session, spans: Sequence[tuple[int, int, int, int]]) -> list[Use]:
    """The uses of words by certain things: term, kind, and the first and the last key."""
    return _uses(session.rows(_USED_BY, Given("term int, kind int, first int, last int", spans))) if spans else []


def used_together(session: Session, pairs: Sequence[tuple[int, int, int]]) -> list[tuple[Kind, int]]:
    """Things of a kind that two common words belong to."""
    if not pairs:
        return []
    given = Given("one int, other int, kind int", pairs)
    rows = session.rows(_BOTH, given, deep=_DEEP, last=NO_LIMIT, found=_DEEP_FOUND)
    return [(Kind(kind), entity) for kind, entity in rows]


def _uses(rows: Iterable[tuple[int, int, int, int]]) -> list[Use]:
    kinds, whats = list(Kind), list(What)
    return [Use(term, kinds[kind], entity, whats[what]) for term, kind, entity, what in rows]
