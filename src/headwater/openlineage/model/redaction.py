"""Events without secrets: what `redact` finds in their texts, and values whose keys tell that they are secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from headwater.common.redaction.names import is_secret_name
from headwater.common.redaction.places import MASK
from headwater.common.redaction.text import redact, redact_name
from headwater.common.redaction.values import is_harmless, is_random

REDACTION = "headwater_redaction"
"""The facet that says how many values were removed: of the run, or of the job or the dataset itself."""

# Names are the same for all who say them.
_NAMES = frozenset({"namespace", "name", "field"})
# Objects whose keys are the names of columns, which may be called password: `columnLineage.fields`, `columnMetrics`.
_OF_COLUMNS = ("fields", "columns", "schema", "metrics", "types", "descriptions", "comments", "columnlineage")
# What holds secrets by names of their own: {"secrets": {"warehouse": "…"}}
_CONTAINERS = frozenset({"secret", "secrets", "credential", "credentials", "passwords", "creds"})
_NO_SECRETS = frozenset({
    "_producer", "_schemaURL", "_deleted", "namespace", "name", "field", "type", "description", "user", "username",
    "host", "provider", "source", "scope", "method", "url", "uri", "path", "region", "id",
})  # fmt: skip
# A setting as an object of its name and its value.
_NAME_KEYS = ("name", "key", "property", "variable", "option", "setting")
_VALUE_KEYS = ("value", "val")
_KEY = re.compile(r"[\w.:/-]+(?: [\w.-]+){0,2}")
_PROSE = 3


def redacted(value: Any) -> tuple[Any, int]:  # noqa: ANN401  JSON
    """A JSON value without secrets, and how many values were removed; the very same value where there is none.

    A schema's field may be called `password`, and lineage may lead to it: names stay.

    >>> redacted({"name": "password", "settings": {"db.password": "hunter2", "url": "http://me:hunter2@host"}})
    ({'name': 'password', 'settings': {'db.password': '***', 'url': 'http://***@host'}}, 2)
    """
    walk = _Walk()
    clean = walk.any(value, "", secret=False)
    return (clean, walk.removed) if walk.removed else (value, 0)


def marked(facets: Any, removed: int, producer: str) -> Any:  # noqa: ANN401  JSON
    """The facets of a run, a job or a dataset, with the one that says how many values were removed.

    >>> marked({}, 2, "p")["headwater_redaction"]["values"]
    2
    """
    if facets is not None and not isinstance(facets, Mapping):
        return facets  # whoever reads it says so
    before = (facets or {}).get(REDACTION)
    count = before.get("values") if isinstance(before, Mapping) else 0
    values = removed + (count if isinstance(count, int) else 0)
    facet = {"_producer": producer, "_schemaURL": "urn:headwater:facet:1-0-0:RedactionFacet", "values": values}
    return {**(facets or {}), REDACTION: facet}


class _Walk:
    """One walk through a value; counts what it removes."""

    def __init__(self) -> None:
        self.removed = 0

    def any(self, value: Any, key: str, *, secret: bool) -> Any:  # noqa: ANN401  JSON
        """A value under a key; `secret` where the key, or what is around it, tells of a secret."""
        if isinstance(value, str):
            return self._text(value, key, secret=secret)
        if isinstance(value, Mapping):
            return self._object(value, key, secret=secret and _is_container(key))
        if isinstance(value, list | tuple):
            return self._list(value, key, secret=secret)
        if secret and type(value) is int and "pass" in key.casefold():
            self.removed += 1
            return MASK
        return value

    def _text(self, value: str, key: str, *, secret: bool) -> str:
        clean = redact_name(value) if key in _NAMES else redact(value)
        if secret and not is_harmless(clean) and not _is_prose(clean, key):
            clean = MASK
        if clean != value:
            self.removed += 1
            return clean
        return value

    def _object(self, item: Mapping[str, Any], key: str, *, secret: bool) -> dict[str, Any]:
        of_columns = key.casefold().endswith(_OF_COLUMNS)
        named = _is_setting(item)
        clean: dict[str, Any] = {}
        for name, value in item.items():
            tells = not of_columns and _tells(name)
            inner = (tells or (secret and name not in _NO_SECRETS)) or (named and name in _VALUE_KEYS)
            written = redact_name(name)
            if written != name:
                self.removed += 1
                written = _unlike(clean, written)
            # Within secrets, all names are those of secrets.
            clean[written] = self.any(value, key if secret and not tells else name, secret=inner)
        return clean

    def _list(self, items: list[Any] | tuple[Any, ...], key: str, *, secret: bool) -> list[Any]:
        clean: list[Any] = []
        after = False
        for item in items:
            clean.append(self.any(item, key, secret=secret or (after and isinstance(item, str))))
            # An argument of a command; the next one is its value.
            after = isinstance(item, str) and item.startswith("-") and "=" not in item and _tells(item)
        return clean


def _tells(name: object) -> bool:
    """Whether a key is a name, not a text or an expression, and tells of a secret."""
    return isinstance(name, str) and is_secret_name(name) and _KEY.fullmatch(name) is not None


@lru_cache(maxsize=4096)
def _is_container(key: str) -> bool:
    return key.rpartition(".")[2].casefold() in _CONTAINERS


def _is_setting(item: Mapping[str, Any]) -> bool:
    """Whether it has the name of a secret as one member and its value as another."""
    return any(key in item for key in _VALUE_KEYS) and any(_tells(item.get(key)) for key in _NAME_KEYS)


def _is_prose(value: str, key: str) -> bool:
    """Whether a value explains what its key is, as in a catalog; of passwords, words may be one."""
    words = value.split() if "pass" not in key.casefold() else ()
    return len(words) >= _PROSE and not any(map(is_random, words))


def _unlike(members: Mapping[str, Any], name: str) -> str:
    """A name that is not among the members."""
    number, unlike = 1, name
    while unlike in members:
        number += 1
        unlike = f"{name}#{number}"
    return unlike
