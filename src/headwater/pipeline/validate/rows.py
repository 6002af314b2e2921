"""The rows that validation writes: good events, their bodies, bad events, and counts of what was read.

All of them go into one table, in one pass over the input; the column `what` tells them apart.
"""

from typing import Final

from headwater.lake.tables import columns_of

EVENT: Final = "event"
BODY: Final = "body"
BAD: Final = "bad"
BLOCK: Final = "block"

LANDED: Final = "raw binary, source string, block bigint, at bigint"
"""A landed line: its bytes; the file, topic or table; where in the file its block begins; and the offset of a message
in its topic (null where that does not apply)."""

# Of a block: its bytes and lines under `offset` and `line`; how many events were read there, and how many were bad.
COLUMNS: Final = {
    EVENT: columns_of(
        "hash binary, us bigint, kind smallint, type smallint, run binary, stamp binary, body_hash binary, rest binary,"
        " parent binary, parent_job_namespace string, parent_job_name string,"
        " versions array<struct<role:smallint,namespace:string,name:string,version:string>>"
    ),
    BODY: columns_of("hash binary, meaning binary, content binary"),
    BAD: columns_of(
        "source string, block bigint, offset bigint, line bigint, field string, reason string, bytes binary"
    ),
    BLOCK: columns_of("source string, block bigint, offset bigint, line bigint, read bigint, bad bigint"),
}


def schema() -> str:
    """All columns, as Spark SQL writes them.

    >>> schema()[:30]
    'what string, hash binary, us b'
    """
    every = dict(column for columns in COLUMNS.values() for column in columns)
    return ", ".join(f"{name} {kind}" for name, kind in (("what", "string"), *every.items()))
