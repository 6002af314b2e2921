"""docs/ARCHITECTURE.md names files and functions that exist; only the store knows its tables."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOUR = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_every_hop_of_the_tour_is_a_function_of_its_file() -> None:
    hops = re.findall(r"^\| \d+ \| `([^`]+)` `(\w+)` \|", TOUR, re.MULTILINE)
    assert len(hops) > 15
    for path, name in hops:
        file = ROOT / path if path.startswith("web/") else ROOT / "src" / "headwater" / path
        assert re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")), f"{path} has no {name}"


def test_every_file_that_is_named_with_its_folder_is_there() -> None:
    source = ROOT / "src" / "headwater"
    for path in set(re.findall(r"`([a-z_]+(?:/[A-Za-z_]+)+\.(?:py|java|ts|sql))`", TOUR)):
        assert (ROOT / path).is_file() or (source / path).is_file() or list(source.glob(f"**/{path}")), path


def test_every_room_is_in_the_table() -> None:
    rooms = {item.name for item in (ROOT / "src" / "headwater").iterdir() if (item / "__init__.py").is_file()}
    assert {room for room in rooms if f"{room}/" not in TOUR} == set()


def test_only_the_store_names_its_tables_in_sql() -> None:
    source = ROOT / "src" / "headwater"
    schema = (source / "store" / "db" / "schema.sql").read_text(encoding="utf-8")
    tables = "|".join(re.findall(r"^CREATE TABLE (\w+)", schema, re.MULTILINE))
    named = re.compile(r"(?:\b(?:FROM|JOIN|INTO|UPDATE)|\{join\}+)\s+(?:" + tables + r")\b")
    outside = {
        str(module.relative_to(source))
        for module in source.rglob("*.py")
        if module.relative_to(source).parts[0] != "store" and any(map(named.search, _texts(module)))
    }
    assert outside == set()


def _texts(module: Path) -> list[str]:
    """The string constants of a module."""
    nodes = ast.walk(ast.parse(module.read_text(encoding="utf-8")))
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
