"""Sources as the command line names them; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from headwater.common.redaction.text import redact
from headwater.lake.failures import PipelineError


class SourceKind(str, Enum):
    """Kinds of sources."""

    FILES = "files"
    INPUT = "input"
    PARQUET = "parquet"
    DELTA = "delta"
    ICEBERG = "iceberg"
    KAFKA = "kafka"
    STORE = "store"


_PREFIXES: Mapping[str, SourceKind] = {
    "parquet:": SourceKind.PARQUET,
    "delta:": SourceKind.DELTA,
    "iceberg:": SourceKind.ICEBERG,
    "kafka:": SourceKind.KAFKA,
}
_NEEDING = (SourceKind.DELTA, SourceKind.ICEBERG, SourceKind.KAFKA)
_STORES = ("sqlite:", "postgresql://", "postgres://")


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its kind, and its path, table, topic or URL."""

    kind: SourceKind
    place: str

    @property
    def is_path(self) -> bool:
        """Whether a table is named by the path of its files.

        >>> Source(SourceKind.DELTA, "s3a://lake/events").is_path, Source(SourceKind.DELTA, "lake.events").is_path
        (True, False)
        """
        return "/" in self.place


def source_of(name: str) -> Source:
    """Read a source's name.

    >>> source_of("events/2026")
    Source(kind=<SourceKind.FILES: 'files'>, place='events/2026')
    >>> source_of("kafka:lineage").kind
    <SourceKind.KAFKA: 'kafka'>

    Raises:
        PipelineError: the name is not one of a source.
    """
    if name == "-":
        return Source(SourceKind.INPUT, name)
    if name.startswith(_STORES):
        return Source(SourceKind.STORE, name)
    for prefix, kind in _PREFIXES.items():
        if name.startswith(prefix):
            place = name.removeprefix(prefix)
            if not place:
                raise PipelineError(f"The source {name!r} is incomplete: add a path, table or topic after the colon.")
            return Source(kind, place)
    if not name or "\0" in name:
        raise PipelineError(f"The source {name!r} has no file name: write a path, or one of {', '.join(_PREFIXES)}.")
    if name.startswith(("http://", "https://")):
        raise PipelineError(f"The source {name} is a web address, which Spark cannot read: download it first.")
    return Source(SourceKind.FILES, name)


def needs_of(names: Sequence[str], lake_format: str | None = None) -> list[str]:
    """The kinds of tables and topics that need a Spark package.

    >>> needs_of(["events/", "kafka:lineage"], "delta")
    ['delta', 'kafka']
    """
    kinds = {source_of(name).kind for name in names}
    return sorted({kind.value for kind in _NEEDING if kind in kinds or kind.value == lake_format})


def shown(names: Sequence[str]) -> list[str]:
    """The sources without passwords, for logs and notes."""
    return [redact(name) for name in names]
