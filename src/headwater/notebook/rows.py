"""Answers as flat rows, for CSV, pandas and notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, cast

from headwater.common.codec import plain
from headwater.notebook.html import table

if TYPE_CHECKING:
    import pandas as pd

    from headwater.query.graph.answer import Answer, TableEdge, TableKind, TableName


class NoPandas(ImportError):  # noqa: N818  a sentence for the user
    """pandas is not installed."""


class Tabular:
    """An answer with rows: it becomes JSON, a pandas DataFrame, or a table in a notebook."""

    __slots__ = ()

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    """The columns of every row, in order; where this is empty, those that the rows have."""

    def rows(self) -> list[dict[str, object]]:
        """The answer as flat rows."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The whole answer as plain JSON, as a server sends it and `--output json` prints it."""
        return cast("dict[str, Any]", plain(self))

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas DataFrame.

        Raises:
            NoPandas: pandas is not installed.
        """
        try:
            import pandas as pd  # noqa: PLC0415  an option
        except ImportError as error:
            raise NoPandas("to_pandas() needs pandas: pip install pandas.") from error
        rows = self.rows()
        return pd.DataFrame(rows, columns=columns_of(self, rows))

    def _repr_html_(self) -> str:
        """The rows as a table, for notebooks."""
        return table(self.rows(), self.COLUMNS)


def columns_of(answer: Tabular, rows: Iterable[dict[str, object]]) -> list[str]:
    """The columns of an answer: its `COLUMNS`, or all that its rows have."""
    return list(answer.COLUMNS) or list(dict.fromkeys(name for row in rows for name in row))


EDGE_COLUMNS = (
    "origin_namespace",
    "origin_name",
    "origin_field",
    "origin_version",
    "destination_namespace",
    "destination_name",
    "destination_field",
    "destination_version",
    "dataset_level",
    "type",
    "subtype",
    "masking",
    "description",
    "job_namespace",
    "job_name",
    "run",
    "carried",
    "assumed",
    "distance",
    "class",
    "masked",
)


def edge_rows(answer: Answer) -> list[dict[str, object]]:
    """One row for each transformation of an edge. A field that is None stands for a dataset's rows.

    The last three columns are those of the end of the edge that is farther from the column in question.
    """
    nodes = {node.field: node for node in answer.nodes}
    upstream = answer.direction.value == "upstream"
    rows: list[dict[str, object]] = []
    for edge in answer.edges:
        start, end, job = edge.origin, edge.destination, edge.job
        far = nodes.get(start if upstream else end)
        ends = (start.namespace, start.name, start.field, start.version, end.namespace, end.name, end.field)
        written = (job.namespace if job else None, job.name if job else None, edge.run, edge.carried, edge.assumed)
        place = (far.distance, far.kind.name, far.masked) if far else (None, None, None)
        steps: list[tuple[object, ...]] = [
            (step.type, step.subtype, step.masking, step.description) for step in edge.transformations
        ]
        for step in steps or [(None, None, None, None)]:
            values = (*ends, end.version, edge.dataset_level, *step, *written, *place)
            rows.append(dict(zip(EDGE_COLUMNS, values, strict=True)))
    return rows


TABLE_COLUMNS = (
    "origin_type",
    "origin_namespace",
    "origin_name",
    "destination_type",
    "destination_namespace",
    "destination_name",
    "run",
)


def table_rows(edges: Iterable[TableEdge]) -> list[dict[str, object]]:
    """One row for each job that reads or writes a dataset."""
    return [
        dict(zip(TABLE_COLUMNS, (*_end(edge.origin), *_end(edge.destination), edge.run), strict=True)) for edge in edges
    ]


def _end(end: tuple[TableKind, TableName]) -> tuple[str, str, str]:
    kind, name = end
    return kind.value, name.namespace, name.name
