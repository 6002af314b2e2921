"""Write docs/support-matrix.md: how each operator and expression class of Spark is dealt with.

Run it once under each Spark version (`PYTHONPATH=.venv/spark-3.5.9 .venv/bin/python scripts/support_matrix.py`): it
replaces what the page says about that version and keeps the rest. A test compares the page with the code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from headwater.rules.support import Support, expression_support, operator_support

PAGE = Path(__file__).resolve().parent.parent / "docs" / "support-matrix.md"
Matrix = dict[tuple[str, str], dict[str, set[str]]]  # (kind, support) -> name -> Spark versions

_SAID = {
    Support.RULE: "Has a rule of its own.",
    Support.MASKING: "A TRANSFORMATION like any other function, and the value can no longer be read.",
    Support.KEYED: "A TRANSFORMATION that masks; whoever has the key can restore the value.",
    Support.PARTIAL: "A TRANSFORMATION that masks letters and digits; other characters stay as they are.",
    Support.UNMASKING: "A TRANSFORMATION that restores what was masked with a key.",
    Support.OPAQUE_FUNCTION: "A TRANSFORMATION of each of its arguments by code that cannot be analyzed: it may restore"
    " what was masked.",
    Support.OPAQUE: "Runs code over whole rows: every output may depend on every input. Marked and counted.",
    Support.DEFAULT_OPERATOR: "No rule (yet): every output may depend on every input. Marked and counted.",
    Support.DEFAULT_EXPRESSION: "A TRANSFORMATION of each of its arguments.",
    Support.STATEMENT: "A command without a rule: it gives no lineage, and if it has a query, Headwater counts it.",
    Support.NOT_ANALYZED: "Not in analyzed plans: the analyzer removes it, or it appears only later.",
}


def parse(page: str) -> Matrix:
    """Read the page back."""
    matrix: Matrix = {}
    (versions,) = re.findall(r"^Spark versions: (.+)$", page, flags=re.MULTILINE) or [""]
    everywhere = set(versions.split(", ")) - {""}
    for kind, support, names in re.findall(r"^### (\w+): (.+?) \(\d+\)\n\n.+\n\n(.+)$", page, flags=re.MULTILINE):
        entries = matrix.setdefault((kind, support), {})
        for name, only in re.findall(r"`([^`]+)`(?: \(([^)]+)\))?", names):
            entries[name] = set(only.split(", ")) if only else set(everywhere)
    return matrix


def current(classes: Sequence[tuple[str, bool, bool]], version: str) -> Matrix:
    """What the code says about the classes of one Spark version."""
    matrix: Matrix = {}
    for name, is_operator, is_command in classes:
        support = operator_support(name, is_command=is_command) if is_operator else expression_support(name)
        kind = "Operators" if is_operator else "Expressions"
        matrix.setdefault((kind, support.value), {}).setdefault(name, set()).add(version)
    return matrix


def only(matrix: Matrix, version: str) -> dict[tuple[str, str], set[str]]:
    """What a matrix says about one version."""
    supported = {
        key: {name for name, versions in names.items() if version in versions} for key, names in matrix.items()
    }
    return {key: names for key, names in supported.items() if names}


def merged(old: Matrix, new: Matrix, version: str) -> Matrix:
    """The old matrix with all about one version replaced."""
    result: Matrix = {}
    for key, names in old.items():
        for name, versions in names.items():
            if versions - {version}:
                result.setdefault(key, {})[name] = versions - {version}
    for key, names in new.items():
        for name, versions in names.items():
            result.setdefault(key, {}).setdefault(name, set()).update(versions)
    return result


def render(matrix: Matrix) -> str:
    """The page."""
    versions = sorted({version for names in matrix.values() for known_in in names.values() for version in known_in})
    lines = [
        "# Support matrix",
        "",
        "Every operator and expression class in Spark's own jars, and how Headwater handles it.",
        "`scripts/support_matrix.py` generates this page from the code, and a test verifies it. A version in",
        "parentheses means that only that Spark has the class.",
        "",
        f"Spark versions: {', '.join(versions)}",
        "",
    ]
    for kind in ("Operators", "Expressions"):
        lines += [f"## {kind}", ""]
        for support in Support:
            names = matrix.get((kind, support.value))
            if not names:
                continue
            listed = ", ".join(_entry(name, names[name], versions) for name in sorted(names))
            lines += [f"### {kind}: {support.value} ({len(names)})", "", _SAID[support], "", listed, ""]
    return "\n".join(lines)


def _entry(name: str, known_in: set[str], versions: list[str]) -> str:
    return f"`{name}`" if known_in == set(versions) else f"`{name}` ({', '.join(sorted(known_in))})"


def main() -> None:
    """Bring the page up to date for the Spark that is running."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 (Java must be found first)

    from headwater.capture.jvm.classes import spark_classes  # noqa: PLC0415
    from headwater.capture.jvm.java import ensure_java  # noqa: PLC0415

    ensure_java()
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    old = parse(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    new = current(spark_classes(spark), spark.version)
    PAGE.write_text(render(merged(old, new, spark.version)), encoding="utf-8")
    spark.stop()


if __name__ == "__main__":
    main()
