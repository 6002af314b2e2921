"""Short names in an answer, and what they stand for."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from headwater.notebook.words import column_label, printable, short_names
from headwater.query.graph.answer import FieldName, TableName


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
