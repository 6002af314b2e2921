"""The tables and the queries of the benchmark, from the SQL files beside this one."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def tables() -> dict[str, str]:
    """The columns of each table, by its name."""
    return _parts("tables.sql")


def queries() -> dict[str, str]:
    """The queries, by their names."""
    return _parts("queries.sql")


def _parts(file: str) -> dict[str, str]:
    """A file's texts by the one-line comments above them; a comment with nothing below it is for the reader."""
    texts: dict[str, str] = {}
    for block in (_HERE / file).read_text(encoding="utf-8").split("\n\n"):
        title, _, body = block.strip().partition("\n")
        if body:
            texts[title.removeprefix("-- ")] = body
    return texts
