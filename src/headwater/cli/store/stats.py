"""`headwater stats`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwater.cli.failures import plain_errors
from headwater.cli.options import STORE_DEFAULT, AnyStoreOption, OutputFormat, OutputOption
from headwater.cli.output import print_answer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.render.formats import Exportable


def stats(*, output: OutputOption = OutputFormat.TEXT, store: AnyStoreOption = STORE_DEFAULT) -> None:
    """Show what the store contains, its size, and the period it covers.

    Example: headwater stats

    Example: headwater stats --output json --store postgresql://lineage@db/lineage
    """
    # Here, not above: `--help` starts without it.
    from headwater.client.connect import connect  # noqa: PLC0415

    with plain_errors(), connect(store) as lineage:
        answer = lineage.stats()
    print_answer(output, answer, lambda: _draw(answer))


_AHEAD = ("events_ahead", "last_event_ahead")
_TIMES = ("first_event", "last_event", "last_event_ahead")


def _draw(answer: "Exportable") -> "Iterator[RenderableType]":
    from headwater.render.text.grid import grid  # noqa: PLC0415

    values = answer.to_dict()
    if not values["events_ahead"]:
        values = {key: value for key, value in values.items() if key not in _AHEAD}
    yield from grid(_lines(values), styles=("dim", "bold"))


def _lines(values: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Names, numbers and times as text; nested ones line by line."""
    from headwater.openlineage.model.instants import instant_us, time_text  # noqa: PLC0415
    from headwater.render.text.sizes import size  # noqa: PLC0415

    for key, value in values.items():
        name = _spaced(key)
        if isinstance(value, dict):
            yield from ((f"{name} {inner}", shown) for inner, shown in _lines(value))
        elif key in _TIMES and value is not None:
            yield name, time_text(instant_us(value, key))
        elif isinstance(value, bool) or not isinstance(value, int):
            yield name, "none" if value is None else str(value)
        else:
            yield name, size(value) if "bytes" in key.lower() else f"{value:,}"


def _spaced(key: str) -> str:
    """A key in words.

    >>> _spaced("firstEventTime"), _spaced("raw_bytes")
    ('first event time', 'raw bytes')
    """
    return "".join(f" {char.lower()}" if char.isupper() else char for char in key).replace("_", " ")
