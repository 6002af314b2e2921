"""Names without partitions: `orders/day=2024-05-01` is a part of the table `orders`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from openlineage.client.dataset.dataset import BUILTIN_TRIMMERS
from openlineage.client.dataset.trimmers import DatasetNameTrimmer

_TRIMMERS = {trimmer.__name__: trimmer() for trimmer in BUILTIN_TRIMMERS}


# What Spark takes the values of partitions for; anything else is a string.
_TYPES = (
    ("integer", re.compile(r"-?\d{1,9}")),
    ("long", re.compile(r"-?\d{1,18}")),
    ("double", re.compile(r"-?\d+\.\d+")),
    ("date", re.compile(r"\d{4}-\d{2}-\d{2}")),
    ("timestamp", re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?")),
)


class Trimmed(NamedTuple):
    """A name, and the partitions that were cut off its end."""

    name: str
    partitions: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def trimmers(disabled: str = "") -> tuple[DatasetNameTrimmer, ...]:
    """All trimmers but the disabled ones: class names of the OpenLineage agent between semicolons.

    >>> [type(trimmer).__name__ for trimmer in trimmers("io.openlineage.client.dataset.partition.trimmer.DateTrimmer")]
    ['KeyValueTrimmer', 'MultiDirDateTrimmer', 'YearMonthTrimmer']
    """
    off = {name.strip().rpartition(".")[2] for name in disabled.split(";") if name.strip()}
    if unknown := off - _TRIMMERS.keys():
        raise ValueError(
            f"dataset.disabledTrimmers has unknown trimmers: {', '.join(sorted(unknown))}. The trimmers are"
            f" {', '.join(_TRIMMERS)}."
        )
    return tuple(trimmer for name, trimmer in _TRIMMERS.items() if name not in off)


def trimmed(name: str, by: Iterable[DatasetNameTrimmer] = tuple(_TRIMMERS.values())) -> Trimmed:
    """The name without the partitions at its end: `k=v`, dates, `yyyy/MM[/dd]`, `yyyyMM`, as many as there are.

    >>> trimmed("/lake/orders/country=de/2024/05/01")
    Trimmed(name='/lake/orders', partitions=('country=de', '2024', '05', '01'))
    >>> trimmed("/lake/orders")
    Trimmed(name='/lake/orders', partitions=())
    """
    shorter, before = name, ""
    while shorter != before:
        before = shorter
        for trimmer in by:
            shorter = trimmer.trim(shorter)
    if shorter == name:
        return Trimmed(name)
    return Trimmed(shorter.rstrip("/"), tuple(part for part in name[len(shorter) :].split("/") if part))


def partition_columns(partitions: Iterable[str]) -> dict[str, str]:
    """The columns in the names of folders, each with the type that Spark takes it for.

    >>> partition_columns(("country=de", "day=2024-05-01", "Order%20Id=7", "2024"))
    {'country': 'string', 'day': 'date', 'Order Id': 'integer'}
    """
    parts = [part.partition("=") for part in partitions]
    return {unquote(name): _type_of(unquote(value)) for name, equals, value in parts if name and equals}


def _type_of(value: str) -> str:
    return next((type_ for type_, values in _TYPES if values.fullmatch(value)), "string")
