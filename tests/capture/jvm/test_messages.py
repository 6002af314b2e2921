"""Messages of the listener without a JVM: what a statement that is ended leaves for later ones."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.capture.jvm.messages import statement_of, without_changed
from headwater.rules.plan.budget import Exceeded
from headwater.rules.plan.sources import Column
from headwater.rules.plan.tree import CatalogOf, Described, Expr, Plan
from headwater.rules.session.links import Links
from headwater.rules.session.variables import Value, Variables

SYSTEM = Described("catalog", catalog=CatalogOf("system"))
SCRIPT = "BEGIN FOR SELECT a FROM t DO SELECT a; END FOR; END"
LAKE = {"lake": {"": "org.apache.iceberg.spark.SparkCatalog", "type": "hadoop", "warehouse": "/lake"}}
VARIABLE = Plan("ResolvedIdentifier", args={"catalog": SYSTEM, "identifier": ("session", "v")})


def message(root: str, *, attribute: str | None = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 (JSON)
    """A message with a plan of one node, which has at most one column."""
    output = [] if attribute is None else [1]
    nodes = [[0, output], *([[1, 7, attribute, 0, True]] if output else [])]
    plan = {"classes": [["p", root, []], ["a", "AttributeReference", []]], "types": ["integer"], "nodes": nodes}
    return {"event": "end", "id": 1, "session": "s", "plan": plan, **more}


def loop() -> dict[str, Any]:
    """The query of a nameless loop at an unknown place."""
    before = SCRIPT[: SCRIPT.index("SELECT")]
    told = {"link": "toLocalIterator", "script": SCRIPT, "before": before, "sql": SCRIPT}
    return message("OneRowRelation", attribute="a", **told)


def row(links: Links) -> Value | None:
    """The value of the loop's row."""
    variables = links.variables
    variables.session, variables.text = "s", ""
    return variables.row(Plan("ResolvedIdentifier", args={"catalog": SYSTEM, "identifier": ("x", "a")}))


def test_a_loop_that_is_noted_twice_because_the_first_time_was_ended_is_one_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    links, noted = Links(), 0
    note = Variables.loop

    def ended_at_first(variables: Variables, *told: Any) -> None:  # noqa: ANN401
        nonlocal noted
        note(variables, *told)
        noted += 1
        if noted == 1:
            raise Exceeded("time")

    monkeypatch.setattr(Variables, "loop", ended_at_first)
    statement_of(loop(), links)

    value = row(links)
    assert noted == 2
    assert value is not None
    assert "FOR" not in value.opaque


def test_after_a_statement_that_could_not_be_analyzed_the_variables_it_may_have_set_are_unknown() -> None:
    links = Links()
    links.variables.session = "s"
    links.variables.set(VARIABLE, Value(Column({(): {}}, "1")), {})
    reference = Expr("VariableReference", args={"catalog": SYSTEM, "identifier": ("session", "v"), "varDef": None})

    after_query = without_changed(message("Project"), links)
    after_set = without_changed(message("SetVariable"), links)
    after_other = without_changed({**message("SetVariable"), "session": "another"}, links)

    assert after_query is links
    assert after_set.variables.value(reference) is None
    assert links.variables.value(reference) is not None
    after_other.variables.session = "s"
    assert after_other.variables.value(reference) is not None


def test_after_a_loop_that_could_not_be_analyzed_its_rows_are_unknown() -> None:
    links = Links()
    statement_of(loop(), links)

    after = without_changed(loop(), links)

    known, unknown = row(links.branch()), row(after)
    assert known is not None
    assert not known.opaque
    assert unknown is not None
    assert unknown.opaque == {"FOR": 1}


def test_only_the_root_is_decoded_and_the_table_that_it_writes() -> None:
    relation = {"d": "v2", "class": "x.SparkTable", "name": "t", "location": "file:/lake/t", "provider": "iceberg"}
    plan = {
        "classes": [
            ["p", "AppendData", ["table", "query"]],
            ["p", "DataSourceV2Relation", ["table", "catalog", "identifier"]],
            ["p", "OneRowRelation", []],
        ],
        "types": [],
        "nodes": [[0, [], 1, 2], [1, [], relation, {"d": "catalog", "name": "lake"}, ["db", "t"]], [2, []]],
    }
    found = statement_of({"event": "start", "id": 2, "plan": plan, "catalogs": LAKE}, Links(), shallow=True)
    assert found is not None
    (written,) = found.writes
    assert (written.dataset.location, written.dataset.table) == ("file:/lake/t", ("lake", "db", "t"))
    assert written.dataset.catalog == CatalogOf("lake", "hadoop", "iceberg", "/lake")
