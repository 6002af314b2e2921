"""Small pictures: what is in them, what is left out, and that they look like the page."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from headwater.notebook.svg import Box, Line, picture
from headwater.notebook.svg_layout import MOST_BOXES, MOST_LAYERS, MOST_LINES

_CSS = Path(__file__).parents[2] / "web" / "src" / "shell" / "theme.css"
_EVIL = '<script>alert("1")</script> & co'


def _read(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)  # noqa: S314  our own


def _texts(drawn: str) -> list[str]:
    return ["".join(one.itertext()) for one in _read(drawn).iter("text")]


def _line(start: str, end: str, kind: str = "IDENTITY", title: str = "", *, masked: bool = False) -> Line:
    return Line((start, None), (end, None), kind, title, masked)


def _x_of(drawn: str, label: str) -> float:
    return next(float(one.attrib["x"]) for one in _read(drawn).iter("text") if "".join(one.itertext()) == label)


def test_the_colours_are_those_of_the_page_in_both_themes() -> None:
    css = _CSS.read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w{6});", part)) for part in css.split("data-theme", 1))
    kinds = ["IDENTITY", "TRANSFORMATION", "AGGREGATION", "INDIRECT"]
    lines = [*(_line("a", "b", kind) for kind in kinds), _line("a", "b", masked=True)]
    drawn = picture([[Box("a", "a")], [Box("b", "b")]], lines)
    used = dict(re.findall(r"var\(--hw-(\w+),(#\w{6})\)", drawn))
    assert used == {name: light[name] for name in used}
    assert {"copy", "transformed", "aggregated", "indirect", "masked", "ground", "ink"} <= set(used)
    assert set(re.findall(r"--hw-(\w+):(#\w{6})", drawn)) == {(name, dark[name]) for name in (*used, "raised")}


def test_names_and_titles_are_text_and_nothing_is_asked_of_elsewhere() -> None:
    drawn = picture([[Box("a", _EVIL, _EVIL, ((_EVIL, _EVIL),))], [Box("b", "b")]], [_line("a", "b", title=_EVIL)])
    assert {one.tag for one in _read(drawn).iter()} == {"svg", "style", "rect", "g", "path", "text", "title"}
    assert _EVIL in _texts(drawn)
    assert not re.search(r"https?:|url\(|@import|on\w+=", drawn)


def test_a_long_name_is_cut_and_whole_where_the_mouse_rests() -> None:
    drawn = picture([[Box("a", "x" * 300)]], [])
    assert [len(text) for text in _texts(drawn)] == [300 + 40]  # the title is in the text
    assert float(_read(drawn).attrib["width"]) < 400


def test_what_does_not_fit_is_left_out_and_said() -> None:
    rows = tuple((f"c{row}", "") for row in range(100))
    layers = [[Box("near", "near", rows=rows)], *([Box(f"{far} {at}", "far") for at in range(30)] for far in range(20))]
    lines = [_line("near", f"0 {at % MOST_BOXES}", title=str(at)) for at in range(MOST_LINES + 50)]
    drawn = picture(layers, lines)
    boxes = 20 * 30 - (MOST_LAYERS - 1) * MOST_BOXES
    assert _texts(drawn)[-1] == f"Not shown: {boxes} boxes, 80 rows, 50 lines."
    assert "+ 80 more" in _texts(drawn)
    assert len(list(_read(drawn).iter())) < 2_000


def test_a_line_to_a_row_that_is_not_drawn_ends_at_the_row_that_counts_the_others() -> None:
    rows = tuple((f"c{row}", "") for row in range(100))
    drawn = picture([[Box("a", "a", rows=rows)], [Box("b", "b")]], [Line(("a", 99), ("b", None), "IDENTITY", "")])
    path = next(one.attrib["d"] for one in _read(drawn).iter("path"))
    last = next(one for one in _read(drawn).iter("text") if one.text == "+ 80 more")
    assert abs(float(path.split()[1].partition("C")[0]) - float(last.attrib["y"])) < 6


def test_upstream_is_drawn_from_right_to_left_and_keeps_the_nearest() -> None:
    layers = [[Box(str(far), f"layer {far}")] for far in range(MOST_LAYERS + 1)]
    drawn = picture(layers, [], leftwards=True)
    assert _x_of(drawn, "layer 1") < _x_of(drawn, "layer 0")
    assert f"layer {MOST_LAYERS}" not in _texts(drawn)


def test_lines_that_go_back_or_stay_in_a_layer_are_drawn_too() -> None:
    layers = [[Box("a", "a"), Box("c", "c")], [Box("b", "b")]]
    drawn = picture(layers, [_line("b", "a"), _line("a", "c"), _line("a", "a")])
    assert len(list(_read(drawn).iter("g"))) == 3
