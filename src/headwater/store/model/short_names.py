"""The last part of a name, by which people call a dataset or a job."""

from hashlib import blake2b

_BOUNDARIES = "/.:`"


def last_part(name: str) -> str:
    """The last part of a name.

    >>> last_part("/lake/orders/"), last_part("shop.public.menus"), last_part("orders")
    ('orders', 'menus', 'orders')
    """
    whole = name.rstrip(_BOUNDARIES)
    return whole[max(map(whole.rfind, _BOUNDARIES)) + 1 :] or name


def tail_of(name: str) -> int:
    """A hash of the last part of a name, to look names up by, whatever their case.

    >>> tail_of("gold.Orders") == tail_of("/lake/orders/")
    True
    """
    return short_hash(last_part(name).casefold())


def short_hash(text: str) -> int:
    """A hash that fits into an integer of the database, for an index: what it finds is compared in full."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
