"""Regular expressions as the OpenLineage agent's users wrote them: in Java's words."""

from __future__ import annotations

import re
import warnings

# An escaped character is taken along whole, so that `\(?<` is not mistaken for the start of a group.
_JAVAS_OWN = re.compile(r"\\k<(?P<again>\w+)>|\\z|\\.|\(\?<(?![=!])", re.DOTALL)


def compile_java(pattern: str, setting: str) -> re.Pattern[str]:
    r"""The pattern for Python: named groups are written in another way, and `\d`, `\w`, `\s` mean ASCII.

    What Python cannot do (`\p{Alpha}`, `[a-z&&[^b]]`) is a ValueError that says which setting to change.

    >>> compile_java(r"(?<cluster>\w+)-\d+\.(?<!x)corp", "regex").pattern
    '(?P<cluster>\\w+)-\\d+\\.(?<!x)corp'
    """
    try:
        with warnings.catch_warnings():
            # Python warns where a pattern does not mean what it means in Java: a set in a set, flags in the middle.
            warnings.simplefilter("error")
            return re.compile(_JAVAS_OWN.sub(_in_python, pattern), re.ASCII)
    except (re.error, Warning) as problem:
        raise ValueError(
            f"{setting} is not a regular expression that Headwater can use ({problem}): {pattern!r}. Use syntax"
            " that Java and Python share, or remove the setting."
        ) from None


def _in_python(found: re.Match[str]) -> str:
    if found["again"] is not None:
        return f"(?P={found['again']})"
    return {r"\z": r"\Z", "(?<": "(?P<"}.get(found[0], found[0])
