"""Rules as a user writes them, in YAML.

personal: [pii, email]       # words of tags that are about persons, in place of the usual ones
survive: ["tier:*", PII]     # tags that an aggregation carries on
rules:                       # tried in their order, before the usual ones
- tags: [retention*]
class: [AGGREGATION, OPAQUE]
masked: false
carries: yes
"""

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from headwater.query.privacy.legs import Class
from headwater.query.privacy.rules import PERSONAL, Carries, Rule, Rules, What

E = TypeVar("E", bound=Enum)
_KEYS = ("personal", "survive", "rules")
_RULE_KEYS = ("name", "tags", "what", "class", "masked", "personal", "carries")
# YAML reads a plain yes and no as true and false.
_CARRIES = {True: Carries.YES, False: Carries.NO, "yes": Carries.YES, "no": Carries.NO, "may": Carries.MAY}


class BadRules(ValueError):  # noqa: N818  a sentence for the user
    """Rules that cannot be used, and why."""


def read_rules(file: str) -> Rules:
    """The rules of a file.

    Raises:
        BadRules: it cannot be read, or is no such file.
    """
    import yaml  # noqa: PLC0415  only who has a file needs it

    try:
        read = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadRules(f"Cannot read {file}: {getattr(error, 'strerror', None) or error}.") from error
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        raise BadRules(f"{file} is not valid YAML{f': see line {place.line + 1}' if place else ''}.") from error
    try:
        return rules_of(read)
    except BadRules as error:
        raise BadRules(f"{file}: {error}") from None


def rules_of(read: Any) -> Rules:  # noqa: ANN401  what YAML gives
    """Rules from what a file holds.

    >>> rules_of({"survive": ["PII"]}).survive
    ('PII',)

    Raises:
        BadRules: it holds none.
    """
    if read is None:
        return Rules()
    if not isinstance(read, Mapping):
        raise BadRules(f"the file must be a mapping with these keys: {', '.join(_KEYS)}.")
    _known(read, _KEYS, "the file")
    rules = read.get("rules") or []
    if not isinstance(rules, list):
        raise BadRules("rules must be a list.")
    personal = PERSONAL if read.get("personal") is None else _texts(read["personal"], "personal")
    return Rules(
        tuple(_rule(item, place) for place, item in enumerate(rules, start=1)),
        _texts(read.get("survive") or (), "survive"),
        tuple(word.casefold() for word in personal),
    )


def _rule(read: Any, place: int) -> Rule:  # noqa: ANN401  what YAML gives
    what = f"rule {place}"
    if not isinstance(read, Mapping):
        raise BadRules(f"{what} must be a mapping with these keys: {', '.join(_RULE_KEYS)}.")
    _known(read, _RULE_KEYS, what)
    carries = read.get("carries")
    if not isinstance(carries, bool | str) or carries not in _CARRIES:
        raise BadRules(f"{what} must set carries to yes, no or may.")
    return Rule(
        str(read.get("name") or what),
        _CARRIES[carries],
        _members(read.get("class"), Class, f"{what}, class") or frozenset(Class),
        _flag(read.get("masked"), f"{what}, masked"),
        _members(read.get("what"), What, f"{what}, what") or frozenset({What.TAG, What.TERM}),
        _texts(read.get("tags") or (), f"{what}, tags"),
        _flag(read.get("personal"), f"{what}, personal"),
    )


def _known(read: Mapping[Any, Any], keys: tuple[str, ...], where: str) -> None:
    for key in read:
        if key not in keys:
            raise BadRules(f"{where} has an unknown key {key!r}; the keys are: {', '.join(keys)}.")


def _texts(read: Any, where: str) -> tuple[str, ...]:  # noqa: ANN401  what YAML gives
    listed = [read] if isinstance(read, str) else read
    if not isinstance(listed, list | tuple) or not all(isinstance(item, str) and item for item in listed):
        raise BadRules(f"{where} must be a list of strings.")
    return tuple(listed)


def _members(read: Any, kind: type[E], where: str) -> frozenset[E]:  # noqa: ANN401  what YAML gives
    words = {str(member.value).casefold(): member for member in kind}
    members = _texts(read or (), where)
    for item in members:
        if item.casefold() not in words:
            raise BadRules(f"{where}: {item!r} must be one of: {', '.join(str(member.value) for member in kind)}.")
    return frozenset(words[item.casefold()] for item in members)


def _flag(read: Any, where: str) -> bool | None:  # noqa: ANN401  what YAML gives
    if read is not None and not isinstance(read, bool):
        raise BadRules(f"{where} must be true or false.")
    return read
