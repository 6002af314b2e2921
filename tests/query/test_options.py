"""The options of Python's methods are those of the questions that they make."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from headwater.query.options import DiffOptions, FollowOptions, PiiOptions, TimeOptions, WalkOptions
from headwater.query.questions import DiffOf, Follow, ImpactOf, PiiOf, Provenance, Question, RootsOf


@pytest.mark.parametrize(
    ("question", "options", "given"),
    [
        (Follow, FollowOptions, {"direction", "dataset", "column"}),
        (Provenance, WalkOptions, {"dataset", "version", "column"}),
        (RootsOf, TimeOptions, {"dataset", "column"}),
        (ImpactOf, TimeOptions, {"dataset", "column"}),
        (PiiOf, PiiOptions, {"dataset", "column"}),
        (DiffOf, DiffOptions, {"dataset", "column"}),
    ],
)
def test_a_method_has_every_part_of_its_question_and_no_other(
    question: type[Question[Any]], options: type, given: set[str]
) -> None:
    assert {field.name for field in fields(question)} == given | options.__annotations__.keys()
