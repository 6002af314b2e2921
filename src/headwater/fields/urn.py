"""DataHub's URNs: `urn:li:<kind>:<part>` and `urn:li:<kind>:(<part>,…)`, parsed, checked, written.

Parts stay as they are written: DataHub escapes `,` `(` `)` and U+241F and nothing else, not even the percent sign, so a
part that is unescaped and escaped again may differ (`a%2Cb` may be either).

>>> str(Urn.parse("urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD)").parts[0])
'urn:li:dataPlatform:kafka'
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias
from urllib.parse import quote, unquote

from headwater.common.json_text import UNSTORABLE
from headwater.fields.errors import BadUrn

_PREFIX = "urn:li:"
RESERVED = re.compile("[,()␟]")
"""Characters that must be escaped in a part."""
ESCAPED = re.compile("%2C|%28|%29|%E2%90%9F", re.IGNORECASE)
"""Their escapes."""
_BRACKETS = re.compile("[,()]")
_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_SHOWN = 200
LONGEST = 30_000
"""Characters of a URN: a dataset and a field have room in it, however they are escaped."""
_USUAL = 1_000

# The parts of each known kind: the kind of URN that a part must be, ANY for a URN of any kind, or TEXT.
TEXT, ANY = "text", "any"
_SHAPES: Mapping[str, tuple[str, ...]] = {
    "chart": (TEXT, TEXT),
    "container": (TEXT,),
    "corpGroup": (TEXT,),
    "corpuser": (TEXT,),
    "dashboard": (TEXT, TEXT),
    "dataFlow": (TEXT, TEXT, TEXT),
    "dataJob": ("dataFlow", TEXT),
    "dataPlatform": (TEXT,),
    "dataPlatformInstance": ("dataPlatform", TEXT),
    "dataProcessInstance": (TEXT,),
    "dataset": ("dataPlatform", TEXT, TEXT),
    "datasetField": ("dataset", TEXT),
    "domain": (TEXT,),
    "glossaryTerm": (TEXT,),
    "notebook": (TEXT, TEXT),
    "query": (TEXT,),
    "schemaField": (ANY, TEXT),
    "tag": (TEXT,),
}


@dataclass(frozen=True, slots=True)
class Urn:
    """A URN: its kind and its parts, texts as they are written (escaped) and URNs."""

    kind: str
    parts: tuple["str | Urn", ...]

    @classmethod
    def parse(cls, text: str, kind: str | None = None) -> "Urn":
        """Parse a URN; it must be of `kind`, if given.

        >>> Urn.parse("urn:li:tag:pii")
        Urn(kind='tag', parts=('pii',))
        >>> Urn.parse("tag:pii")
        Traceback (most recent call last):
        headwater.fields.errors.BadUrn: tag:pii is not a valid URN: 'tag:pii' does not begin with urn:li:.

        Raises:
            BadUrn: it is not a URN, or of another kind.
        """
        if len(text) > LONGEST:
            raise BadUrn(f"{_shown(text)} has {len(text):,} characters: a URN has at most {LONGEST:,}.")
        urn = _whole(text) if len(text) <= _USUAL else _parsed(text, text)
        if kind is not None and urn.kind != kind:
            raise BadUrn(f"{_shown(text)} is the URN of a {urn.kind}: use one that begins with urn:li:{kind}:.")
        return urn

    def __str__(self) -> str:
        if len(self.parts) == 1 and self.kind not in _ALWAYS_TUPLES and isinstance(self.parts[0], str):
            return f"{_PREFIX}{self.kind}:{self.parts[0]}"
        return f"{_PREFIX}{self.kind}:({','.join(map(str, self.parts))})"

    def text(self, index: int) -> str:
        """A part without escapes.

        >>> Urn.parse("urn:li:corpuser:a%2Cb").text(0)
        'a,b'
        """
        return unescape(str(self.parts[index]))

    def urn(self, index: int) -> "Urn":
        """A part that is a URN.

        Raises:
            BadUrn: it is not one.
        """
        part = self.parts[index]
        return part if isinstance(part, Urn) else Urn.parse(part)


AnyUrn: TypeAlias = Urn | str

_ALWAYS_TUPLES = frozenset(kind for kind, shape in _SHAPES.items() if len(shape) > 1)


def escape(text: str) -> str:
    """Percent-escape the characters that have a meaning in URNs.

    >>> escape("count(1)")
    'count%281%29'
    """
    return RESERVED.sub(lambda match: quote(match[0]), text) if RESERVED.search(text) else text


def unescape(text: str) -> str:
    """Undo `escape`; other percent signs stay.

    >>> unescape("count%281%29 50% %41")
    'count(1) 50% %41'
    """
    return ESCAPED.sub(lambda match: unquote(match[0]), text) if "%" in text else text


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


# The same text comes many times: as an entity, in lineage, and in the URNs of fields.
@lru_cache(maxsize=20_000)
def _whole(text: str) -> Urn:
    if UNSTORABLE.search(text):
        raise BadUrn(f"{_shown(text)!r} is not a valid URN: it contains a NUL character or an unpaired surrogate.")
    return _parsed(text, text)


def _parsed(text: str, whole: str, depth: int = 0) -> Urn:
    def bad(why: str) -> BadUrn:
        return BadUrn(f"{_shown(whole)} is not a valid URN: {why}.")

    if not text.startswith(_PREFIX):
        raise bad(f"{_shown(text)!r} does not begin with urn:li:")
    kind, colon, rest = text[len(_PREFIX) :].partition(":")
    if not colon or not rest or not _KIND.fullmatch(kind):
        raise bad("it must be urn:li:<kind>:<part> or urn:li:<kind>:(<part>,<part>)")
    if depth > 4:  # noqa: PLR2004  a field of a dataset of a platform is two deep
        raise bad("it nests too many URNs")
    texts = _split(rest, bad) if rest.startswith("(") and rest.endswith(")") else [rest]
    if not all(texts):
        raise bad("it has an empty part")
    shape = _SHAPES.get(kind)
    if shape is not None and len(shape) != len(texts):
        raise bad(f"a {kind} has {len(shape)} parts, not {len(texts)}")
    expected = shape or (None,) * len(texts)
    return Urn(kind, tuple(_part(*each, whole, depth, bad) for each in zip(texts, expected, strict=True)))


def _part(part: str, expected: str | None, whole: str, depth: int, bad: Callable[[str], BadUrn]) -> str | Urn:
    reserved = RESERVED.search(part)
    if expected == TEXT or (expected is None and not reserved):
        if reserved:
            raise bad(f"write , ( ) and U+241F in {_shown(part)!r} as %2C %28 %29 %E2%90%9F")
        return part
    inner = _parsed(part, whole, depth + 1)
    if expected not in {None, ANY, inner.kind}:
        raise bad(f"{_shown(part)!r} must be the URN of a {expected}")
    return inner


def _split(rest: str, bad: Callable[[str], BadUrn]) -> list[str]:
    """The parts between the outermost brackets."""
    parts, depth, start = [], 0, 1
    for match in _BRACKETS.finditer(rest):
        at, char = match.start(), match[0]
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0 and at != len(rest) - 1:
                raise bad("its brackets do not match")
        elif depth == 1:
            parts.append(rest[start:at])
            start = at + 1
    if depth != 0:
        raise bad("its brackets do not match")
    return [*parts, rest[start:-1]]
