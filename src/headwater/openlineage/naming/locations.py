"""Names of files and directories, local and remote."""

from __future__ import annotations

import re
from typing import NamedTuple

_SAME_STORE = {"s3a": "s3", "s3n": "s3", "abfs": "abfss", "wasb": "wasbs"}
_KEYS_NOT_PATHS = frozenset({"s3", "gs", "abfss", "wasbs"})
# Before their @ is a container or a bucket; in all other schemes it is a user or a key.
_CONTAINER_AT = frozenset({"abfss", "wasbs", "oci"})

_PARAMETER = re.compile(r"[&,:][\w\s.-]+=")
_HOSTS = re.compile(r"(?:(?:\[[^\]]*\]|[^\[\]:@,()=]*)(?::\d*)?(?:,|$))*")
# The text after the first colon that is not part of `jdbc:`.
_AFTER_DRIVER = re.compile(r"(?i)(?<=:)(?<!jdbc:).*", re.DOTALL)
_SCHEMES = re.compile(r"[\w+.:-]*?://")


class Name(NamedTuple):
    """A dataset's name in two parts."""

    namespace: str
    name: str


def place(location: str) -> Name:
    """The name of a directory or file: a key in an object store, else a path.

    Locations are written like Hadoop's paths, where `%41` is a folder of that name and not an `A`. A location without
    an authority has its scheme as the namespace, as in the OpenLineage agent.

    >>> place("s3a://lake/orders"), place("hdfs://nn:8020/lake/orders")
    (Name(namespace='s3://lake', name='orders'), Name(namespace='hdfs://nn:8020', name='/lake/orders'))
    >>> place("file:/data/orders"), place("dbfs:/orders")
    (Name(namespace='file', name='/data/orders'), Name(namespace='dbfs', name='/orders'))
    """
    scheme, authority, path = _parts(location)
    if scheme in _KEYS_NOT_PATHS:
        path = path.lstrip("/")
    return Name(f"{scheme}://{authority}" if authority else scheme, path or "/")


def directory(location: str) -> str:
    """The namespace of the tables in a directory.

    >>> directory("file:///warehouse/"), directory("s3a://lake/warehouse")
    ('file:/warehouse', 's3://lake/warehouse')
    """
    scheme, authority, path = _parts(location)
    return f"{scheme}://{authority}{path}" if authority else f"{scheme}:{path}" if path else scheme


def is_within(location: str, parent: str) -> bool:
    """Whether a location is `parent`, or inside it.

    >>> is_within("file:/w/sales.db/t", "file:///w"), is_within("file:/w2/t", "file:/w")
    (True, False)
    """
    return f"{directory(location)}/".startswith(f"{directory(parent)}/")


def authority_of(url: str) -> str:
    """The host and port of a URL, without the user; of several URLs, those of the first.

    >>> authority_of("thrift://me@metastore:9083,thrift://spare:9083")
    'metastore:9083'
    """
    scheme, slashes, rest = without_secrets(url).partition("://")
    return re.split("[/,]", rest if slashes else scheme, maxsplit=1)[0]


def without_secrets(url: str) -> str:
    """A URL without user, password and parameters.

    >>> without_secrets("http://me:hunter2@host:8181/api?token=abc"), without_secrets("h2:/tmp/db;PASSWORD=abc")
    ('http://host:8181/api', 'h2:/tmp/db')
    """
    address = re.split("[?;]", url, maxsplit=1)[0]
    schemes = _SCHEMES.match(address)
    if schemes is None:
        driver = _AFTER_DRIVER.sub("", address)
        rest = address.removeprefix(driver)
        rest = rest if rest.startswith(("/", "~", ".")) else rest.rpartition("@")[2]
        return driver + _PARAMETER.split(rest, maxsplit=1)[0]
    authority, slash, path = address[schemes.end() :].partition("/")
    host = authority.rpartition("@")[2]
    # What does not look like a host may be half a password: better no address than that.
    return schemes[0] + _PARAMETER.split(host + slash + path, maxsplit=1)[0] if _HOSTS.fullmatch(host) else schemes[0]


def _parts(location: str) -> tuple[str, str, str]:
    """Scheme, authority and path (without a trailing slash), each as in names."""
    scheme, colon, rest = location.partition(":")
    if not colon or "/" in scheme:
        scheme, rest = "file", scheme + colon + rest
    scheme = _SAME_STORE.get(scheme.lower(), scheme.lower())
    if scheme != "file":  # a signature may follow; in a folder's name it is an ordinary character
        rest = rest.partition("?")[0]
    if not rest.startswith("//"):
        return scheme, "", rest.rstrip("/")
    authority, slash, path = rest[2:].partition("/")
    if "@" in path and not _HOSTS.fullmatch(authority.rpartition("@")[2]):
        # The secret itself contains a slash, as many of Amazon's do: the authority begins after it.
        authority, slash, path = rest.rpartition("@")[2].partition("/")
    user, at, host = authority.rpartition("@")
    if scheme == "file":
        host = ""
    elif scheme in _CONTAINER_AT and ":" not in user:
        host = f"{user}{at}{host}"
    return scheme, host, (slash + path).rstrip("/")
