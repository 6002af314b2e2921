"""Where fields go, as text: the steps that mask and those that unmask."""

from __future__ import annotations

from tests.query.privacy.conftest import edge, field

from headwater.query.graph.answer import Moment
from headwater.query.privacy.exposure import exposed
from headwater.query.privacy.legs import map_of
from headwater.query.privacy.pii import Pii, Source
from headwater.render.text.pii import pii_lines


def _text(*edges: str) -> list[str]:
    reached = exposed({field("src.mail")}, map_of(map(edge, edges)))
    source = Source(field("src.mail"), ("PII",), reached)
    return [line.plain for line in pii_lines(Pii(Moment(), (source,), (), partial=False))]


def test_the_steps_that_mask_and_unmask_are_shown() -> None:
    lines = _text("src.mail > vault.m TRANSFORMATION MASKED keyed", "vault.m > report.m TRANSFORMATION unmask")
    assert lines[1:8] == [
        "In the clear: 1 column",
        "  report.m",
        "    src.mail → vault.m → report.m",
        "    masked with a key at vault.m by job: of src.mail",
        "    unmasked at report.m by job: of vault.m",
        "Masked: 1 column",
        "  vault.m",
    ]


def test_what_may_be_unmasked_and_what_is_masked_in_part() -> None:
    lines = _text(
        "src.mail > vault.m TRANSFORMATION MASKED keyed",
        "vault.m > code.m TRANSFORMATION may-unmask",
        "src.mail > card.m TRANSFORMATION MASKED partial",
        "src.mail > once.m TRANSFORMATION unmask possible",
    )
    assert "    possibly unmasked at code.m by job: of vault.m" in lines
    assert "    possibly unmasked at once.m by job: of src.mail" in lines
    at = lines.index("Partly masked, and readable in part: 1 column")
    assert lines[at + 1 : at + 4] == [
        "  card.m",
        "    src.mail → card.m",
        "    masked in part at card.m by job: of src.mail",
    ]
