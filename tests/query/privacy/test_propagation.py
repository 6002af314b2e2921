"""Which tags, terms and descriptions reach a field: each rule, and what holds for every graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.query.privacy.conftest import edge, field

from headwater.query.privacy.legs import Class, map_of
from headwater.query.privacy.propagation import Marks, Verdict, carried
from headwater.query.privacy.rules import DEFAULTS, PERSONAL, Carries, Rule, Rules, Thing, What

if TYPE_CHECKING:
    from headwater.query.graph.answer import Edge
    from headwater.query.privacy.propagation import Outcome

_DOCS = Path(__file__).parents[3] / "docs" / "datahub.md"
_ALL = Marks(frozenset({"PII", "gold", "glossaryTerm:Revenue"}), description="The amount.")


def _outcomes(edges: list[str], marks: dict[str, Marks] | None = None, rules: Rules = Rules()) -> list[Outcome]:  # noqa: B008
    named = {field(name): mark for name, mark in (marks or {"a": _ALL}).items()}
    return carried(named, map_of(map(edge, edges)), rules)


def _at(outcomes: list[Outcome], name: str) -> dict[str, str]:
    return {outcome.name: outcome.verdict.value for outcome in outcomes if outcome.field == field(name)}


@pytest.mark.parametrize(
    ("how", "pii", "gold", "term", "words"),
    [
        ("IDENTITY", "carried", "carried", "carried", "carried"),
        ("TRANSFORMATION", "carried", "carried", "carried", "stopped"),
        ("AGGREGATION", "stopped", "stopped", "stopped", "stopped"),
        ("FILTER", "stopped", "stopped", "stopped", "stopped"),
        ("", "may", "may", "may", "stopped"),
        ("IDENTITY MASKED", "stopped", "carried", "carried", "stopped"),
        ("TRANSFORMATION MASKED", "stopped", "carried", "carried", "stopped"),
        ("AGGREGATION MASKED", "stopped", "stopped", "stopped", "stopped"),
        ("MASKED", "stopped", "may", "may", "stopped"),
        ("CUSTOM", "may", "may", "may", "stopped"),
    ],
)
def test_each_class_carries_what_the_rules_say(how: str, pii: str, gold: str, term: str, words: str) -> None:
    expected = {"PII": pii, "gold": gold, "glossaryTerm:Revenue": term, "The amount.": words}
    assert _at(_outcomes([f"a > b {how}"]), "b") == expected


def test_the_docs_have_the_table_of_rules() -> None:
    def row(rule: Rule) -> str:
        classes = (
            "all"
            if rule.classes == frozenset(Class)
            else ", ".join(outcome.value for outcome in Class if outcome in rule.classes)
        )
        masked = {None: "", True: "masked", False: "not masked"}[rule.masked]
        kinds = ", ".join(outcome.value for outcome in What if outcome in rule.what)
        tags = "personal" if rule.personal else "all"
        return f"| {rule.name} | {classes} | {masked} | {kinds} | {tags} | {rule.carries.value} |"

    lines = _DOCS.read_text(encoding="utf-8").splitlines()
    head = lines.index("| rule | class | masking | what | tags | carries |")
    shown = lines[head + 2 : lines.index("", head)]
    assert shown == [row(rule) for rule in DEFAULTS]
    assert f"{', '.join(PERSONAL[:-1])} and {PERSONAL[-1]}" in " ".join(lines)


def test_what_is_declared_to_survive_goes_through_an_aggregation_but_not_masked() -> None:
    rules = Rules(survive=("pii", "GO*"))
    assert _at(_outcomes(["a > b AGGREGATION"], rules=rules), "b")["PII"] == "carried"
    assert _at(_outcomes(["a > b AGGREGATION"], rules=rules), "b")["gold"] == "carried"
    assert _at(_outcomes(["a > b AGGREGATION MASKED"], rules=rules), "b")["PII"] == "stopped"


def test_a_users_rule_goes_before_the_usual_ones() -> None:
    own = Rule("ours", Carries.NO, frozenset({Class.IDENTITY}), tags=("gold",))
    outcomes = _outcomes(["a > b IDENTITY"], rules=Rules((own,)))
    assert _at(outcomes, "b")["gold"] == "stopped"
    assert _at(outcomes, "b")["PII"] == "carried"
    assert [outcome.rule for outcome in outcomes if outcome.name == "gold"] == ["ours"]


def test_what_is_stopped_says_by_which_leg_and_goes_no_further() -> None:
    outcomes = _outcomes(
        ["a > b IDENTITY", "b > c TRANSFORMATION MASKED", "c > d IDENTITY"], {"a": Marks(frozenset({"PII"}))}
    )
    (stopped,) = (outcome for outcome in outcomes if outcome.verdict is Verdict.STOPPED)
    assert (stopped.field, stopped.rule) == (field("c"), "masked personal")
    assert [(leg.origin, leg.destination) for leg in stopped.path] == [
        (field("a"), field("b")),
        (field("b"), field("c")),
    ]
    assert _at(outcomes, "d") == {}


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ("MASKED keyed", "unmask", "carried"),
        ("MASKED keyed", "may-unmask", "may"),
        ("MASKED", "unmask", "carried"),
        ("MASKED irreversible", "unmask", None),
        ("MASKED keyed", "", None),
        ("MASKED partial", "", "may"),
    ],
)
def test_a_tag_comes_back_with_the_values_that_are_unmasked(first: str, second: str, verdict: str | None) -> None:
    legs = [f"a > b TRANSFORMATION {first}", "b > c IDENTITY", f"c > d TRANSFORMATION {second}", "d > e IDENTITY"]
    outcomes = _outcomes(legs, {"a": Marks(frozenset({"PII"}))})
    assert _at(outcomes, "e").get("PII") == verdict
    assert _at(outcomes, "c").get("PII") == ("may" if "partial" in first else None)
    for outcome in outcomes:
        if outcome.field == field("e"):
            assert [leg.destination for leg in outcome.path] == [field(name) for name in "bcde"]


def test_of_two_ways_the_one_that_carries_wins_and_the_other_is_said() -> None:
    outcomes = _outcomes(
        ["a > b TRANSFORMATION MASKED", "a > c IDENTITY", "c > b IDENTITY"], {"a": Marks(frozenset({"PII"}))}
    )
    (outcome,) = (outcome for outcome in outcomes if outcome.field == field("b"))
    assert (outcome.verdict, len(outcome.path)) == (Verdict.CARRIED, 2)
    assert outcome.stopped_at is not None
    assert (outcome.stopped_at.origin, outcome.stopped_at.how.masking) == (field("a"), True)


def test_the_shortest_way_is_shown_and_a_circle_ends() -> None:
    outcomes = _outcomes(
        ["a > b IDENTITY", "b > c IDENTITY", "c > a IDENTITY", "a > c IDENTITY"], {"a": Marks(frozenset({"x"}))}
    )
    assert {outcome.field.field: (outcome.verdict.value, len(outcome.path)) for outcome in outcomes} == {
        "a": ("kept", 2),
        "b": ("carried", 1),
        "c": ("carried", 1),
    }


def test_what_a_field_has_of_its_own_is_kept() -> None:
    marks = {"a": _ALL, "b": Marks(frozenset({"gold"}), description="Net of tax.")}
    outcomes = _outcomes(["a > b IDENTITY", "b > c IDENTITY"], marks)
    at_b = _at(outcomes, "b")
    assert (at_b["gold"], at_b["PII"], at_b["The amount."]) == ("kept", "carried", "kept")
    # Its own description is what goes on from there.
    assert "Net of tax." in _at(outcomes, "c")
    assert "The amount." not in _at(outcomes, "c")


def test_what_a_person_took_away_does_not_come_back_nor_go_on() -> None:
    outcomes = _outcomes(["a > b IDENTITY", "b > c IDENTITY"], {"a": _ALL, "b": Marks(refused=frozenset({"PII"}))})
    assert _at(outcomes, "b")["PII"] == "refused"
    assert "PII" not in _at(outcomes, "c")
    assert _at(outcomes, "c")["gold"] == "carried"


@pytest.mark.parametrize(
    ("tag", "personal"),
    [
        ("PII", True),
        ("contains_pii", True),
        ("CustomerEmail", True),
        ("GDPR:art9", True),
        ("pipeline", False),
        ("gold", False),
    ],
)
def test_a_tag_is_personal_by_its_words(tag: str, personal: bool) -> None:  # noqa: FBT001  a parameter
    assert Rules().is_personal(tag) is personal


_HOWS = [
    "IDENTITY",
    "TRANSFORMATION",
    "AGGREGATION",
    "",
    "FILTER",
    "IDENTITY MASKED",
    "TRANSFORMATION MASKED",
    "MASKED",
    "TRANSFORMATION MASKED keyed",
    "TRANSFORMATION MASKED irreversible",
    "TRANSFORMATION unmask",
    "TRANSFORMATION may-unmask",
]
_FIELDS = st.sampled_from(["t.a", "t.b", "u.a", "u.b", "v.a"])
_BETWEEN = st.builds(lambda a, b, how: f"{a} > {b} {how}", _FIELDS, _FIELDS, st.sampled_from(_HOWS))
_EDGES = st.lists(_BETWEEN | _FIELDS.map(lambda name: f"{name} > u.* FILTER"), max_size=9)
_MARKS = st.dictionaries(
    _FIELDS,
    st.builds(Marks, tags=st.frozensets(st.sampled_from(["PII", "gold"])), description=st.sampled_from(["", "words"])),
    min_size=1,
    max_size=3,
)


def _arrived(outcomes: list[Outcome]) -> set[tuple[object, What, str]]:
    return {(outcome.field, outcome.what, outcome.name) for outcome in outcomes if outcome.arrives}


@settings(max_examples=150)
@given(edges=_EDGES, marks=_MARKS, more=_EDGES, order=st.randoms(use_true_random=False))
def test_for_every_graph(edges: list[str], marks: dict[str, Marks], more: list[str], order: object) -> None:
    outcomes = _outcomes(edges, marks)
    # The order of the edges does not matter.
    shuffled = list(edges)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    assert _outcomes(shuffled, marks) == outcomes
    # Whatever more edges there are, what arrived still does.
    assert _arrived(outcomes) <= _arrived(_outcomes([*edges, *more], marks))
    given_edges = [edge(words) for words in edges]
    for outcome in outcomes:
        _check_path(outcome, given_edges, marks)
    # Where every edge masks, nothing personal arrives.
    unmasked = {each.destination for each in given_edges if not each.transformations[0].masking}
    assert not any(outcome.arrives for outcome in outcomes if outcome.name == "PII" and outcome.field not in unmasked)


def _check_path(outcome: Outcome, edges: list[Edge], marks: dict[str, Marks]) -> None:
    """Every leg is an edge, each begins where the one before ended, and the way leads from a mark to the field."""
    known = {(each.origin, each.destination, each.transformations[0]) for each in edges}
    assert all((leg.origin, leg.destination, leg.how) in known for leg in outcome.path)
    for before, after in zip(outcome.path, outcome.path[1:], strict=False):
        assert after.origin in {before.destination, after.origin if before.destination == after.origin.rows else None}
    assert outcome.path[-1].destination in {outcome.field, outcome.field.rows}
    start = next(mark for name, mark in marks.items() if field(name) == outcome.path[0].origin)
    assert outcome.name in {*start.tags, start.description}
    rules = [Rules().of(Thing(outcome.what, outcome.name), leg.how).carries for leg in outcome.path]
    assert (rules[-1] is Carries.NO) is (outcome.verdict is Verdict.STOPPED)
    # What is stopped on the way comes back only where something undoes, or may undo, the masking that stopped it.
    for place, leg in enumerate(outcome.path[:-1]):
        if rules[place] is Carries.NO:
            assert leg.how.masking
            assert leg.how.effect != "irreversible"
            assert any(later.how.effect or not later.how.subtype for later in outcome.path[place + 1 :])
