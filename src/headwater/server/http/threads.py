"""Work in threads, which lets go of what it held when it fails."""

from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread
from anyio import CapacityLimiter

T = TypeVar("T")


async def in_thread(function: Callable[[], T], limiter: CapacityLimiter | None = None) -> T:
    """Call a function in a thread.

    An error that crosses over in the ordinary way refers to the frames that it passed, one of which refers to the
    error. Such a circle lives on until Python looks for circles, and with it all that the frames hold: a body of many
    megabytes, for each request that is refused. So no frame here has the error in a variable once it is done.
    """
    results, error = await anyio.to_thread.run_sync(_outcome, function, limiter=limiter)
    if error is None:
        return results[0]
    try:
        raise error
    finally:
        del error


def _outcome(function: Callable[[], T]) -> tuple[list[T], Exception | None]:
    """What a function returns, or raises."""
    try:
        return [function()], None
    except Exception as error:  # noqa: BLE001 (it is raised again)
        return [], error
