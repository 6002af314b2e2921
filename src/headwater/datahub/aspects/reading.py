"""What the readers of lineage aspects share: names behind URNs, fields of schemas, and the edges found so far."""

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
    """What a reader asks for.

    Attributes:
        name_of: the dataset behind a URN.
        fields_of: the fields that its schema has, None where it has none.
        gone: whether it is removed.
    """

    name_of: Callable[[str], Name]
    fields_of: Callable[[Name], SchemaFields | None]
    gone: Callable[[Name], bool] = lambda _: False


@dataclass
class Reading:
    """Gathers what an aspect says of the fields of datasets; what cannot be used is told, and the rest kept."""

    known: Known
    problems: list[str] = field(default_factory=list)
    columns: dict[Name, set[str]] = field(default_factory=dict)
    edges: dict[Name, set[ColumnEdge]] = field(default_factory=dict)
    sources: set[Name] = field(default_factory=set)

    def dataset(self, urn: str) -> Name | None:
        """The dataset of a URN, if it is there."""
        try:
            name = self.known.name_of(urn)
        except DataHubError as error:
            self.problems.append(str(error))
            return None
        return None if self.known.gone(name) else name

    def field(self, urn: str) -> tuple[Name, str] | None:
        """The field of a URN; it has to be in its dataset's schema, where that is known."""
        try:
            found = field_of(urn)
            name = self.known.name_of(found.dataset)
        except DataHubError as error:
            self.problems.append(str(error))
            return None
        fields = self.known.fields_of(name)
        path = found.path if fields is None else fields.find(found.path, rfc=found.rfc)
        if path is None and self.known.gone(name):
            return None
        if path is None:
            self.problems.append(f"{urn[:300]} names a field that is not in its dataset's schema.")
            return None
        return name, path

    def out(self, urn: str) -> tuple[Name, str] | None:
        """The field of a URN that something goes into; if it is not there, its dataset is spoken of all the same."""
        found = self.field(urn)
        if found is None and (name := self._of_field(urn)) is not None:
            self.columns.setdefault(name, set())
        return found

    def source(self, urn: str) -> tuple[Name, str] | None:
        """The field of a URN that goes into something; if it is not there, its dataset still does."""
        found = self.field(urn)
        if found is None and (name := self._of_field(urn)) is not None:
            self.sources.add(name)
        return found

    def _of_field(self, urn: str) -> Name | None:
        try:
            name = self.known.name_of(field_of(urn).dataset)
        except DataHubError:
            return None
        return None if self.known.gone(name) else name

    def speak_of(self, out: tuple[Name, str]) -> None:
        """Note that something is said of a field, be it that nothing goes into it."""
        self.columns.setdefault(out[0], set()).add(out[1])

    def add(self, out: tuple[Name, str], sources: Iterable[tuple[Name, str]], steps: Iterable[Step]) -> None:
        """Note that fields go into another."""
        self.speak_of(out)
        into = self.edges.setdefault(out[0], set())
        steps = list(steps)
        for name, path in sources:
            into.update(
                ColumnEdge(out[1], *name, path, step.type, step.subtype, step.masking, step.description)
                for step in steps
            )

    def lineage(self, dataset: Name) -> ColumnLineage:
        """What was found of one dataset."""
        return ColumnLineage(
            tuple(sorted(self.columns.get(dataset, ()))),
            sort_edges(self.edges.get(dataset, set())),
            tuple(sorted(self.sources)),
        )
