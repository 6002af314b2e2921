"""UUIDs as text: the tables hold their 16 bytes."""


def uuid_text(value: bytes) -> str:
    """A UUID as people write it; `str(UUID(bytes=…))` takes several times as long.

    >>> uuid_text(bytes(16))
    '00000000-0000-0000-0000-000000000000'
    """
    written = bytes(value).hex()
    return f"{written[:8]}-{written[8:12]}-{written[12:16]}-{written[16:20]}-{written[20:]}"
