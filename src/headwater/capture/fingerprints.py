"""Fingerprints of lineage: writes that take the same columns in the same ways have the same one, texts apart."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from headwater.rules.plan.sources import Sources
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.statements import Written

_BYTES = 16


def fingerprint(written: Written, name: Callable[[Dataset], object]) -> bytes:
    """The fingerprint of a write's columns and edges; of those up to the views that it reads, where it reads any.

    Args:
        written: the write.
        name: returns what stands for a dataset.
    """
    shown = written.by_views or written

    def edges(sources: Sources) -> list[tuple[str, ...]]:
        return sorted(
            (str(name(source.dataset)), source.field, *way)
            for source, marks in sources.items()
            for way in {(mark.how.name, str(mark.masking)) for mark in marks}
        )

    content = [
        [field.name for field in written.schema],
        *((path, edges(sources)) for path, sources in sorted((shown.fields or {}).items())),
        edges(shown.rows),
        *(
            (path or "", sorted({str(name(dataset)) for dataset in datasets}))
            for path, datasets in sorted(shown.counted.items(), key=lambda item: item[0] or "")
        ),
    ]
    return blake2b(repr(content).encode(), digest_size=_BYTES).digest()
