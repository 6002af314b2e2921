"""Spark's settings under our prefix and under that of OpenLineage's agent, as typed values.

Nothing here raises: an invalid setting keeps its default, and a message names its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from uuid import UUID

OURS = "spark.headwater."
THEIRS = "spark.openlineage."


class Conf:
    """The settings of both prefixes, by key without the prefix; ours win.

    Attributes:
        problems: a message for each invalid setting.

    >>> conf = Conf({"spark.openlineage.namespace": "a", "spark.headwater.namespace": "b", "spark.headwater.x": "y"})
    >>> conf.text("namespace"), conf.flag("x", default=True)
    ('b', True)
    >>> conf.problems
    ['spark.headwater.x is y; it must be true or false. Using true instead.']
    """

    def __init__(self, conf: Mapping[str, str]) -> None:
        self._settings = {**_under(THEIRS, conf), **_under(OURS, conf)}
        self._used: set[str] = set()
        self.problems: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._settings

    def is_ours(self, key: str) -> bool:
        """Whether the setting has our prefix."""
        return self.key(key).startswith(OURS)

    def key(self, key: str) -> str:
        """The full key of a setting, with its prefix."""
        return self._settings[key][0] if key in self._settings else OURS + key

    def text(self, key: str) -> str | None:
        """A text, or None."""
        self._used.add(key)
        return self._settings[key][1] if key in self._settings else None

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self.text(key)
        if value is None:
            return default
        if value.lower() not in {"true", "false"}:
            self.refuse(key, "it must be true or false", f"Using {str(default).lower()} instead.")
            return default
        return value.lower() == "true"

    def number(self, key: str, default: int, *, least: int = 0) -> int:
        """A whole number that is not less than `least`."""
        value = self.text(key)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit() or int(value) < least:
            self.refuse(key, f"it must be a whole number, at least {least}", f"Using {default} instead.")
            return default
        return int(value)

    def number_or_none(self, key: str, *, least: int = 0) -> int | None:
        """A whole number, or None if it is not set."""
        number = self.number(key, least - 1, least=least)
        return None if number < least else number

    def choice(self, key: str, choices: Iterable[str]) -> str | None:
        """One of the choices, or None."""
        value = self.text(key)
        known = {choice.lower(): choice for choice in choices}
        if value is not None and value.lower() not in known:
            self.refuse(key, f"it must be one of {', '.join(known.values())}", "The setting is ignored.")
        return known.get((value or "").lower())

    def uuid(self, key: str) -> str | None:
        """A UUID, or None."""
        value = self.text(key)
        if value is not None and not is_uuid(value):
            self.refuse(key, "it must be a UUID", "The setting is ignored.")
            return None
        return value

    def items(self, key: str) -> tuple[str, ...]:
        """A list: `[a;b]`, or `a;b`."""
        return listed(self.text(key) or "")

    def below(self, prefix: str) -> dict[str, str]:
        """All settings whose keys begin with a prefix, by the rest of their keys."""
        keys = {key.removeprefix(prefix): key for key in self._settings if key.startswith(prefix)}
        return {rest: self.text(key) or "" for rest, key in keys.items()}

    def below_one(self, prefix: str) -> dict[str, str]:
        """All settings whose keys begin with a prefix: only ours, if there are any.

        The address from one prefix and the token from the other would send the token to the wrong server.
        """
        values = self.below(prefix)
        ours = {rest: value for rest, value in values.items() if self.is_ours(prefix + rest)}
        return ours or values

    def refuse(self, key: str, must: str, instead: str) -> None:
        """Report an invalid setting."""
        self.problems.append(f"{self.key(key)} is {self.text(key)}; {must}. {instead}")

    def unknown(self) -> Iterator[str]:
        """A message for each setting that nothing has read so far."""
        for key in sorted(set(self._settings) - self._used):
            close = get_close_matches(key, sorted(self._used), n=1)
            meant = f" Did you mean {OURS}{close[0]}?" if close else ""
            yield f"Headwater has no setting {self.key(key)}: it is ignored.{meant}"


def _under(prefix: str, conf: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {
        key.removeprefix(prefix): (key, value.strip())
        for key, value in sorted(conf.items())
        if key.startswith(prefix) and value.strip()
    }


def listed(text: str) -> tuple[str, ...]:
    """The items of a list in the syntax of OpenLineage's agent.

    >>> listed("[schema; columnLineage;]"), listed("a")
    (('schema', 'columnLineage'), ('a',))
    """
    inside = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    return tuple(name for part in inside.split(";") if (name := part.strip()))


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID.

    >>> is_uuid("01890a5d-ac96-774b-bcce-b302099a8057"), is_uuid("latest")
    (True, False)
    """
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False
