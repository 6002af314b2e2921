"""Cursors: where a list goes on, as text that means nothing to anyone else."""

from headwater.bad_question import BadQuestion
from headwater.store.raw import Place

_BITS = 63


def read_key(cursor: str | None) -> int:
    """The key after which a list by keys goes on.

    >>> read_key(None), read_key("12")
    (0, 12)
    """
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 19 and int(cursor)):  # noqa: PLR2004  64 bits
        raise _none()
    return int(cursor)


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
    return BadQuestion("cursor: is none of this list")
