"""Headwater: column-level lineage for Spark.

>>> import headwater
>>> tracker = headwater.track(spark)  # doctest: +SKIP
>>> lineage = headwater.connect("headwater.db")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater._version import __version__

if TYPE_CHECKING:
    from headwater.capture.explain import lineage
    from headwater.capture.tracker import Tracker, track
    from headwater.client.connect import connect

__all__ = ["Tracker", "__version__", "connect", "lineage", "track"]


def __getattr__(name: str) -> object:
    """Load what a caller asks for only then: the command line and the store need nothing of Spark."""
    if name in {"Tracker", "track"}:
        from headwater.capture import tracker  # noqa: PLC0415

        return getattr(tracker, name)
    if name == "connect":
        from headwater.client.connect import connect  # noqa: PLC0415

        return connect
    if name == "lineage":
        from headwater.capture.explain import lineage  # noqa: PLC0415

        return lineage
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """What there is, loaded or not."""
    return sorted({*globals(), *__all__})
