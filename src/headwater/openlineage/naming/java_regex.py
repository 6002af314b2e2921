"""Java's regular expressions, as in the settings of the OpenLineage agent."""

from __future__ import annotations

import re
import warnings

# Escaped characters match whole, so that `\(?<` is not mistaken for the start of a group.
_JAVAS_OWN = re.compile(r"\\k<(?P<again>\w+)>|\\z|\\.|\(\?<(?![=!])", re.DOTALL)


def compile_java(pattern: str, setting: str) -> re.Pattern[str]:
    r"""The pattern for Python: named groups have another syntax, and `\d`, `\w`, `\s` mean ASCII.

    Patterns beyond Python (`\p{Alpha}`, `[a-z&&[^b]]`) raise a ValueError that names the setting to change.

    >>> compile_java(r"(?<cluster>\w+)-\d+\.(?<!x)corp", "regex").pattern
    '(?P<cluster>\\w+)-\\d+\\.(?<!x)corp'
    """
    try:
        with warnings.catch_warnings():
            # Python warns where a pattern has another meaning in Java: a set in a set, flags in the middle.
            warnings.simplefilter("error")
            return re.compile(_JAVAS_OWN.sub(_in_python, pattern), re.ASCII)
    except (re.error, Warning) as problem:
        raise ValueError(
            f"{setting} is not a regular expression that Headwater can use ({problem}): {pattern!r}. Use syntax"
            " that Java and Python share, or remove the setting."
        ) from None


def _in_python(match: re.Match[str]) -> str:
    if match["again"] is not None:
        return f"(?P={match['again']})"
    return {r"\z": r"\Z", "(?<": "(?P<"}.get(match[0], match[0])
