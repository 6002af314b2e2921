"""Words of names, tags and descriptions, and the trigrams in a word; pure. What is stored is split as a question is."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from headwater.store.model.short_names import last_part

LONGEST = 64
_MOST = 64
_ASCII = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_BITS = 21  # a character's code has at most so many


def words_of(text: str) -> list[str]:
    """The words of a text in their order, each once: in lower case and without accents.

    >>> words_of("lake.Fct_customerOrders2024")
    ['lake', 'fct', 'customer', 'orders', '2024']
    >>> words_of("HTTPServer café")
    ['http', 'server', 'cafe']
    """
    return list(dict.fromkeys(word.casefold()[:LONGEST] for word in _split(text)))


# Columns of many tables have the same names.
@lru_cache(maxsize=4096)
def words_of_name(name: str) -> tuple[str, ...]:
    """The words of a name, and its last part as one word; of a long name those at its end.

    >>> words_of_name("lake/customer_id")
    ('lake', 'customer', 'id', 'customerid')
    """
    words = words_of(name)[-_MOST:]
    if words:
        last = squeezed(name)
        return (*words, last) if last and last not in words else tuple(words)
    # A name of emoji or signs only: found by typing the same.
    signs = "".join(sign for sign in name if sign.isprintable() and not sign.isspace())
    return (signs[:LONGEST],) if signs else ()


def words_of_description(text: str) -> list[str]:
    """The first words of a longer text.

    >>> words_of_description("Net amount, in EUR")
    ['net', 'amount', 'in', 'eur']
    """
    return words_of(text[: _MOST * LONGEST])[:_MOST]


def squeezed(name: str) -> str:
    """The last part of a name as one word.

    >>> squeezed("lake.sales/Customer_ID"), squeezed("header.`order.no`")
    ('customerid', 'no')
    """
    return "".join(_split(last_part(name))).casefold()[:LONGEST]


def grams_of(word: str) -> list[int]:
    """The trigrams of a word, with two spaces before it and one after, each as one integer.

    >>> [gram_text(gram) for gram in grams_of("id")]
    ['  i', ' id', 'id ']
    """
    padded = f"  {word} "
    return list(dict.fromkeys(_packed(padded[at : at + 3]) for at in range(len(padded) - 2)))


def gram_text(gram: int) -> str:
    """The three characters of a trigram."""
    mask = (1 << _BITS) - 1
    return "".join(chr(gram >> shift & mask) for shift in (2 * _BITS, _BITS, 0))


def _packed(three: str) -> int:
    first, second, third = map(ord, three)
    return first << 2 * _BITS | second << _BITS | third


def _split(text: str) -> Iterator[str]:
    if text.isascii():
        return iter(_ASCII.findall(text))
    return _split_any("".join(sign for sign in unicodedata.normalize("NFKD", text) if not _is_mark(sign)))


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M")


def _split_any(text: str) -> Iterator[str]:
    """Split text in any script: where letters meet digits, and where a capital begins a word."""
    start = 0
    for at, sign in enumerate(text):
        if not sign.isalnum():
            if start < at:
                yield text[start:at]
            start = at + 1
        elif start < at and _is_border(text, at):
            yield text[start:at]
            start = at
    if start < len(text):
        yield text[start:]


def _is_border(text: str, at: int) -> bool:
    before, here = text[at - 1], text[at]
    if before.isdigit() != here.isdigit():
        return True
    following = text[at + 1 : at + 2]
    return here.isupper() and (before.islower() or (before.isupper() and following.islower()))
