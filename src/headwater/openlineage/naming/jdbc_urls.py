"""JDBC URLs taken apart: every driver has its own form, and some carry a user and a password."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote

_DRIVERS = re.compile(r"(?:[\w+.-]+:)+")
_HOST = re.compile(r"(\[[^\[\]]*\]|[^\[\]:()=@\\]+)(?:\\(\w+))?(?::(\d+))?")
# (host=a,port=1), address=(host=a)(port=1): MySQL's own way to say it
_HOST_IN_PAIRS = re.compile(r"(?i)\bhost\s*=\s*([^(),\s]+)[\s(),]*(?:port\s*=\s*(\d+))?")
# A value may stand in braces, and then hold anything.
_PARAMETER = re.compile(r"([^=;?&,]+)=(\{[^}]*\}|[^;&,]*)")
_TNS_ADDRESS = re.compile(r"(?i)\(\s*ADDRESS\s*=((?:\s*\([^()]*\))*)\s*\)")
_TNS_PAIR = re.compile(r"\(\s*(\w+)\s*=\s*([^()]*?)\s*\)")


class Host(NamedTuple):
    """One server, and the instance of SQL Server on it."""

    name: str
    port: str | None = None
    instance: str | None = None


class JdbcUrl(NamedTuple):
    """What a URL says, without the user.

    Attributes:
        hosts: the servers, none if none is written, None if what is written is no list of servers.
        path: what stands behind the servers, usually the database; empty if they are None.
        parameters: by their names in lower case.
    """

    hosts: tuple[Host, ...] | None
    path: tuple[str, ...] = ()
    parameters: Mapping[str, str] = {}


def drivers(url: str) -> tuple[str, ...]:
    """The words that a URL without its `jdbc:` begins with.

    >>> drivers("jtds:sqlserver://host/db"), drivers("oracle:thin:me/hunter2@host")
    (('jtds', 'sqlserver'), ('oracle', 'thin'))
    """
    found = _DRIVERS.match(url)
    return tuple(found[0].lower().rstrip(":").split(":")) if found else ()


def networked(url: str) -> JdbcUrl:
    """A URL of the usual form: `driver://hosts/path;parameters`.

    >>> url = networked("mysql://me:hunter2@a:1/shop?ssl=true")
    >>> url.hosts, url.path, url.parameters
    ((Host(name='a', port='1', instance=None),), ('shop',), {'ssl': 'true'})
    """
    found = _DRIVERS.match(url)
    rest = url[found.end() :] if found else url
    place = re.split("[?;]", rest, maxsplit=1)[0]
    authority, _, path = place[2:].partition("/") if place.startswith("//") else ("", "", place)
    # DB2 puts parameters behind a colon; Teradata has nothing but parameters there.
    path, _, more = path.partition(":")
    if "=" in path:
        path, more = "", path
    hosts = _hosts(authority)
    return JdbcUrl(
        hosts,
        tuple(unquote(part) for part in path.split("/") if part) if hosts is not None else (),
        {key.strip().lower(): value.strip("{} ") for key, value in _PARAMETER.findall(f"{rest[len(place) :]};{more}")},
    )


def oracle(url: str) -> JdbcUrl:
    """A URL of Oracle's: `@//host:port/service`, `@host:port:sid`, or a TNS descriptor.

    >>> url = oracle("oracle:thin:me/hunter2@db:1521:ORCL")
    >>> url.hosts, url.path
    ((Host(name='db', port='1521', instance=None),), ('ORCL',))
    """
    place = url.rpartition("@")[2]
    if "(" in place:
        return _tns(place)
    place = re.sub(r"^\w*:?//", "", place).partition("?")[0]
    # Of a directory (`ldap://host/service,cn=…`) the service is all that matters.
    place = re.sub(r"(/\w+),.*", r"\1", place)
    # host:port:sid says the same as host:port/sid.
    place = re.sub(r"^([^/]*:\d+):(?=\w+$)", r"\1/", place)
    return networked(f"oracle://{place}")


def _tns(descriptor: str) -> JdbcUrl:
    addresses = [_pairs(address) for address in _TNS_ADDRESS.findall(descriptor)]
    said = _pairs(descriptor)
    service = said.get("SERVICE_NAME") or said.get("SID") or said.get("INSTANCE_NAME")
    hosts = tuple(Host(one["HOST"], one.get("PORT")) for one in addresses if "HOST" in one)
    return JdbcUrl(hosts or None, (service,) if service else ())


def _pairs(text: str) -> dict[str, str]:
    return {key.upper(): value for key, value in _TNS_PAIR.findall(text)}


def _hosts(authority: str) -> tuple[Host, ...] | None:
    user, at, servers = authority.partition("@")
    # The same user may stand before every host; what is left before an @ is part of a password.
    servers = servers.replace(user + at, "").rpartition("@")[2] if at else authority
    if not servers:
        return ()
    if "(" in servers:
        return tuple(Host(name, port or None) for name, port in _HOST_IN_PAIRS.findall(servers)) or None
    if servers.startswith("[") and "," in servers:
        servers = servers.strip("[]")
    found = [_HOST.fullmatch(server.strip()) for server in servers.split(",")]
    return tuple(Host(one[1], one[3], one[2]) for one in found if one) if all(found) else None
