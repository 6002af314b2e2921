"""The schema of a store: one script, `schema.sql`, and the number that tells it from others."""

from headwater.store.errors import Unavailable

APPLICATION_ID = 0x48445754  # "HDWT": tells our files from other SQLite databases
VERSION = 6


def check_version(place: str, version: int) -> int:
    """The version of a store that can be used as it is: the current one, or 0 for a place that is still empty.

    Raises:
        Unavailable: another Headwater wrote it.

    >>> check_version("lineage.db", 0), check_version("lineage.db", VERSION)
    (0, 6)
    """
    if version > VERSION:
        raise Unavailable(
            f"The store {place} was written by a newer Headwater (store version {version}; this one reads"
            f" {VERSION}): upgrade Headwater."
        )
    if 0 < version < VERSION:
        raise Unavailable(
            f"The store {place} was written by an older Headwater (store version {version}; this one reads"
            f" {VERSION}): export its events with that Headwater, then ingest them into a new store."
        )
    return version
