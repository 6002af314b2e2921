"""Words that search knows, and where they are used.

No statement reads more than so many rows for a trigram or a word, however common it is: the first ones, by key. A
bound is found before what it bounds is read: the LIMIT beside it, larger than any table, keeps a database from finding
it again for each row.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from headwater.store.db.codes import NO_LIMIT, Kind, What
from headwater.store.db.session import Given, Row, Session

_BY_HASH = "SELECT term.word, term.id FROM {given} {join} term ON term.hash = given.hash"
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
_FIRST_USES = """
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
_USES_BETWEEN = """
SELECT term_use.term, term_use.kind, term_use.entity, term_use.what
FROM {given}
{join} term_use
    ON term_use.term = given.term AND term_use.kind = given.kind
    AND term_use.entity >= given.first AND term_use.entity <= given.last
"""
_OF_BOTH = """
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
_ENTITIES = """
SELECT term_use.entity FROM term JOIN term_use ON term_use.term = term.id
WHERE term.hash = :hash AND term_use.kind = :kind AND term_use.what = :what ORDER BY term_use.entity LIMIT :most
"""


class Use(NamedTuple):
    """A word, and where it stands."""

    term: int
    kind: Kind
    entity: int
    what: What


def terms_by_hash(session: Session, hashes: Iterable[bytes]) -> dict[str, int]:
    """Words by their hashes, with their keys."""
    return dict(session.rows(_BY_HASH, Given("hash bytes", [(key,) for key in hashes])))


def words_alike(
    session: Session, grams: Sequence[tuple[int, int]], *, per_gram: int, most: int
) -> list[tuple[int, int, str]]:
    """The words that share most trigrams (place, gram) with each place: place, term and word.

    Args:
        session: the store.
        grams: the trigrams of each place.
        per_gram: how many words to read for a trigram.
        most: how many words to return for a place.
    """
    given = Given("place int, gram int", grams)
    return session.rows(_ALIKE, given, words=per_gram, compared=most, last=NO_LIMIT)


def first_uses(session: Session, terms: Iterable[tuple[int, Kind]], most: int) -> list[Use]:
    """The first uses of words by things of a kind, and one more where there are more."""
    given = Given("term int, kind int", [(term, int(kind)) for term, kind in sorted(terms)])
    return _uses(session.rows(_FIRST_USES, given, uses=most, last=NO_LIMIT))


def uses_between(session: Session, ranges: Sequence[tuple[int, int, int, int]]) -> list[Use]:
    """The uses of words by things in ranges: term, kind, and the first and the last key."""
    return _uses(session.rows(_USES_BETWEEN, Given("term int, kind int, first int, last int", ranges)))


def entities_of_both(
    session: Session, pairs: Sequence[tuple[int, int, int]], *, deep: int, most: int
) -> list[tuple[Kind, int]]:
    """Things that two words (one, other, kind) belong to; of the first word, no more than `deep` uses are read."""
    given = Given("one int, other int, kind int", pairs)
    rows = session.rows(_OF_BOTH, given, deep=deep, last=NO_LIMIT, found=most)
    return [(Kind(kind), entity) for kind, entity in rows]


def entities_of_word(session: Session, word_hash: bytes, kind: Kind, what: What, most: int) -> list[int]:
    """The first things of a kind that a word belongs to."""
    rows = session.rows(_ENTITIES, hash=word_hash, kind=int(kind), what=int(what), most=most)
    return [entity for (entity,) in rows]


def _uses(rows: Iterable[Row]) -> list[Use]:
    kinds, whats = list(Kind), list(What)
    return [Use(term, kinds[kind], entity, whats[what]) for term, kind, entity, what in rows]
