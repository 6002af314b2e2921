"""Namespace resolvers: one name for the many addresses of a system, by the settings of the OpenLineage agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from headwater.openlineage.naming.java_regex import compile_java

_SETTING = "dataset.namespaceResolvers"

ResolverSettings: TypeAlias = "Mapping[str, str | Sequence[str]]"
"""The settings of one resolver: `type`, `schema`, `hosts`, `regex`, `matchingGroup`."""


@dataclass(frozen=True)
class _Rule:
    """Replaces the match of a pattern with a name, or with the match of a group."""

    pattern: re.Pattern[str]
    schema: str
    name: str
    group: str | None = None

    def __call__(self, namespace: str) -> str:
        if self.schema and not namespace.startswith(f"{self.schema}://"):
            return namespace
        match = self.pattern.search(namespace)
        if match is None:
            return namespace
        name: str | None = self.name if self.group is None else match[self.group]
        return namespace if name is None else self.pattern.sub(lambda _: name, namespace)


@dataclass(frozen=True)
class Resolvers:
    """Rewrites namespaces by the first rule that changes one, in the order of the settings."""

    rules: tuple[_Rule, ...] = ()

    def __call__(self, namespace: str) -> str:
        """The resolved namespace."""
        for rule in self.rules:
            resolved = rule(namespace)
            if resolved != namespace:
                return resolved
        return namespace


def resolvers(settings: Mapping[str, ResolverSettings]) -> Resolvers:
    r"""Resolvers from the settings under `dataset.namespaceResolvers`, by name.

    >>> prod = resolvers({"kafka-prod": {"type": "hostList", "hosts": ["broker1", "broker2"], "schema": "kafka"}})
    >>> prod("kafka://broker2:9092"), prod("postgres://broker2:5432")
    ('kafka://kafka-prod:9092', 'postgres://broker2:5432')
    >>> resolvers({"any": {"type": "pattern", "regex": r"db-\d+", "schema": "mysql"}})("mysql://db-7:3306")
    'mysql://any:3306'
    >>> clusters = resolvers({"x": {"type": "patternGroup", "regex": r"(?<c>\w+)-\d+:\d+", "matchingGroup": "c"}})
    >>> clusters("kafka://eu-3:9092")
    'kafka://eu'
    """
    return Resolvers(tuple(rule for name, chosen in settings.items() for rule in _rules(name, chosen)))


def _rules(name: str, chosen: ResolverSettings) -> Iterator[_Rule]:
    schema = str(chosen.get("schema") or "")
    kind = _needed(name, chosen, "type")
    if kind.lower() == "hostlist":
        for host in _hosts(chosen.get("hosts") or _needed(name, chosen, "hosts")):
            yield _Rule(re.compile(re.escape(host), re.IGNORECASE), schema, name)
    elif kind.lower() == "pattern":
        yield _Rule(_regex(name, chosen), schema, name)
    elif kind.lower() == "patterngroup":
        pattern, group = _regex(name, chosen), _needed(name, chosen, "matchingGroup")
        if group not in pattern.groupindex:
            raise ValueError(
                f"{_SETTING}.{name}.matchingGroup is {group}, but {_SETTING}.{name}.regex has no group of that"
                f" name: write (?<{group}>…) around the part to keep."
            )
        yield _Rule(pattern, schema, name, group)
    else:
        raise ValueError(f"{_SETTING}.{name}.type is {kind}; it must be hostList, pattern or patternGroup.")


def _regex(name: str, chosen: ResolverSettings) -> re.Pattern[str]:
    return compile_java(_needed(name, chosen, "regex"), f"{_SETTING}.{name}.regex")


def _needed(name: str, chosen: ResolverSettings, key: str) -> str:
    value = chosen.get(key)
    if not value:
        raise ValueError(f"{_SETTING}.{name}.{key} is missing: set it, or remove the resolver {name}.")
    return str(value)


def _hosts(hosts: str | Sequence[str]) -> list[str]:
    """The hosts of a list, or of a text as in Spark's settings: `[a;b]`, `['a', 'b']`."""
    listed = re.split("[;,]", hosts.strip("[] ")) if isinstance(hosts, str) else hosts
    return [host for item in listed if (host := item.strip(" '\""))]
