"""What the readers of lineage aspects share: the names of URNs, the fields of schemas, and the edges read so far."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.datahub.aspects.transformations import Step
from headwater.fields.errors import DataHubError
from headwater.fields.paths import SchemaFields, field_of
from headwater.openlineage.model.event import ColumnEdge, ColumnLineage
from headwater.openlineage.model.parse_facets import sort_edges

Name: TypeAlias = tuple[str, str]
"""Namespace and name of a dataset or a job."""


@dataclass(frozen=True)
class Known:
    """What a reader needs to know.

    Attributes:
        name_of: the dataset of a URN.
        fields_of: the fields of its schema; None without one.
        removed: whether it is removed.
    """

    name_of: Callable[[str], Name]
    fields_of: Callable[[Name], SchemaFields | None]
    removed: Callable[[Name], bool] = lambda _: False


@dataclass
class Reading:
    """Collects the lineage in an aspect; what cannot be used becomes a problem, and the rest counts."""

    known: Known
    problems: list[str] = field(default_factory=list)
    columns: dict[Name, set[str]] = field(default_factory=dict)
    edges: dict[Name, set[ColumnEdge]] = field(default_factory=dict)
    sources: set[Name] = field(default_factory=set)

    def dataset(self, urn: str) -> Name | None:
        """The dataset of a URN, unless it is removed."""
        try:
            name = self.known.name_of(urn)
        except DataHubError as error:
            self.problems.append(str(error))
            return None
        return None if self.known.removed(name) else name

    def field(self, urn: str) -> tuple[Name, str] | None:
        """The field of a URN; it has to be in its dataset's schema, where that is known."""
        try:
            field = field_of(urn)
            name = self.known.name_of(field.dataset)
        except DataHubError as error:
            self.problems.append(str(error))
            return None
        fields = self.known.fields_of(name)
        path = field.path if fields is None else fields.find(field.path, rfc=field.rfc)
        if path is None and self.known.removed(name):
            return None
        if path is None:
            self.problems.append(f"{urn[:300]} names a field that is not in its dataset's schema.")
            return None
        return name, path

    def out(self, urn: str) -> tuple[Name, str] | None:
        """The output field of a URN; where the field is missing, its dataset is an output all the same."""
        field = self.field(urn)
        if field is None and (name := self._of_field(urn)) is not None:
            self.columns.setdefault(name, set())
        return field

    def source(self, urn: str) -> tuple[Name, str] | None:
        """The input field of a URN; where the field is missing, its dataset is an input all the same."""
        field = self.field(urn)
        if field is None and (name := self._of_field(urn)) is not None:
            self.sources.add(name)
        return field

    def _of_field(self, urn: str) -> Name | None:
        try:
            name = self.known.name_of(field_of(urn).dataset)
        except DataHubError:
            return None
        return None if self.known.removed(name) else name

    def add(self, out: tuple[Name, str], sources: Iterable[tuple[Name, str]], steps: Iterable[Step]) -> None:
        """Add edges to an output field from its sources; without sources, the field still has lineage."""
        self.columns.setdefault(out[0], set()).add(out[1])
        into = self.edges.setdefault(out[0], set())
        steps = list(steps)
        for name, path in sources:
            into.update(
                ColumnEdge(out[1], *name, path, step.type, step.subtype, step.masking, step.description)
                for step in steps
            )

    def lineage(self, dataset: Name) -> ColumnLineage:
        """The lineage of one dataset."""
        return ColumnLineage(
            tuple(sorted(self.columns.get(dataset, ()))),
            sort_edges(self.edges.get(dataset, set())),
            tuple(sorted(self.sources)),
        )
