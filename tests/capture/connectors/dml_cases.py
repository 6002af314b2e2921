"""The statements of dml.yaml, and what is expected of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from tests.capture.connectors.conftest import Format


@dataclass(frozen=True)
class Case:
    """A statement and its answer."""

    name: str
    sql: str
    columns: Mapping[str, set[str]]
    rows: set[str]
    texts: Mapping[str, list[str]] = field(default_factory=dict)
    only: tuple[str, ...] = ()

    def over(self, way: Format) -> str:
        """The statement over the table that is kept in one way."""
        return self.sql.replace(" t ", f" {way.table} AS t ").replace("FROM t)", f"FROM {way.table})")

    def fits(self, way: Format) -> bool:
        """Whether tables that are kept in this way have the statement."""
        return not self.only or way.name in self.only


def _case(case: Mapping[str, Any], kept: Mapping[str, list[str]]) -> Case:
    columns = {**case.get("kept", kept), **case.get("columns", {})}
    return Case(
        case["name"],
        case["sql"],
        {name: set(sources) for name, sources in columns.items()},
        set(case.get("rows", ())),
        case.get("texts", {}),
        tuple(case.get("only", ())),
    )


_FILE = yaml.safe_load((Path(__file__).parent / "dml.yaml").read_text(encoding="utf-8"))
CASES = [_case(case, _FILE["kept"]) for case in _FILE["cases"]]
