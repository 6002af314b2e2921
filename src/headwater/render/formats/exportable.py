"""What an answer needs to be written as JSON and as CSV."""

from typing import Protocol


class Exportable(Protocol):
    """Any answer."""

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, all with the same keys."""
