"""What a step does to the masking of a value: it masks, and how; or it undoes what masked before.

Steps compose along a path, in one expression as well as from job to job:

>>> encrypted, decrypted = Masking.KEYED, Masking.UNMASKS
>>> then(encrypted, decrypted).masks, then(Masking.IRREVERSIBLE, decrypted).masks
(False, True)

A decryption undoes every keyed masking before it, whatever the keys; nothing undoes the other kinds. A function that
nobody can look into may undo a keyed masking: what comes out is possibly the value itself.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from functools import lru_cache


class Masking(IntFlag):
    """What a step, or a whole path, does to the masking of a value.

    UNKNOWN: it masks, and its producer does not say how. Like KEYED it may be undone.
    IRREVERSIBLE: a hash, a count: the value cannot be restored.
    PARTIAL: some of the value stays readable; the rest cannot be restored.
    KEYED: an encryption or the like: whoever has the key can restore the value.
    UNMASKS: it restores what a keyed masking hides.
    MAY_UNMASK: it may do so, as nobody can look into it.
    POSSIBLE: it masks, and then may unmask: the value itself may come out.
    """

    NONE = 0
    UNKNOWN = 1  # OpenLineage's `masking: true` alone
    IRREVERSIBLE = 2
    PARTIAL = 4
    KEYED = 8
    UNMASKS = 16
    MAY_UNMASK = 32
    POSSIBLE = 64

    # Every mark of a lineage is hashed, and Enum's own hash is Python code.
    __hash__ = int.__hash__

    @property
    def masks(self) -> bool:
        """Whether a value that comes in the clear goes out masked: OpenLineage's `masking`."""
        return int(self) & _MASKS != 0

    @property
    def words(self) -> str:
        """In words, as events and answers have it; empty for a step that leaves masking alone.

        >>> Masking.KEYED.words, (Masking.MAY_UNMASK | Masking.PARTIAL).words, Masking.NONE.words
        ('keyed', 'may-unmask partial', '')
        """
        return _words(int(self))

    @property
    def passage(self) -> Passage:
        """What becomes of the question whether a value is masked; what possibly unmasks counts as unmasking."""
        return _passage(int(self))


class Passage(IntEnum):
    """What a step does to the question whether a value is masked.

    AS_IT_IS: nothing. MASKS: it is masked from here on, until something unmasks it. UNMASKS: it is no longer masked,
    unless it is for good. FOR_GOOD: it is masked, and nothing undoes that.
    """

    AS_IT_IS = 0
    MASKS = 1
    UNMASKS = 2
    FOR_GOOD = 3


MASKS_CODE = int(Masking.UNKNOWN | Masking.IRREVERSIBLE | Masking.PARTIAL | Masking.KEYED)
"""The bits of which a step that masks has one."""
DECRYPTIONS = frozenset({
    "aes_decrypt", "decrypt", "decrypt_raw", "decryptbycert", "decryptbykey", "decryptbypassphrase", "des_decrypt",
    "pgp_pub_decrypt", "pgp_sym_decrypt", "try_aes_decrypt",
})  # fmt: skip
"""The functions that restore what was encrypted, in Spark and in other engines."""
_MASKS = MASKS_CODE
_UNDONE = int(Masking.UNKNOWN | Masking.KEYED)
_UNDOING = int(Masking.UNMASKS | Masking.MAY_UNMASK)
_WORDS = {
    Masking.UNMASKS: "unmask",
    Masking.MAY_UNMASK: "may-unmask",
    Masking.POSSIBLE: "possible",
    Masking.PARTIAL: "partial",
    Masking.KEYED: "keyed",
    Masking.UNKNOWN: "unknown",
    Masking.IRREVERSIBLE: "irreversible",
}
_READ = {word: flag for flag, word in _WORDS.items()}


@lru_cache(maxsize=4096)
def then(first: Masking, second: Masking) -> Masking:
    """One step after another, as one.

    >>> udf = Masking.MAY_UNMASK
    >>> then(Masking.KEYED, udf).words, then(udf, Masking.KEYED).words, then(Masking.IRREVERSIBLE, udf).words
    ('unmask possible', 'may-unmask keyed', 'irreversible')
    """
    if not first or not second:
        return first or second
    both = first | second
    if both & Masking.IRREVERSIBLE:
        return Masking.IRREVERSIBLE
    kept = both & (Masking.PARTIAL | Masking.POSSIBLE)
    undoing = first & _UNDOING or second & _UNDOING
    masks = second & _UNDONE
    if second & Masking.MAY_UNMASK and first & _UNDONE:
        kept |= Masking.POSSIBLE
    if not masks and not second & _UNDOING:
        masks = first & _UNDONE
    return _normal(kept | undoing | masks)


def _normal(masking: Masking) -> Masking:
    """One form for each effect."""
    if masking & Masking.KEYED:
        masking &= ~Masking.UNKNOWN
    if masking & Masking.POSSIBLE and masking & Masking.MAY_UNMASK:  # what may come out is said already
        masking = masking & ~Masking.MAY_UNMASK | Masking.UNMASKS
    if masking & _UNDONE:  # what was masked before is masked again
        masking &= ~Masking.UNMASKS
    return Masking(masking)


def _effects() -> tuple[Masking, ...]:
    """All that steps and paths can do: what the single steps compose to."""
    effects = {Masking(code) for code in (0, *Masking) if code != Masking.POSSIBLE}
    known = 0
    while known != len(effects):
        known = len(effects)
        effects |= {then(first, second) for first in effects for second in effects}
    return tuple(sorted(effects))


EFFECTS = _effects()
"""Everything that a step or a path can do to masking; there are few."""


def state_after(state: Masking, step: Masking) -> Masking:
    """How a value is masked after a step, from how it was before it; NONE is in the clear.

    >>> state_after(state_after(Masking.NONE, Masking.UNKNOWN), Masking.UNMASKS) == Masking.NONE
    True
    """
    after = then(state, step) & ~_UNDOING
    return Masking.KEYED | after & ~Masking.UNKNOWN if after & Masking.UNKNOWN else Masking(after)


def read_masking(words: object, *, masks: bool) -> Masking:
    """The effect of a step in an event: `masking`, and our own words for it, which other producers do not have.

    Whether it masks is what `masking` says; the words only add how.

    >>> read_masking("keyed", masks=True).words, read_masking(None, masks=True).words
    ('keyed', 'unknown')
    >>> read_masking("unmask", masks=False).words, read_masking("irreversible", masks=False).words
    ('unmask', '')
    """
    return _read(words[:_LONGEST] if isinstance(words, str) else "", masks)


_LONGEST = 100


# Each edge has one, and flags are composed in Python.
@lru_cache(maxsize=512)
def _read(words: str, masks: bool) -> Masking:  # noqa: FBT001  the key of a cache
    effect = Masking.NONE
    for word in words.split():
        effect |= _READ.get(word, Masking.NONE)
    effect = Masking.IRREVERSIBLE if effect & Masking.IRREVERSIBLE else _normal(effect)
    if not masks:
        return _normal(effect & ~_MASKS)
    return effect if effect.masks else _normal(effect | Masking.UNKNOWN)


@lru_cache(maxsize=256)
def _words(code: int) -> str:
    return " ".join(word for flag, word in _WORDS.items() if code & flag)


@lru_cache(maxsize=256)
def _passage(code: int) -> Passage:
    if code & (Masking.IRREVERSIBLE | Masking.PARTIAL):
        return Passage.FOR_GOOD
    if code & _UNDONE:
        return Passage.MASKS
    return Passage.UNMASKS if code & (_UNDOING | Masking.POSSIBLE) else Passage.AS_IT_IS
