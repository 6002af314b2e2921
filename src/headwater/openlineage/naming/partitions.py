"""Names without partitions: `orders/day=2024-05-01` is a part of the table `orders`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from openlineage.client.dataset.dataset import BUILTIN_TRIMMERS
from openlineage.client.dataset.trimmers import DatasetNameTrimmer

_TRIMMERS = {trimmer.__name__: trimmer() for trimmer in BUILTIN_TRIMMERS}


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
