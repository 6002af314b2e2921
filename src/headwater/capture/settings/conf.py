"""Spark's settings under our prefix and under the one of OpenLineage's agent, as typed values.

Nothing here raises: what cannot be used is left at its default, and said in one sentence that names the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from uuid import UUID

OURS = "spark.headwater."
THEIRS = "spark.openlineage."


class Conf:
    """The settings of both prefixes by the part of the key that comes after it; ours win.

    Attributes:
        problems: a sentence for everything that could not be used.

    >>> conf = Conf({"spark.openlineage.namespace": "a", "spark.headwater.namespace": "b", "spark.headwater.x": "y"})
    >>> conf.text("namespace"), conf.flag("x", default=True)
    ('b', True)
    >>> conf.problems
    ['spark.headwater.x is y; it must be true or false. Using true instead.']
    """

    def __init__(self, conf: Mapping[str, str]) -> None:
        self._given = {**_under(THEIRS, conf), **_under(OURS, conf)}
        self._asked: set[str] = set()
        self.problems: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def is_ours(self, key: str) -> bool:
        """Whether the setting is there under our prefix."""
        return self.key(key).startswith(OURS)

    def key(self, key: str) -> str:
        """The whole key under which a setting was given."""
        return self._given[key][0] if key in self._given else OURS + key

    def text(self, key: str) -> str | None:
        """A text, or None."""
        self._asked.add(key)
        return self._given[key][1] if key in self._given else None

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
        """A whole number, or None if it is not there."""
        number = self.number(key, least - 1, least=least)
        return None if number < least else number

    def choice(self, key: str, choices: Iterable[str]) -> str | None:
        """One of some words, or None."""
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
        """All settings that begin with a prefix, by the rest of their keys."""
        found = {key.removeprefix(prefix): key for key in self._given if key.startswith(prefix)}
        return {rest: self.text(key) or "" for rest, key in found.items()}

    def below_one(self, prefix: str) -> dict[str, str]:
        """All settings that begin with a prefix: ours alone, if there are any.

        The address from one and the token from the other would send the token to who must not have it.
        """
        found = self.below(prefix)
        ours = {rest: value for rest, value in found.items() if self.is_ours(prefix + rest)}
        return ours or found

    def refuse(self, key: str, must: str, instead: str) -> None:
        """Say that a setting has no value that can be used."""
        self.problems.append(f"{self.key(key)} is {self.text(key)}; {must}. {instead}")

    def unknown(self) -> Iterator[str]:
        """A sentence for each setting that nobody has asked for so far."""
        for key in sorted(set(self._given) - self._asked):
            close = get_close_matches(key, sorted(self._asked), n=1)
            meant = f" Did you mean {OURS}{close[0]}?" if close else ""
            yield f"Headwater has no setting {self.key(key)}: it is ignored.{meant}"


def _under(prefix: str, conf: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {
        key.removeprefix(prefix): (key, value.strip())
        for key, value in sorted(conf.items())
        if key.startswith(prefix) and value.strip()
    }


def listed(text: str) -> tuple[str, ...]:
    """The parts of a list as OpenLineage's agent writes it.

    >>> listed("[schema; columnLineage;]"), listed("a")
    (('schema', 'columnLineage'), ('a',))
    """
    inside = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    return tuple(part for one in inside.split(";") if (part := one.strip()))


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID.

    >>> is_uuid("01890a5d-ac96-774b-bcce-b302099a8057"), is_uuid("latest")
    (True, False)
    """
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False
