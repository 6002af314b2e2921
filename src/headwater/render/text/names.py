"""What the texts of answers share: short names with their legend, and the sentence on a partial answer."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from headwater.notebook.words import column_label, printable, short_names
from headwater.openlineage.model.instants import time_text
from headwater.query.graph.answer import Direction, Dropped, FieldName, TableName

FEW = 3
"""How many conditions on rows a text shows one by one; more of them are one line, until someone asks for all."""
PARTIAL = "Partial answer: the limit was reached, and there is more. Raise --limit or narrow the question."


class Naming:
    """The shortest names of datasets that tell them apart."""

    def __init__(self, names: Iterable[FieldName | TableName]) -> None:
        self._short = short_names((name.namespace, name.name) for name in names)

    def label(self, name: FieldName) -> str:
        """A column by the short name of its dataset."""
        return column_label(name, self._short)

    def table(self, name: TableName) -> str:
        """A dataset by its short name."""
        return self._short[name.namespace, name.name]

    def legend(self) -> Iterator[Text]:
        """What each short name stands for."""
        for (namespace, name), short in sorted(self._short.items(), key=lambda item: item[1]):
            yield Text(printable(f"{short}: {namespace}/{name}"), "dim")


def subject(name: FieldName, naming: Naming) -> str:
    """What a question is about: a column, or a dataset with all its columns."""
    return naming.table(name.table) if name.field is None else naming.label(name)


_SHOWN = {
    Direction.UPSTREAM: "What it was made from just before:",
    Direction.DOWNSTREAM: "What was made from it, then and since:",
}


def dropped_text(dropped: Dropped, column: str, direction: Direction) -> Text:
    """When a column was dropped, by whom, and what the answer shows of it."""
    by = f" by job {dropped.job.name}" if dropped.job else ""
    return Text(printable(f"{column} was dropped {time_text(dropped.us)}{by}. {_SHOWN[direction]}"), "bold yellow")
