"""The answer of `headwater.lineage(…)`: as text, as rows, as a facet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from openlineage.client.serde import Serde

from headwater.notebook.svg import Box, Line, picture
from headwater.notebook.words import way_in_words
from headwater.openlineage.build.lineage_facets import column_lineage
from headwater.openlineage.build.options import EventOptions
from headwater.openlineage.naming.datasets import Catalog, Name
from headwater.rules.plan.sources import Mark, SourceField, Sources
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.lineage import Lineage
from headwater.rules.statements.statements import Change, Written

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Input:
    """A source field of a column, with the transformation in OpenLineage's terms.

    At `dataset_level` it decides about the rows, and so reaches every column.
    """

    namespace: str
    name: str
    field: str
    type: str
    subtype: str
    masking: bool
    description: str
    dataset_level: bool = False


@dataclass(frozen=True)
class Explanation(Lineage):
    """The lineage of a query or statement, with its datasets by name."""

    catalog: Catalog = field(default_factory=lambda: Catalog(""))

    def inputs(self, column: str) -> list[Input]:
        """The inputs of a column (or of a path to a nested field), then those that decide about its rows."""
        if column not in self.columns:
            raise KeyError(f"No column {column!r}. The columns are: {', '.join(self.columns)}.")
        return [*self._inputs(self.columns[column]), *self._inputs(self.rows, dataset_level=True)]

    def to_rows(self) -> list[dict[str, object]]:
        """All edges, one per row; inputs that decide about the rows have the column None."""
        rows: list[dict[str, object]] = []
        for column, sources in (*self.columns.items(), (None, self.rows)):
            rows.extend(
                {"column": column, **vars(source)} for source in self._inputs(sources, dataset_level=column is None)
            )
        return rows

    def to_pandas(self) -> pd.DataFrame:
        """All edges as a pandas DataFrame; needs pandas."""
        import pandas as pd  # noqa: PLC0415 (an option)

        return pd.DataFrame(self.to_rows())

    def to_facet(self, *, nested: bool = True) -> dict[str, Any]:
        """OpenLineage's `columnLineage` facet; without `nested`, paths are folded to top-level columns."""
        written = Written(Dataset(), (), Change.APPEND, self.columns, self.rows)
        return Serde.to_dict(column_lineage(written, self.catalog, EventOptions(nested=nested)))

    def _inputs(self, sources: Sources, *, dataset_level: bool = False) -> Iterator[Input]:
        for source, mark in sorted(
            _flat(sources), key=lambda edge: (self._name(edge[0]), edge[0].field, edge[1].how.value)
        ):
            name = self._name(source)
            kind = "DIRECT" if mark.how.direct else "INDIRECT"
            yield Input(*name, source.field, kind, mark.how.name, mark.masking.masks, mark.text, dataset_level)

    def _name(self, source: SourceField) -> Name:
        return self.catalog.name(source.dataset) or Name("", source.dataset.short_name)

    def __str__(self) -> str:
        lines = [
            f"{column} ← {line}" for column, sources in self.columns.items() for line in _lines(sources) or ["nothing"]
        ]
        lines += [f"(rows) ← {line}" for line in _lines(self.rows)]
        if self.opaque:
            lines.append(
                f"cannot analyze {', '.join(self.opaque)}: columns that depend on it may have more inputs than shown"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """A diagram for notebooks: sources on the left, columns on the right."""
        targets = [*self.columns.items(), *([("(rows)", self.rows)] if self.rows else [])]
        inside: dict[Dataset, list[SourceField]] = {}
        for source in sorted({source for _, part in targets for source in part}, key=_label):
            inside.setdefault(source.dataset, []).append(source)
        # By dataset, and not by its short name, which another one may have too.
        keys = {dataset: f"source {place}" for place, dataset in enumerate(inside)}
        rows = {source: row for listed in inside.values() for row, source in enumerate(listed)}
        sources = [
            Box(
                keys[dataset],
                dataset.short_name,
                "/".join(self._name(listed[0])),
                tuple((source.field, _label(source)) for source in listed),
            )
            for dataset, listed in inside.items()
        ]
        result = Box("result", "result", rows=tuple((name, name) for name, _ in targets), chosen=True)
        lines = [
            Line(
                (keys[source.dataset], rows[source]),
                ("result", row),
                mark.how.name if mark.how.direct else "INDIRECT",
                _words(source, mark),
                mark.masking.masks,
            )
            for row, (_, part) in enumerate(targets)
            for source, mark in _flat(part)
        ]
        return picture([[result], sources], lines, leftwards=True)


def _flat(sources: Sources) -> Iterator[tuple[SourceField, Mark]]:
    return ((source, mark) for source, marks in sources.items() for mark in marks)


def _label(source: SourceField) -> str:
    return f"{source.dataset.short_name}.{source.field}"


def _words(source: SourceField, mark: Mark) -> str:
    masked = ", masked" if mark.masking.masks else ""
    text = f": {mark.text}" if mark.text else ""
    way = way_in_words("DIRECT" if mark.how.direct else "INDIRECT", mark.how.name)
    return f"{_label(source)} ({way}{masked}){text}"


def _lines(sources: Sources) -> list[str]:
    return sorted(_words(source, mark) for source, mark in _flat(sources))
