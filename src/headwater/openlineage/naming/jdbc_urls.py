"""A parser of JDBC URLs: every driver has its own form, and some contain a user and a password."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote

_DRIVERS = re.compile(r"(?:[\w+.-]+:)+")
_HOST = re.compile(r"(\[[^\[\]]*\]|[^\[\]:()=@\\]+)(?:\\(\w+))?(?::(\d+))?")
# (host=a,port=1), address=(host=a)(port=1): MySQL's own form
_HOST_IN_PAIRS = re.compile(r"(?i)\bhost\s*=\s*([^(),\s]+)[\s(),]*(?:port\s*=\s*(\d+))?")
# A value in braces may contain anything. A name without a value is matched as well, and a brace that is not closed
# extends to the end: nothing is read twice.
_PARAMETER = re.compile(r"([^=;?&,]+)(?:=(\{[^}]*(?:\}|\Z)|[^;&,]*))?")
_TNS_ADDRESS = re.compile(r"(?i)\(\s*ADDRESS\s*=((?:\s*\([^()]*\))*)\s*\)")
_TNS_PAIR = re.compile(r"\(\s*(\w+)\s*=([^()]*)\)")


class Host(NamedTuple):
    """One server, and the instance of SQL Server on it."""

    name: str
    port: str | None = None
    instance: str | None = None


class JdbcUrl(NamedTuple):
    """The parts of a URL, without the user.

    Attributes:
        hosts: the servers; empty if the URL has none, None if it has no valid list of servers.
        path: the path after the servers, usually the database; empty if `hosts` is None.
        parameters: by their names in lower case.
    """

    hosts: tuple[Host, ...] | None
    path: tuple[str, ...] = ()
    parameters: Mapping[str, str] = {}


def drivers(url: str) -> tuple[str, ...]:
    """The leading words of a URL without its `jdbc:`.

    >>> drivers("jtds:sqlserver://host/db"), drivers("oracle:thin:me/hunter2@host")
    (('jtds', 'sqlserver'), ('oracle', 'thin'))
    """
    match = _DRIVERS.match(url)
    return tuple(match[0].lower().rstrip(":").split(":")) if match else ()


def networked(url: str) -> JdbcUrl:
    """A URL of the usual form: `driver://hosts/path;parameters`.

    >>> url = networked("mysql://me:hunter2@a:1/shop?ssl=true")
    >>> url.hosts, url.path, url.parameters
    ((Host(name='a', port='1', instance=None),), ('shop',), {'ssl': 'true'})
    """
    match = _DRIVERS.match(url)
    rest = url[match.end() :] if match else url
    place = re.split("[?;]", rest, maxsplit=1)[0]
    authority, _, path = place[2:].partition("/") if place.startswith("//") else ("", "", place)
    # DB2 puts parameters after a colon; Teradata has only parameters there.
    path, _, more = path.partition(":")
    if "=" in path:
        path, more = "", path
    hosts = _hosts(authority)
    return JdbcUrl(
        hosts,
        tuple(unquote(part) for part in path.split("/") if part) if hosts is not None else (),
        {
            match[1].strip().lower(): match[2].strip("{} ")
            for match in _PARAMETER.finditer(f"{rest[len(place) :]};{more}")
            if match[2] is not None
        },
    )


def oracle(url: str) -> JdbcUrl:
    """An Oracle URL: `@//host:port/service`, `@host:port:sid`, or a TNS descriptor.

    >>> url = oracle("oracle:thin:me/hunter2@db:1521:ORCL")
    >>> url.hosts, url.path
    ((Host(name='db', port='1521', instance=None),), ('ORCL',))
    """
    place = url.rpartition("@")[2]
    if "(" in place:
        return _tns(place)
    place = re.sub(r"^\w*:?//", "", place).partition("?")[0]
    # Of a directory entry (`ldap://host/service,cn=…`) only the service matters.
    place = re.sub(r"(/\w+),.*", r"\1", place)
    # host:port:sid means the same as host:port/sid.
    place = re.sub(r"^([^/]*:\d+):(?=\w+$)", r"\1/", place)
    return networked(f"oracle://{place}")


def _tns(descriptor: str) -> JdbcUrl:
    addresses = [_pairs(text) for text in _TNS_ADDRESS.findall(descriptor)]
    pairs = _pairs(descriptor)
    service = pairs.get("SERVICE_NAME") or pairs.get("SID") or pairs.get("INSTANCE_NAME")
    hosts = tuple(Host(address["HOST"], address.get("PORT")) for address in addresses if "HOST" in address)
    return JdbcUrl(hosts or None, (service,) if service else ())


def _pairs(text: str) -> dict[str, str]:
    return {key.upper(): value.strip() for key, value in _TNS_PAIR.findall(text)}


def _hosts(authority: str) -> tuple[Host, ...] | None:
    user, at, servers = authority.partition("@")
    # Every host may have the same user; what then precedes an @ is part of a password.
    servers = servers.replace(user + at, "").rpartition("@")[2] if at else authority
    if not servers:
        return ()
    if "(" in servers:
        return tuple(Host(name, port or None) for name, port in _HOST_IN_PAIRS.findall(servers)) or None
    if servers.startswith("[") and "," in servers:
        servers = servers.strip("[]")
    matches = [_HOST.fullmatch(server.strip()) for server in servers.split(",")]
    return tuple(Host(match[1], match[3], match[2]) for match in matches if match) if all(matches) else None
