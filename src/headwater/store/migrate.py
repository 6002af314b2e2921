"""Versioned migrations: `migrations/0002.sql` and on, applied in order, in one transaction with the new number."""

from collections.abc import Callable

from headwater.store.dialects import migrations
from headwater.store.errors import StoreError
from headwater.store.session import Session
from headwater.store.thin import Thin

APPLICATION_ID = 0x48445754  # "HDWT": tells our files from other SQLite databases
NEWEST = max(migrations())
_THIN = 1


def too_new(place: str, version: int) -> StoreError:
    """The refusal of a store that a newer Headwater wrote."""
    return StoreError(
        f"The store {place} was written by a newer Headwater (store version {version}, this one knows {NEWEST}): "
        "upgrade Headwater."
    )


def migrate(session: Session, version: int, run_script: Callable[[str], object]) -> None:
    """Bring a store from its version to the newest."""
    thin = Thin.take_away(session) if version == _THIN else None
    for number, script in migrations().items():
        if number > version:
            run_script(script)
    if thin:
        thin.put_back(session)
