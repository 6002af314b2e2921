"""What the texts of answers share: short names with their legend, and the sentence on a partial answer."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from headwater.notebook.words import column_label, printable, short_names
from headwater.query.graph.answer import FieldName, TableName

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
