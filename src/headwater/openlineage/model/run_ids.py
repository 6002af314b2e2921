"""The UUID of a run, also where its id is another text: the one that Marquez derives."""

import re
from hashlib import md5

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)
_SHORT = re.compile(r"[0-9a-fA-F]{1,16}(?:-[0-9a-fA-F]{1,16}){4}", re.ASCII)
_UUID_LENGTH = 36
# How many hexadecimal digits of each part count.
_DIGITS = (8, 4, 4, 4, 12)
_MOST = 2**63


def run_uuid(text: str) -> str:
    """The UUID of the run with an id, in its canonical form: with dashes, in lower case.

    An id that is no UUID stands for the UUID that Java's `UUID.nameUUIDFromBytes` makes of it, as in Marquez. Like
    Java's `UUID.fromString`, it takes five short groups of digits for a UUID without its zeros.

    >>> run_uuid("01941F29-7C00-7000-8000-000000000000")
    '01941f29-7c00-7000-8000-000000000000'
    >>> run_uuid("run_id"), run_uuid("2026-1-31-6-30")
    ('0acf093b-3c88-3560-8dc6-22a33921d360', '00002026-0001-0031-0006-000000000030')
    """
    if _UUID.fullmatch(text):
        return text.lower()
    if len(text) <= _UUID_LENGTH and _SHORT.fullmatch(text):
        parts = [int(part, 16) for part in text.split("-")]
        if max(parts) < _MOST:
            return "-".join(f"{part:0{digits}x}"[-digits:] for part, digits in zip(parts, _DIGITS, strict=True))
    hashed = bytearray(md5(text.encode(errors="surrogatepass"), usedforsecurity=False).digest())
    hashed[6] = hashed[6] & 0x0F | 0x30  # version 3: of a name
    hashed[8] = hashed[8] & 0x3F | 0x80  # the variant of RFC 4122
    written = hashed.hex()
    return f"{written[:8]}-{written[8:12]}-{written[12:16]}-{written[16:20]}-{written[20:]}"


def run_bytes(text: str) -> bytes:
    """The UUID of the run with an id, as stores keep it.

    >>> run_bytes("run_id").hex()
    '0acf093b3c8835608dc622a33921d360'
    """
    return bytes.fromhex(run_uuid(text).replace("-", ""))
