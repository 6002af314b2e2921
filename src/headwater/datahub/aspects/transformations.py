"""Transformations in the words of DataHub's aspects, and back.

`transformOperation` is free text there. Headwater writes what DataHub's own OpenLineage converter writes, and adds what
the converter loses: `DIRECT:TRANSFORMATION:MASKED_IRREVERSIBLE: sha2(email, 256)`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from headwater.common.masking import EFFECTS, Masking

IDENTITY = "com.linkedin.finegrainedmetadata.transformation.Identity"
"""The RFC's function for a pure copy."""
BLACK_BOX = "com.linkedin.finegrainedmetadata.transformation.BlackBox"
"""The RFC's function for an unknown transformation."""
MASKED = "MASKED"
_ONE = r"(?:DIRECT|INDIRECT)(?::[A-Z_0-9]+){0,2}"
_WRITTEN = re.compile(rf"(?P<head>{_ONE}(?:,{_ONE})*)(?:: (?P<words>.*))?", re.DOTALL)
_SUBTYPE = re.compile("[A-Z_0-9]+")
# DataHub's own SQL parser writes these before the expression.
_COPY, _SQL = "COPY:", "SQL:"


class Step(NamedTuple):
    """One transformation, in OpenLineage's words."""

    type: str
    subtype: str = ""
    masking: Masking = Masking.NONE
    description: str = ""


UNKNOWN = Step("DIRECT")
"""A value goes into another in an unknown way."""


def operation_of(steps: Sequence[Step]) -> str | None:
    """The transformOperation for the steps of one input; several have no description.

    >>> operation_of([Step("DIRECT", "IDENTITY"), Step("INDIRECT", "FILTER")])
    'DIRECT:IDENTITY,INDIRECT:FILTER'
    >>> operation_of([Step("DIRECT", "TRANSFORMATION", Masking.KEYED, "aes_encrypt(email)")])
    'DIRECT:TRANSFORMATION:MASKED_KEYED: aes_encrypt(email)'
    """
    if tuple(steps) == (UNKNOWN,):
        return None
    if len(steps) == 1 and steps[0] == Step("DIRECT", description=steps[0].description):
        words = steps[0].description
        # A text that another tool wrote goes back as it was.
        return words if steps_of(words) == [steps[0]] else f"DIRECT: {words}"
    text = ",".join(
        ":".join(filter(None, (step.type, step.subtype if _plain(step.subtype) else "", _mark(step.masking))))
        for step in steps
    )
    return f"{text}: {steps[0].description}" if len(steps) == 1 and steps[0].description else text


@lru_cache(maxsize=10_000)
def _steps(operation: str) -> tuple[Step, ...]:
    """Cached, as the same text comes with many fields."""
    return tuple(_read(operation))


def steps_of(operation: str | None) -> list[Step]:
    """The steps of a transformOperation; any text that is not ours is a description.

    >>> steps_of("DIRECT:IDENTITY,INDIRECT:FILTER")[1]
    Step(type='INDIRECT', subtype='FILTER', masking=<Masking.NONE: 0>, description='')
    >>> steps_of("COPY: `a`")
    [Step(type='DIRECT', subtype='IDENTITY', masking=<Masking.NONE: 0>, description='')]
    >>> steps_of("concat(a, b)")
    [Step(type='DIRECT', subtype='', masking=<Masking.NONE: 0>, description='concat(a, b)')]
    """
    return list(_steps(operation)) if operation else [UNKNOWN]


def _read(operation: str) -> list[Step]:
    match = _WRITTEN.fullmatch(operation)
    steps = [_step(text, match["words"] or "") for text in match["head"].split(",")] if match else [None]
    if match is None or None in steps:
        if operation == "IDENTITY" or operation.startswith(_COPY):
            return [Step("DIRECT", "IDENTITY")]
        return [Step("DIRECT", description=operation.removeprefix(_SQL).strip() or operation)]
    return [step for step in steps if step is not None]


def _step(text: str, words: str) -> Step | None:
    """A step from its type, subtype and mark, of which the last two may be missing; None if it has more than that."""
    type_, *rest = text.split(":")
    masking = _MARKS[rest.pop()] if rest and rest[-1] in _MARKS else Masking.NONE
    return None if len(rest) > 1 else Step(type_, rest[0] if rest else "", masking, words)


def _mark(masking: Masking) -> str:
    """What a step does to masking, as a word: MASKED alone where nobody says how.

    >>> _mark(Masking.UNKNOWN), _mark(Masking.KEYED), _mark(Masking.MAY_UNMASK)
    ('MASKED', 'MASKED_KEYED', 'MAYUNMASK')
    """
    if masking == Masking.UNKNOWN:
        return MASKED
    words = masking.words.upper().replace("-", "").split()
    return "_".join([*([MASKED] if masking.masks else []), *words])


_MARKS = {_mark(effect): effect for effect in EFFECTS if effect}


def function_of(step: Step) -> str:
    """The RFC's transformationFunction: Identity, the expression, or BlackBox where there is none.

    >>> function_of(Step("DIRECT", "IDENTITY")) == IDENTITY
    True
    >>> function_of(Step("DIRECT", "AGGREGATION", description="sum(a)"))
    'sum(a)'
    """
    if step.subtype == "IDENTITY" and not step.masking:
        return IDENTITY
    return step.description or BLACK_BOX


def step_of(function: str | None) -> Step:
    """The step of a transformationFunction; without one it is BlackBox, as in the RFC.

    >>> step_of(IDENTITY).subtype, step_of(None) == UNKNOWN, step_of("a + b").description
    ('IDENTITY', True, 'a + b')
    """
    if not function or function in {BLACK_BOX, "BLACKBOX"}:
        return UNKNOWN
    return Step("DIRECT", "IDENTITY") if function in {IDENTITY, "IDENTITY"} else Step("DIRECT", description=function)


def _plain(subtype: str) -> bool:
    return _SUBTYPE.fullmatch(subtype) is not None and subtype not in _MARKS
