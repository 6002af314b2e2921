"""Answers in a notebook: as a page, and as a frame of pandas."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from headwater.client.connect import connect
from headwater.notebook.html import table
from headwater.notebook.rows import NoPandas
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

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

EVIL = '<script>alert("1")</script>'
_STEP = Transformation("DIRECT", "TRANSFORMATION", masking=True, description=f"sha2({EVIL})")
_FILTER = Transformation("INDIRECT", "FILTER", masking=False, description="")


class Page(HTMLParser):
    """Reads a page: which elements there are, and the text in them."""

    def __init__(self, written: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(written)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.elements.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _answer(sources: int = 1) -> Answer:
    root = FieldName("lake", f"out {EVIL}", f"mail {EVIL}")
    origins = [FieldName("lake", "in", f"{EVIL} {number}") for number in range(sources)]
    nodes = [(root, 0), *((origin, 1) for origin in origins)]
    return Answer(
        Direction.UPSTREAM,
        root,
        Moment(),
        tuple(Node(name, EVIL, distance, Kind.IDENTITY, masked=False) for name, distance in nodes),
        (
            *(Edge(origin, root, (_STEP,), TableName("jobs", EVIL), "run", carried=True) for origin in origins),
            Edge(origins[0], root.rows, (_FILTER,), None, None),
        ),
        partial=True,
        provisional=True,
    )


def test_an_answer_about_a_column_is_a_sentence_a_picture_and_a_table() -> None:
    page = Page(_answer()._repr_html_())
    assert {"svg", "path", "table"} <= set(page.elements)
    assert "upstream of " in page.texts[0]
    assert page.texts[0].endswith("1 column; partial: the limit was reached; provisional: the run has not completed")
    assert {"from", "to", "how", "job", "carried"} <= set(page.texts)
    assert "assumed" not in page.texts


def test_the_columns_of_a_dataset_stand_in_its_box_with_lines_by_class_and_masking() -> None:
    page = Page(_answer(2)._repr_html_())
    assert page.elements.count("rect") == 3  # the ground, and a box for each dataset
    titles = [text for text in page.texts if " → " in text]
    assert [title.rpartition(" (job ")[0].endswith(f"transformed, masked: sha2({EVIL})") for title in titles] == [
        *(True, True),
        False,
    ]
    assert {"masked", "indirect"} <= set(page.texts)  # the legend


def test_nothing_from_outside_becomes_an_element() -> None:
    page = Page(_answer()._repr_html_())
    assert "script" not in page.elements
    assert page.open == []
    assert any(EVIL in text for text in page.texts)


def test_a_large_answer_has_a_part_of_its_picture_and_the_first_rows_of_its_table() -> None:
    page = Page(_answer(500)._repr_html_())
    assert "+ 480 more" in page.texts
    assert any(text.startswith("Not shown: 480 rows") for text in page.texts)
    assert len(page.elements) < 2_000
    assert page.elements.count("tr") == 51
    assert page.texts[-1] == "… and 451 more"


def test_an_answer_about_a_dataset_shows_its_jobs() -> None:
    out, job, source = (
        (TableKind.DATASET, TableName("lake", EVIL)),
        (TableKind.JOB, TableName("jobs", EVIL)),
        (TableKind.DATASET, TableName("lake", "in")),
    )
    answer = TableAnswer(
        Direction.UPSTREAM,
        out[1],
        Moment(),
        tuple(TableNode(*end, distance) for distance, end in enumerate((out, job, source))),
        (TableEdge(job, out, "run"), TableEdge(source, job, "run")),
    )
    page = Page(answer._repr_html_())
    assert "script" not in page.elements
    assert page.texts.count(f"job {EVIL}") == 3  # once in the picture, twice in the table
    assert [row["origin_type"] for row in answer.rows()] == ["JOB", "DATASET"]
    assert list(answer.to_pandas()["destination_name"]) == [EVIL, EVIL]


def test_rows_as_a_frame_of_pandas() -> None:
    frame = _answer(3).to_pandas()
    assert list(frame["origin_field"]) == [*(f"{EVIL} {number}" for number in range(3)), f"{EVIL} 0"]
    assert list(frame["dataset_level"]) == [False, False, False, True]


def test_a_frame_without_rows_has_its_columns() -> None:
    answer = _answer()
    empty = Answer(answer.direction, answer.root, answer.moment, answer.nodes[:1], ())
    assert list(empty.to_pandas().columns) == list(Answer.COLUMNS)


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(NoPandas, match="pip install pandas"):
        _answer().to_pandas()


def test_a_table_of_nothing_is_a_table() -> None:
    assert table([], ["name"]) == "<table><tr><th>name</th></tr></table>"


def test_every_kind_of_answer_has_its_columns_and_is_shown_in_a_notebook(store: Store, maker: EventMaker) -> None:
    odd = f"out {EVIL}"
    store.ingest(
        [
            maker(1, out=odd, columns={"x": ["in.x"]}),
            maker(2, out=odd, columns={"x": ["in.x TRANSFORMATION", "in.y"]}),
        ]
    )
    with connect(f"sqlite:///{store.path}") as lineage:
        answers = [
            lineage.upstream(f"lake/{odd}", "x"),
            lineage.upstream(f"lake/{odd}"),
            lineage.impact("lake/in"),
            lineage.diff(f"lake/{odd}", since=maker.us(1)),
            lineage.history(f"lake/{odd}", "x"),
            lineage.search("out"),
        ]
        nothing = [lineage.impact(f"lake/{odd}"), lineage.history("lake/in", "x"), lineage.search("zzzzzz")]
    for answer in answers:
        rows = answer.rows()
        assert rows
        assert [tuple(row) for row in rows] == [answer.COLUMNS] * len(rows)
        assert list(answer.to_pandas().columns) == list(answer.COLUMNS)
        page = Page(answer._repr_html_())
        assert "script" not in page.elements
        assert "table" in page.elements
    for empty in nothing:
        assert list(empty.to_pandas().columns) == list(empty.COLUMNS)
        assert len(empty.to_pandas()) == 0
        assert empty._repr_html_()
