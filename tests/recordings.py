"""Recorded plans: what the reader gave for every case under tests/cases, one file a Spark version.

The rules run on them without a JVM (tests/rules/test_cases.py), and each Spark is asked whether it still gives the
same (tests/capture/test_cases.py). `make recordings` writes them anew. A file is gzip, and has one line a case:

    {"case": "cte: a chain of three", "tables": …, "setup": …, "sql": …, "plan": what the reader wrote}
"""

from __future__ import annotations

import difflib
import functools
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tests.lineage_cases import CASES, Case

Plan: TypeAlias = "Mapping[str, Any]"

FOLDER = CASES / "recordings"
# Stands for the folder that the tables of the cases were in.
PLACE = "/cases"
_DEFAULT = Path(__file__).parents[1] / "scripts" / "spark-default.txt"
# Fields with numbers that Spark counts up, or takes from memory, by what they number. Two queries of one session
# have other ones, and so has the same query in another session.
_COUNTED = {
    "exprId": "expression",
    "outputAttrIds": "expression",
    "id": "query",
    "cteId": "query",
    "loopId": "query",
    "varDef": "variable",
}
# Fields with numbers that Spark draws where a query names none.
_DRAWN = frozenset({"seed", "randomSeed"})
# min(a#911): Spark 3.5 names a column that nobody selected by its expression.
_ID_IN_NAME = re.compile(r"(?<=\w)#(\d+)")
_MOST_LINES = 40


def default_spark() -> str:
    """The version of Spark that the environment has."""
    return _DEFAULT.read_text(encoding="utf-8").strip().partition("==")[2]


def recorded_sparks() -> list[str]:
    """The versions of Spark that there is a recording of."""
    return sorted(path.name[len("spark-") : -len(".jsonl.gz")] for path in FOLDER.glob("spark-*.jsonl.gz"))


def recording_of(spark_version: str) -> Path:
    """The file of a Spark.

    >>> recording_of("4.1.4").name
    'spark-4.1.4.jsonl.gz'
    """
    return FOLDER / f"spark-{spark_version}.jsonl.gz"


@functools.cache
def load(spark_version: str) -> Mapping[str, Mapping[str, Any]]:
    """The lines of a recording by the names of their cases; none where this Spark has no recording."""
    path = recording_of(spark_version)
    if not path.exists():
        return {}
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    return {line["case"]: line for line in map(json.loads, lines)}


def save(spark_version: str, plans: Iterable[tuple[Case, Plan]]) -> Path:
    """Write the recording of a Spark. The same plans are the same bytes, whenever and wherever they were read."""
    lines = [
        json.dumps({"case": case.name, **case.question, "plan": plan}, ensure_ascii=False, separators=(",", ":"))
        for case, plan in plans
    ]
    path = recording_of(spark_version)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0))
    load.cache_clear()
    return path


def recorded_plan(case: Case, spark_version: str) -> Plan:
    """The plan of a case on a Spark.

    Raises:
        LookupError: there is none, or it is that of another query; the message says what to do.
    """
    line = load(spark_version).get(case.name)
    if line is None:
        raise LookupError(f"Case {case.name!r} is not recorded on Spark {spark_version}: {_advice(spark_version)}.")
    if {part: line[part] for part in case.question} != case.question:
        raise LookupError(
            f"Case {case.name!r} has another query or other tables than the one recorded on Spark {spark_version}: "
            f"{_advice(spark_version)}."
        )
    plan: Plan = line["plan"]
    return plan


def change_of(case: Case, plan: Plan, spark_version: str) -> str | None:
    """What to tell a person where a Spark gives another plan for a case than is recorded; None where it is the same."""
    recorded = recorded_plan(case, spark_version)
    if plan == recorded:
        return None
    return "\n".join(
        [
            f"The plan of case {case.name!r} changed on Spark {spark_version}: {_advice(spark_version)}.",
            *difference(recorded, plan),
        ]
    )


def difference(before: Plan, after: Plan) -> list[str]:
    """The lines of two plans that differ.

    >>> one = {"classes": [["p", "Range", []]], "types": [], "nodes": [[0, []]]}
    >>> difference(one, {**one, "classes": [["p", "OneRowRelation", []]]})
    ['-node 0: Range []', '-class 0: p Range []', '+node 0: OneRowRelation []', '+class 0: p OneRowRelation []']
    """
    lines = list(difflib.unified_diff(list(_lines(before)), list(_lines(after)), n=0, lineterm=""))
    changed = [line for line in lines[2:] if not line.startswith("@@")]
    more = len(changed) - _MOST_LINES
    return [*changed[:_MOST_LINES], *([f"… and {more} more lines"] if more > 0 else [])]


def _lines(plan: Plan) -> Iterator[str]:
    for number, row in enumerate(plan["nodes"]):
        text = row if isinstance(row, str) else f"{plan['classes'][row[0]][1]} {' '.join(map(json.dumps, row[1:]))}"
        yield f"node {number}: {text}"
    for number, (tag, name, fields) in enumerate(plan["classes"]):
        yield f"class {number}: {tag} {name} {json.dumps(fields)}"
    for number, kind in enumerate(plan["types"]):
        yield f"type {number}: {json.dumps(kind)}"
    for key in plan.keys() - {"nodes", "classes", "types"}:
        yield f"{key}: {json.dumps(plan[key])}"


def _advice(spark_version: str) -> str:
    other = "" if spark_version == default_spark() else f" SPARK={spark_version}"
    return f"run `make recordings{other}` and look at the diff"


def settled(plan: Plan, folder: str) -> Plan:
    """A plan without what differs from run to run: numbers that are counted or drawn, and the folder of the tables.

    Rows stand in the order in which the reader meets them, so numbering by first appearance is the same in each run.

    >>> row = [0, 911, "min(a#911) of file:/tmp/x/t", 0, True]
    >>> settled({"classes": [["a", "AttributeReference", []]], "types": [], "nodes": [row]}, "/tmp/x")["nodes"]
    [[0, 1, 'min(a#1) of file:/cases/t', 0, True]]
    """
    return _Settler(plan, folder).settled()


class _Settler:
    def __init__(self, plan: Plan, folder: str) -> None:
        self._plan = plan
        self._folder = folder
        self._numbers: dict[str, dict[int, int]] = {}

    def settled(self) -> Plan:
        rows = [row if isinstance(row, str) else self._row(row) for row in self._plan["nodes"]]
        for row in rows:
            self._hide_seed(row, rows)
        settled: Plan = self._texts({**self._plan, "nodes": rows})
        return settled

    def _row(self, row: list[Any]) -> list[Any]:
        tag, _, names = self._plan["classes"][row[0]]
        if tag == "p":
            return [*row[:2], *self._fields(names, row[2:])]
        id_ = None if row[1] is None else self._number("expression", row[1])
        if tag == "a":
            return [row[0], id_, *row[2:]]
        return [row[0], id_, *row[2:4], *self._fields(names, row[4:])]

    def _fields(self, names: list[str], values: list[Any]) -> list[Any]:
        return [self._field(name, value) for name, value in zip(names, values, strict=True)]

    def _field(self, name: str, value: Any) -> Any:  # noqa: ANN401 (it is JSON)
        if name in _DRAWN:
            return {"n": 0} if isinstance(value, dict) and "n" in value else value
        return self._counted(_COUNTED[name], value) if name in _COUNTED else value

    def _counted(self, what: str, value: Any) -> Any:  # noqa: ANN401
        if isinstance(value, list):
            return [self._counted(what, item) for item in value]
        if not isinstance(value, dict):
            return value
        if "n" in value:
            return {"n": self._number(what, value["n"])}
        # A class of numbers, such as CommonExpressionId, counts for itself.
        return {**value, "f": self._counted(str(value.get("c")), value["f"])} if "f" in value else value

    def _number(self, what: str, number: int) -> int:
        numbers = self._numbers.setdefault(what, {})
        return numbers.setdefault(number, len(numbers) + 1)

    def _hide_seed(self, row: Any, rows: list[Any]) -> None:  # noqa: ANN401
        """The seed of rand() is a literal that Spark has put there: hideSeed says so."""
        tag, _, names = ("", "", []) if isinstance(row, str) else self._plan["classes"][row[0]]
        if tag != "e" or "hideSeed" not in names or row[4 + names.index("hideSeed")] is not True:
            return
        for child in row[4:]:
            if type(child) is int and self._plan["classes"][rows[child][0]][1] == "Literal":
                rows[child][4] = "0L"

    def _texts(self, value: Any) -> Any:  # noqa: ANN401
        if isinstance(value, dict):
            return {key: self._texts(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._texts(item) for item in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        known = self._numbers.get("expression", {})
        text = _ID_IN_NAME.sub(lambda found: f"#{known.get(int(found[1]), found[1])}", text)
        return text.replace(self._folder, PLACE)
