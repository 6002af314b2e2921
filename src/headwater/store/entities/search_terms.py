"""What search finds things by: the words of names, tags and descriptions, written with what they belong to."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

from headwater.store.db.codes import Kind, What
from headwater.store.db.session import Given, Session
from headwater.store.model.meaning import DERIVED
from headwater.store.model.words import grams_of, words_of_description, words_of_name

__all__ = (
    "Entry",
    "Kind",
    "What",
    "add_terms",
    "description_entry",
    "field_entry",
    "name_entry",
    "note_entries",
    "word_hash",
)

Entry: TypeAlias = tuple[int, int, int, str]

# Notes whose words are looked for, and as what.
_NOTES = {"tags": What.TAG, "documentation": What.DESCRIPTION}
_IDS = "SELECT term.hash, term.id FROM {given} {join} term ON term.hash = given.hash"


def name_entry(kind: Kind, key: int, namespace: str, name: str) -> Entry:
    """What finds a dataset or a job by its name."""
    return kind, key, What.NAME, f"{namespace}/{name}"


def field_entry(key: int, path: str) -> Entry:
    """What finds a field by its path."""
    return Kind.FIELD, key, What.NAME, path


def description_entry(key: int, text: str) -> Entry:
    """What finds a field by the words about it."""
    return Kind.FIELD, key, What.DESCRIPTION, text


def note_entries(kind: Kind, entity: int, name: str, content: str) -> Iterator[Entry]:
    """What finds a dataset or a job by a note: the canonical JSON of a facet.

    >>> list(note_entries(Kind.JOB, 7, "documentation", '{"_producer":"x","description":"all orders"}'))
    [(<Kind.JOB: 2>, 7, <What.DESCRIPTION: 2>, 'all orders')]
    """
    if name in _NOTES and content:
        facet = json.loads(content)
        listed = facet.get(name) if isinstance(facet, dict) else None
        # Tag by tag: of one long text only the last words are kept.
        for item in listed if isinstance(listed, list) else [facet]:
            yield kind, entity, _NOTES[name], " ".join(_texts(item))
    elif name == DERIVED and content:
        # The ways that brought the tags are no words for them.
        tags = [[tag.get("key"), tag.get("value")] for tag in json.loads(content).get("tags") or ()]
        yield kind, entity, What.TAG, " ".join(_texts(tags))


def _texts(value: object) -> Iterator[str]:
    """The texts of a note: what a person wrote, without the facet's own addresses."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not key.startswith("_"):
                yield from _texts(item)


def add_terms(session: Session, entries: Iterable[Entry], known: Mapping[str, int] | None = None) -> dict[str, int]:
    """Make things findable by words; what is there already stays as it is.

    Args:
        session: the transaction in which the things themselves are written.
        entries: what it is (`Kind`), its key, where the text stands (`What`), and the text.
        known: keys of words that an earlier transaction left in the store.

    Returns:
        The keys of the other words, to be known from now on, if this transaction is committed: a word of one that
        was undone has no key.
    """
    uses = {
        (word, kind, entity, what)
        for kind, entity, what, text in entries
        for word in (words_of_description(text) if what == What.DESCRIPTION else words_of_name(text))
    }
    known = known or {}
    learned = _keys_of(session, {word for word, *_ in uses} - known.keys())
    rows = sorted(
        (learned[word] if word in learned else known[word], kind, entity, what) for word, kind, entity, what in uses
    )
    session.insert("term_use", "term, kind, entity, what", rows, conflict="DO NOTHING")
    return learned


def word_hash(word: str) -> bytes:
    """The hash that a word is found by."""
    return blake2b(word.encode(), digest_size=16).digest()


def _keys_of(session: Session, words: Iterable[str]) -> dict[str, int]:
    """The keys of words, made where they are missing."""
    by_hash = {word_hash(word): word for word in words}
    if not by_hash:
        return {}
    terms = _read(session, list(by_hash))
    # Every writer adds in this order, so two that add the same words wait for each other and never in a circle.
    # Short words first: search reads the first so many words of a trigram, and short ones are what is meant more often.
    missing = sorted((by_hash[key], key) for key in by_hash.keys() - terms.keys())
    missing.sort(key=lambda pair: len(pair[0]))
    if missing:
        session.add_missing("term", "hash, word", [(key, word) for word, key in missing])
        added = _read(session, [key for _, key in missing])
        grams = sorted((gram, added[key]) for word, key in missing for gram in grams_of(word))
        session.insert("gram", "gram, term", grams, conflict="DO NOTHING")
        terms |= added
    return {by_hash[key]: term for key, term in terms.items()}


def _read(session: Session, hashes: Sequence[bytes]) -> dict[bytes, int]:
    return {bytes(key): term for key, term in session.rows(_IDS, Given("hash bytes", [(key,) for key in hashes]))}
