"""Rules in a file: what can be said, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.query.privacy.legs import Class
from headwater.query.privacy.rules import Carries, Rules, What
from headwater.query.privacy.rules_file import BadRules, read_rules

if TYPE_CHECKING:
    from pathlib import Path


def _read(folder: Path, text: str) -> Rules:
    file = folder / "rules.yml"
    file.write_text(text, encoding="utf-8")
    return read_rules(str(file))


def test_rules_are_read_as_they_are_written(tmp_path: Path) -> None:
    rules = _read(
        tmp_path,
        """
        personal: [Secret]
        survive: gold
        rules:
          - tags: ["retention*"]
            class: [aggregation, OPAQUE]
            masked: false
            carries: yes
          - what: description
            personal: true
            carries: may
          - {tags: PII, carries: no, name: never}
        """,
    )
    first, second, third = rules.own
    assert (first.classes, first.masked, first.tags) == (
        frozenset({Class.AGGREGATION, Class.OPAQUE}),
        False,
        ("retention*",),
    )
    assert [rule.carries for rule in rules.own] == [Carries.YES, Carries.MAY, Carries.NO]
    assert (second.what, second.personal) == (frozenset({What.DESCRIPTION}), True)
    assert (first.name, third.name) == ("rule 1", "never")
    assert (rules.survive, rules.is_personal("top secret"), rules.is_personal("pii")) == (("gold",), True, False)


def test_an_empty_file_has_the_usual_rules(tmp_path: Path) -> None:
    assert _read(tmp_path, "") == Rules()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[1]", "the file must be a mapping with these keys"),
        ("rule: []", "the file has an unknown key 'rule'; the keys are: personal, survive, rules"),
        ("rules: {}\nsurvive: 7", "survive must be a list of strings"),
        ("rules: 5", "rules must be a list"),
        ("rules: [x]", "rule 1 must be a mapping with these keys"),
        ("rules: [{carries: perhaps}]", "rule 1 must set carries to yes, no or may"),
        ("rules: [{carries: [1]}]", "rule 1 must set carries"),
        ("rules: [{tags: a}]", "rule 1 must set carries"),
        ("rules: [{carries: yes, klass: IDENTITY}]", "rule 1 has an unknown key 'klass'; the keys are"),
        (
            "rules: [{carries: yes}, {carries: yes, class: AGREGATION}]",
            "rule 2, class: 'AGREGATION' must be one of: IDENTITY",
        ),
        ("rules: [{carries: yes, masked: sometimes}]", "rule 1, masked must be true or false"),
        ("rules: [", "is not valid YAML: see line"),
    ],
)
def test_bad_rules_say_what_is_wrong_where(tmp_path: Path, text: str, error: str) -> None:
    with pytest.raises(BadRules, match=r"rules\.yml") as caught:
        _read(tmp_path, text)
    assert error in str(caught.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadRules, match=r"Cannot read .*: No such file"):
        read_rules(str(tmp_path / "none.yml"))
