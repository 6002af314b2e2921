"""Cursors: where a list goes on, as text that means nothing to anyone else."""

from headwater.query.errors import BadQuestion
from headwater.store.entities.raw_events import Place

_BITS = 63
_HASH_BYTES = 16


def read_hash(cursor: str | None) -> bytes:
    r"""The hash of a name after which a list by hashes goes on; all are after the empty one.

    >>> read_hash(None), read_hash("00" * 15 + "ff")[-2:]
    (b'', b'\x00\xff')
    """
    if cursor is None:
        return b""
    try:
        hashed = bytes.fromhex(cursor)
    except ValueError:
        raise _none() from None
    if len(hashed) != _HASH_BYTES:
        raise _none()
    return hashed


def read_place(cursor: str | None) -> Place | None:
    r"""The place after which a list by time goes on.

    >>> read_place("-5-00ff")
    Place(us=-5, hash=b'\x00\xff')
    """
    if cursor is None:
        return None
    us, _, hashed = cursor.rpartition("-")
    try:
        place = Place(int(us), bytes.fromhex(hashed))
    except ValueError:
        raise _none() from None
    if abs(place.us) >> _BITS:
        raise _none()
    return place


def written_place(place: Place | None) -> str | None:
    """The cursor of a place; None where the list ends."""
    return None if place is None else f"{place.us}-{place.hash.hex()}"


def _none() -> BadQuestion:
    return BadQuestion("cursor: does not belong to this list; use the cursor of its previous page")
