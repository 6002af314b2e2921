"""Answers in every format, read back."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import pytest

from headwater.query.graph.answer import (
    Answer,
    Direction,
    Edge,
    FieldName,
    Kind,
    Moment,
    Node,
    TableAnswer,
    TableEdge,
    TableKind,
    TableName,
    TableNode,
    Transformation,
)
from headwater.render.formats import CannotExport, Format, text

ODD = [
    'say "hello"',
    "it's",
    "two\nlines\r\nand a\ttab",
    "a]b[c]",
    "a|b||c",
    "<b>&amp;</b>",
    "back\\slash\\",
    "\\N \\G \\L",
    "#quot; #35; %%{init}%%",
    "`markdown`",
    "style: x:#a; end",
    "end",
    "💧 naïve ﬂ°°35¶ß",
    "\x1b[2J",
    "{a} ; -- -->",
    "n" * 2_000,
    " ",
    "=1+1",
]

_SUM = Transformation("DIRECT", "AGGREGATION", masking=False, description="sum(amount)")
_FILTER = Transformation("INDIRECT", "FILTER", masking=False, description="day > '2026-01-01'")


def _answer(names: list[str], steps: tuple[Transformation, ...] = (_SUM,)) -> Answer:
    """A column of a dataset `out` that reads one column of each odd dataset, under the dataset's own name."""
    root = FieldName("lake", "out", "total")
    fields = [FieldName(name, name, name) for name in names]
    day = FieldName("lake", "days", "day")
    job = TableName("jobs", names[0] if names else "job")
    return Answer(
        Direction.UPSTREAM,
        root,
        Moment(),
        (
            Node(root, "bigint", 0, Kind.IDENTITY, masked=False),
            *(Node(field, "int", 1, Kind.AGGREGATION, masked=False) for field in fields),
            Node(day, "date", 1, Kind.INDIRECT, masked=True),
        ),
        (
            *(Edge(field, root, steps, job, "a-run") for field in fields),
            Edge(day, root.rows, (_FILTER,), None, None, carried=True, assumed=True),
        ),
    )


def _tables(name: str, names: list[str]) -> TableAnswer:
    job = (TableKind.JOB, TableName("jobs", name))
    root = (TableKind.DATASET, TableName("lake", "out"))
    ends = [(TableKind.DATASET, TableName(name, name)) for name in names]
    return TableAnswer(
        Direction.UPSTREAM,
        root[1],
        Moment(),
        tuple(TableNode(*end, distance) for distance, end in [(0, root), (1, job), *((2, end) for end in ends)]),
        (TableEdge(job, root, "a-run"), *(TableEdge(end, job, "a-run") for end in ends)),
    )


def test_json_is_the_whole_answer() -> None:
    answer = _answer(ODD)
    assert json.loads(text(answer, Format.JSON)) == answer.to_dict()


def test_json_of_half_a_surrogate_can_be_written_as_utf_8() -> None:
    answer = _answer(["\ud800"])
    assert json.loads(text(answer, Format.JSON).encode()) == answer.to_dict()


def test_csv_has_one_line_for_each_way_of_going_into_another() -> None:
    answer = _answer(ODD, (_SUM, _FILTER))
    found = list(csv.DictReader(io.StringIO(text(answer, Format.CSV), newline="")))
    shown = [f"'{name}" if name.startswith("=") else name for name in ODD]
    assert [row["origin_field"] for row in found] == [name for name in shown for _ in range(2)] + ["day"]
    assert found[-1] == {
        "origin_namespace": "lake",
        "origin_name": "days",
        "origin_field": "day",
        "origin_version": "",
        "destination_namespace": "lake",
        "destination_name": "out",
        "destination_field": "",
        "destination_version": "",
        "dataset_level": "true",
        "type": "INDIRECT",
        "subtype": "FILTER",
        "masking": "false",
        "description": "day > '2026-01-01'",
        "job_namespace": "",
        "job_name": "",
        "run": "",
        "carried": "true",
        "assumed": "true",
        "distance": "1",
        "class": "INDIRECT",
        "masked": "true",
    }


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", '=HYPERLINK("http://x","y")'])
def test_csv_has_no_cell_that_a_spreadsheet_takes_for_a_formula(name: str) -> None:
    answer = _answer([name], (_SUM,))
    for row in csv.reader(io.StringIO(text(answer, Format.CSV), newline="")):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert f"'{name}" in [
        row["origin_field"] for row in csv.DictReader(io.StringIO(text(answer, Format.CSV), newline=""))
    ]


def test_csv_of_an_answer_without_edges_still_names_its_columns() -> None:
    answer = _answer([])
    empty = Answer(answer.direction, answer.root, answer.moment, answer.nodes[:1], ())
    assert list(csv.reader(io.StringIO(text(empty, Format.CSV)))) == [list(Answer.COLUMNS)]


@dataclass
class Parsed:
    """What a format says: the dataset and label of each node, and the arcs with their labels."""

    nodes: dict[str, tuple[str, str]]
    arcs: list[tuple[str, str, str]]

    def labelled(self) -> set[tuple[str, str, str]]:
        """The arcs, by the labels of their ends."""
        return {(self.nodes[start][1], self.nodes[end][1], label) for start, end, label in self.arcs}


def _graphml(written: str) -> Parsed:
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    tree = ET.fromstring(written)  # noqa: S314  our own
    keys = {key.attrib["id"]: key.attrib["attr.name"] for key in tree.findall("g:key", space)}

    def said(element: ET.Element) -> dict[str, str]:
        return {keys[data.attrib["key"]]: data.text or "" for data in element.findall("g:data", space)}

    nodes = {}
    for node in tree.iterfind("g:graph/g:node", space):
        about = said(node)
        nodes[node.attrib["id"]] = (about.get("dataset", ""), about["label"])
    arcs = [
        (edge.attrib["source"], edge.attrib["target"], said(edge).get("label", ""))
        for edge in tree.iterfind("g:graph/g:edge", space)
    ]
    return Parsed(nodes, arcs)


_DOT_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|->|[{}\[\];,=]|[A-Za-z0-9_.-]+|\s+')


def _dot(written: str) -> Parsed:
    """Read DOT token by token, strings as Graphviz shows them."""
    tokens, at = [], 0
    while at < len(written):
        match = _DOT_TOKEN.match(written, at)
        assert match, f"no token of DOT: {written[at : at + 40]!r}"
        at = match.end()
        if match[0].strip():
            tokens.append(match[0])
    assert tokens.count("{") == tokens.count("}")
    statements: list[list[str]] = [[]]
    for token in tokens:
        statements[-1].append(token)
        if token in {";", "{", "}"}:
            statements.append([])
    nodes, arcs, cluster = {}, [], ""
    for statement in statements:
        label = next((_dot_text(statement[at + 2]) for at in range(len(statement) - 2) if statement[at] == "label"), "")
        if statement[:1] == ["label"]:
            cluster = label
        elif statement == ["}"]:
            cluster = ""
        elif statement[1:2] == ["->"]:
            arcs.append((statement[0], statement[2], label))
        elif re.fullmatch(r"n\d+", statement[0] if statement else ""):
            nodes[statement[0]] = (cluster, label)
    return Parsed(nodes, arcs)


def _dot_text(token: str) -> str:
    # `\n`, `\N` and the like would be Graphviz's own: none may be left, and so may no entity but that of `&`.
    assert not re.search(r"\\[^\"\\]", token[1:-1].replace("\\\\", ""))
    plain = re.sub(r"\\(.)", r"\1", token[1:-1])
    assert not re.search(r"&(?!amp;)", plain)
    return html.unescape(plain)


_MERMAID_NODE = re.compile(r'\s*(n\d+)[\[(]+"([^"]*)"[\])]+')
_MERMAID_ARC = re.compile(r'\s*(n\d+) -(?:-|\.-)>(?:\|"([^"]*)"\|)? (n\d+)')


def _mermaid(written: str) -> Parsed:
    first, *lines = written.splitlines()
    assert first == "flowchart LR"
    nodes, arcs, group = {}, [], ""
    for line in lines:
        # What Mermaid does to a line before it reads it; our lines must come out as they were.
        assert not re.search(r"(style|classDef).*:\S*#.*;", line)
        if found := re.fullmatch(r'\s*subgraph g\d+\["([^"]*)"\]', line):
            group = _mermaid_text(found[1])
        elif line.strip() == "end":
            group = ""
        elif found := _MERMAID_NODE.fullmatch(line):
            nodes[found[1]] = (group, _mermaid_text(found[2]))
        else:
            found = _MERMAID_ARC.fullmatch(line)
            assert found, line
            arcs.append((found[1], found[3], _mermaid_text(found[2] or "")))
    return Parsed(nodes, arcs)


def _mermaid_text(label: str) -> str:
    assert not set(re.sub(r"#\d+;", "", label)) & set('"#;<>&|[]{}()`%:\\ﬂ°¶ß')
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), label)


READERS = {Format.GRAPHML: _graphml, Format.DOT: _dot, Format.MERMAID: _mermaid}


def _shown(name: str, chosen: Format) -> str:
    """A name as a format shows it: XML keeps line breaks, pictures show them escaped, none has control characters."""
    kept = "\n\r\t" if chosen is Format.GRAPHML else ""
    return "".join(
        char if char.isprintable() or char in kept else char.encode("unicode_escape").decode() for char in name
    )


@pytest.mark.parametrize("chosen", READERS)
def test_columns_and_edges_come_back_from_every_graph_format(chosen: Format) -> None:
    found = READERS[chosen](text(_answer(ODD), chosen))
    labels = sorted(label for _, label in found.nodes.values())
    assert labels == sorted(["total", *(_shown(name, chosen) for name in ODD), "day", "(rows)"])
    assert found.labelled() == {
        *((_shown(name, chosen), "total", "aggregated: sum(amount)") for name in ODD),
        ("day", "(rows)", "filters: day > '2026-01-01'"),
        ("(rows)", "total", ""),
    }


@pytest.mark.parametrize("chosen", READERS)
def test_columns_are_grouped_by_dataset(chosen: Format) -> None:
    found = READERS[chosen](text(_answer(["a", "b"]), chosen))
    lake = "lake/" if chosen is Format.GRAPHML else ""
    assert {(group.removeprefix("a/").removeprefix("b/"), label) for group, label in found.nodes.values()} == {
        (f"{lake}out", "total"),
        (f"{lake}out", "(rows)"),
        ("a", "a"),
        ("b", "b"),
        (f"{lake}days", "day"),
    }


@pytest.mark.parametrize("chosen", READERS)
def test_datasets_and_jobs_come_back_from_every_graph_format(chosen: Format) -> None:
    found = READERS[chosen](text(_tables("etl", ODD), chosen))
    datasets = [start for start, end, _ in found.labelled() if end == "etl"]
    assert ("etl", "out", "") in found.labelled()
    # A dataset has the shortest end of its name that no other has: here often the whole of it.
    assert len(datasets) == len(ODD)
    for name in ODD:
        assert any(_shown(name, chosen).endswith(dataset.rsplit("/", 1)[-1]) for dataset in datasets)


@pytest.mark.parametrize("chosen", READERS)
def test_two_versions_of_a_column_are_two_nodes(chosen: Format) -> None:
    new, old = (FieldName("lake", "out", "x", version) for version in ("11111111-a", "22222222-b"))
    nodes = tuple(Node(name, "", at, Kind.IDENTITY, masked=False) for at, name in enumerate((new, old)))
    edges = (Edge(old, new, (_SUM,), None, None),)
    found = READERS[chosen](text(Answer(Direction.UPSTREAM, new, Moment(), nodes, edges), chosen))
    assert len(found.nodes) == 2
    assert len(found.arcs) == 1
    if chosen is not Format.GRAPHML:
        assert [group for group, _ in found.nodes.values()] == ["out@11111111", "out@22222222"]


def test_graphml_types_its_attributes() -> None:
    written = text(_answer(["a"]), Format.GRAPHML)
    kinds = {(found[1], found[2]) for found in re.finditer(r'attr.name="(\w+)" attr.type="(\w+)"', written)}
    assert {("distance", "int"), ("masked", "boolean"), ("type", "string"), ("carried", "boolean")} <= kinds


@pytest.mark.parametrize("chosen", READERS)
@pytest.mark.parametrize(("name", "said"), [("Diff", "A diff"), ("Impact", "An impact")])
def test_what_is_no_graph_is_refused_by_graph_formats(chosen: Format, name: str, said: str) -> None:
    class NoGraph:
        def to_dict(self) -> dict[str, object]:
            return {}

        def rows(self) -> list[dict[str, object]]:
            return [{"a": 1}]

    answer = type(name, (NoGraph,), {})()
    with pytest.raises(CannotExport, match=f"{said} is not a graph: write it as json or csv, not as {chosen.value}"):
        text(answer, chosen)
    assert text(answer, Format.CSV) == "a\r\n1\r\n"
