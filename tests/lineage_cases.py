"""The cases under tests/cases: a query, and the lineage that it has."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from headwater.rules.plan.sources import Mark, SourceField, Sources
from headwater.rules.statements.lineage import Lineage

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One case; tests/cases/README.md says what its parts mean.

    Attributes:
        name: the subject, which is the file's name, and the case's own name.
        tables: the schema of each table.
    """

    name: str
    tables: Mapping[str, str]
    sql: str
    columns: Mapping[str, Sequence[str]]
    rows: Sequence[str] = ()
    opaque: Sequence[str] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    counted: Mapping[str, Sequence[str]] | None = None
    setup: Sequence[str] = ()
    since: str = "0"
    until: str = "99"

    @property
    def question(self) -> dict[str, Any]:
        """What decides the plan: a plan that was recorded for another question is out of date."""
        return {"tables": self.tables, "setup": list(self.setup), "sql": self.sql}

    @property
    def expected(self) -> dict[str, object]:
        """The answer that is right, to compare with `answer`."""
        return {
            "columns": {name: set(lines) for name, lines in self.columns.items()},
            "rows": set(self.rows),
            "opaque": set(self.opaque),
            "texts missing": {},
            "counted": self.counted and {name: set(tables) for name, tables in self.counted.items()},
        }

    def answer(self, lineage: Lineage) -> dict[str, object]:
        """What the rules made of the query, in the words of a case."""
        missing = {}
        for name, text in self.texts.items():
            sources = lineage.rows if name == "rows" else lineage.columns[name]
            texts = {mark.text for marks in sources.values() for mark in marks}
            if text not in texts:
                missing[name] = f"{text!r} is not among {sorted(texts)}"
        return {
            "columns": {name: _lines(sources) for name, sources in lineage.columns.items()},
            "rows": _lines(lineage.rows),
            "opaque": set(lineage.opaque),
            "texts missing": missing,
            "counted": self.counted
            and {name or "rows": {table.short_name for table in tables} for name, tables in lineage.counted.items()},
        }


def cases(spark_version: str) -> list[Case]:
    """The cases that a Spark can parse.

    >>> len(cases("3.5.9")) < len(cases("4.3.0"))
    True
    """
    return [case for case in _all() if _minor(case.since) <= _minor(spark_version) <= _minor(case.until)]


@functools.cache
def _all() -> tuple[Case, ...]:
    found = []
    for path in sorted(CASES.glob("*.yaml")):
        subject = yaml.safe_load(path.read_text(encoding="utf-8"))
        found += [
            Case(**{**case, "name": f"{path.stem}: {case['name']}"}, tables=subject["tables"])
            for case in subject["cases"]
        ]
    return tuple(found)


def _minor(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def _lines(sources: Sources) -> set[str]:
    return {_line(source, mark) for source, marks in sources.items() for mark in marks}


def _line(source: SourceField, mark: Mark) -> str:
    line = f"{source.dataset.short_name}.{source.field} {mark.how.name}"
    return f"{line} masked" if mark.masking.masks else line
