"""What users may ask of events: which of them are sent, and what is in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from headwater.openlineage.build.redact import redact


class RunName(NamedTuple):
    """A run that somebody else started: its job and its id."""

    namespace: str
    name: str
    run_id: str


class Tag(NamedTuple):
    """A tag of a job or a run."""

    key: str
    value: str = "true"
    source: str = "CONFIG"


class Owner(NamedTuple):
    """Who owns a job, and in which role."""

    type: str
    name: str


@dataclass(frozen=True)
class EventOptions:
    """The options.

    Attributes:
        nested: whether lineage goes down to nested fields, or stays with the columns that they are in.
        dataset_lineage: what decides about rows stands once for all columns; else it is repeated on each.
        descriptions: whether transformations carry the expression as text.
        schema_limit: no column lineage for datasets with more columns than this.
        lineage_facet: add the `lineage` facet, which is to follow `columnLineage`.
        disabled_facets: facets that are left out, by their names in an event.
        append_dataset_name: whether job names end in what is written.
        replace_dots: write job names with underscores instead of dots.
        emit_reads: send events for queries that write nothing, too.
        allowed: queries with one of these operators on top get events all the same.
        denied: commands and queries with one of these on top get no events.
        parent: the run that started the application.
        root: the run that all of this began with.
        secrets: a pattern of what to take out of texts, besides what looks like a secret anyway.
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
        """Whether queries that write nothing are of any interest."""
        return self.emit_reads or bool(self.allowed)

    def clean(self, text: str) -> str:
        """The text without secrets.

        >>> EventOptions(secrets=re.compile("[0-9]{16}")).clean("card 1234567812345678, password=x")
        'card ***, password=***'
        """
        text = redact(text)
        return text if self.secrets is None else self.secrets.sub("***", text)
