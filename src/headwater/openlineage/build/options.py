"""The user's options for events: which are sent, and what they contain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from headwater.common.redaction.text import redact

_F = TypeVar("_F")


class RunName(NamedTuple):
    """The job and the id of a run."""

    namespace: str
    name: str
    run_id: str


class Tag(NamedTuple):
    """A tag of a job or a run."""

    key: str
    value: str = "true"
    source: str = "CONFIG"


class Owner(NamedTuple):
    """An owner of a job, and the type of ownership."""

    type: str
    name: str


@dataclass(frozen=True)
class EventOptions:
    """The options.

    Attributes:
        nested: whether lineage goes down to nested fields, or stops at top-level columns.
        dataset_lineage: list the columns that decide about rows once for the dataset, not on each column.
        descriptions: whether transformations carry the expression as text.
        schema_limit: no column lineage for datasets with more columns than this.
        lineage_facet: add the `lineage` facet, the successor of `columnLineage`.
        disabled_facets: the names of facets to leave out.
        append_dataset_name: whether job names end with the name of the written dataset.
        replace_dots: write job names with underscores instead of dots.
        emit_reads: also send events for queries that write nothing.
        allowed: queries with one of these operators on top always get events.
        denied: commands and queries with one of these operators on top never get events.
        parent: the run that started the application.
        root: the run at the top of the hierarchy.
        secrets: a pattern to mask in texts, besides what looks like a secret.
    """

    nested: bool = True
    dataset_lineage: bool = True
    descriptions: bool = True
    schema_limit: int | None = None
    lineage_facet: bool = False
    disabled_facets: frozenset[str] = frozenset()
    append_dataset_name: bool = True
    replace_dots: bool = False
    emit_reads: bool = False
    allowed: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    owners: tuple[Owner, ...] = ()
    job_tags: tuple[Tag, ...] = ()
    run_tags: tuple[Tag, ...] = ()
    parent: RunName | None = None
    root: RunName | None = None
    secrets: re.Pattern[str] | None = None

    @property
    def reads_wanted(self) -> bool:
        """Whether some queries that write nothing get events."""
        return self.emit_reads or bool(self.allowed)

    def has_facet(self, name: str) -> bool:
        """Whether a facet is enabled."""
        return name not in self.disabled_facets

    def enabled_facets(self, facets: Mapping[str, _F]) -> dict[str, _F]:
        """The facets that are enabled, by name."""
        return {name: facet for name, facet in facets.items() if name not in self.disabled_facets}

    def clean(self, text: str) -> str:
        """The text without secrets.

        >>> EventOptions(secrets=re.compile("[0-9]{16}")).clean("card 1234567812345678, password=x")
        'card ***, password=***'
        """
        text = redact(text)
        return text if self.secrets is None else self.secrets.sub("***", text)
