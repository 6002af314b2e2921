"""Looking words up: those of the store that a question may mean, and where they are used."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from headwater.query.search.spelling import How, agreement
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.entities.search_terms import word_hash
from headwater.store.model.words import grams_of
from headwater.store.reads import terms
from headwater.store.reads.terms import Use

_WORDS_OF_A_GRAM = 300
_GRAMS = 24
_COMPARED = 60
_MEANT = 10
_DEEP = 5000
_DEEP_FOUND = 100


@dataclass(frozen=True, slots=True)
class Meant:
    """A word of the store that a question may mean, and what that is worth."""

    term: int
    word: str
    how: How
    worth: float


def meant_by(session: Session, words: Sequence[str]) -> list[list[Meant]]:
    """For each word of a question, the words of the store that agree with it, the best first."""
    exact = terms.terms_by_hash(session, map(word_hash, words))
    candidates: list[dict[str, int]] = [{word: exact[word]} if word in exact else {} for word in words]
    grams = [(place, gram) for place, word in enumerate(words) for gram in grams_of(word)[:_GRAMS]]
    for place, term, word in terms.words_alike(session, grams, per_gram=_WORDS_OF_A_GRAM, most=_COMPARED):
        candidates[place][word] = term
    return [_best(word, alike) for word, alike in zip(words, candidates, strict=True)]


def _best(asked: str, alike: dict[str, int]) -> list[Meant]:
    agreeing = [
        Meant(term, word, *agreed) for word, term in alike.items() if (agreed := agreement(asked, word)) is not None
    ]
    agreeing.sort(key=lambda meant: (-meant.worth, meant.word))
    return agreeing[:_MEANT]


def first_uses(
    session: Session, words: Collection[tuple[int, Kind]], most: int
) -> tuple[list[Use], set[tuple[int, Kind]]]:
    """The first uses of words by things of a kind; and which of them have more uses."""
    uses = terms.first_uses(session, words, most)
    counted = Counter((use.term, use.kind) for use in uses)
    return uses, {key for key, count in counted.items() if count > most}


def used_together(session: Session, pairs: Sequence[tuple[int, int, int]]) -> list[tuple[Kind, int]]:
    """Things of a kind that two common words belong to."""
    return terms.entities_of_both(session, pairs, deep=_DEEP, most=_DEEP_FOUND)
