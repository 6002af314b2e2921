"""FOR loops of scripts by themselves: which loop a row is of."""

from __future__ import annotations

from tests.rules.plans import known

from headwater.rules.session.loops import Loops

UUID = "6d023deb-381f-4322-8a3f-f472d5bb93ae"
SCRIPT = "BEGIN FOR SELECT a, b FROM t DO FOR SELECT a, c FROM u DO SELECT a; END FOR; END FOR; SELECT a; END"
OUTER, INNER = SCRIPT.index("SELECT a, b"), SCRIPT.index("SELECT a, c")


def begin(loops: Loops, query: str, at: int | None, *, before: str = "", script: str = SCRIPT) -> None:
    table, _, names = query.partition(".")
    loops.begin("s", known(table, *names), script, before or script[:at], at)


def tables(loops: Loops, label: str, column: str, session: str = "s") -> list[str]:
    return [dataset.short_name for loop in loops.of(session, label, column) for dataset in loop.query.reads]


def test_a_row_with_a_name_is_of_the_loop_with_this_name() -> None:
    loops = Loops()
    begin(loops, "t.ab", 10, before="BEGIN FOR `My Row` AS (")
    begin(loops, "u.ab", 40, before="BEGIN FOR other AS")

    assert tables(loops, "my row", "a") == tables(loops, "my row", "b") == ["t"]
    assert tables(loops, "other", "b") == ["u"]
    assert tables(loops, "my row", "c") == [], "the row has no such column"
    assert tables(loops, "my row", "a", session="another") == []


def test_a_loop_with_the_same_name_takes_its_place() -> None:
    loops = Loops()
    begin(loops, "t.ab", 10, before="FOR row AS")
    begin(loops, "u.ab", 40, before="FOR row AS")

    assert tables(loops, "row", "a") == ["u"]


def test_a_row_without_a_name_is_of_the_open_loop_that_begins_with_its_first_column() -> None:
    loops = Loops()
    begin(loops, "t.xy", OUTER)
    begin(loops, "u.ab", INNER)

    assert tables(loops, UUID, "a") == ["u"]
    assert tables(loops, UUID, "b") == ["u"], "the columns of a row are set in their order"
    assert tables(loops, UUID.replace("6", "7"), "b") == [], "a row begins with its first column"


def test_a_row_that_may_be_of_two_loops_is_of_both_until_a_column_tells() -> None:
    loops = Loops()
    begin(loops, "t.ab", OUTER)
    begin(loops, "u.ac", INNER)

    assert tables(loops, UUID, "a") == ["t", "u"]
    assert tables(loops, UUID, "c") == ["u"]
    assert tables(loops, UUID, "a") == ["u"]


def test_a_loop_that_is_over_has_no_more_rows() -> None:
    loops = Loops()
    after = SCRIPT.index("SELECT a; END", INNER + 30)
    begin(loops, "t.ab", OUTER)
    begin(loops, "u.ac", INNER)
    begin(loops, "v.az", after)

    assert tables(loops, UUID, "a") == ["v"]


def test_where_places_are_unknown_any_loop_may_be_open() -> None:
    loops = Loops()
    begin(loops, "t.ab", OUTER)
    begin(loops, "u.ac", None, before="FOR")
    begin(loops, "v.ad", len(SCRIPT), before="FOR")

    assert tables(loops, UUID, "a") == ["u", "v"]


def test_the_loops_of_another_script_are_over() -> None:
    loops = Loops()
    begin(loops, "t.ab", OUTER)
    begin(loops, "u.ab", OUTER, script=SCRIPT + " ")

    assert tables(loops, UUID, "a") == ["u"]


def test_a_loop_whose_name_could_not_be_read_gets_it_from_its_rows() -> None:
    loops = Loops()
    begin(loops, "t.ab", None, before="a text that was cut")

    assert tables(loops, "row", "a") == ["t"]
    assert tables(loops, UUID, "a") == [], "the loop's rows have a name"
    assert tables(loops, "row", "b") == ["t"]


def test_a_made_up_name_does_not_name_a_loop() -> None:
    loops = Loops()
    begin(loops, "t.ab", None, before="a text that was cut")

    assert tables(loops, UUID, "a") == ["t"]
    assert tables(loops, UUID.replace("6", "7"), "a") == ["t"], "the next turn makes up another one"


def test_rows_may_be_of_a_later_loop_whose_name_could_not_be_read() -> None:
    loops = Loops()
    begin(loops, "t.ab", 10, before="FOR row AS")
    begin(loops, "u.ac", 40, before="a text that was cut")

    assert tables(loops, "row", "a") == ["t", "u"]

    early = Loops()
    begin(early, "u.ac", 10, before="a text that was cut")
    begin(early, "t.ab", 40, before="FOR row AS")

    assert tables(early, "row", "a") == ["t"], "the one with the name came later"


def test_inside_a_loop_is_between_its_query_and_its_end() -> None:
    loops = Loops()
    begin(loops, "t.a", OUTER)
    (loop,) = loops.of("s", UUID, "a")

    assert loop.end == SCRIPT.index("END FOR; SELECT")
    assert not loop.is_around(OUTER)
    assert loop.is_around(OUTER + 1)
    assert not loop.is_around(loop.end)
    assert loop.is_around(loop.end - 1)
    assert loop.is_around(None)
    assert loop._replace(at=None).is_around(0)
    assert loop._replace(end=None).is_around(len(SCRIPT))
