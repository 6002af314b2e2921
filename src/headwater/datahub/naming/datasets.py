"""Datasets' names in OpenLineage as DataHub's URNs, and back.

A URN has no host and no port, so a registry remembers the name behind every URN that it makes. Any other URN is read by
the table of platforms alone, and the name is not exact where the table drops something.

>>> registry = Registry(Naming())
>>> urn = registry.to_urn("postgres://db:5432", "shop.public.orders")
>>> str(urn)
'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)'
>>> registry.from_urn(urn)
Named(namespace='postgres://db:5432', name='shop.public.orders', exact=True)
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.fields import make_urn
from headwater.fields.errors import DataHubError, NameClash
from headwater.fields.urn import AnyUrn, Urn

# The platform of a namespace's scheme, where the two have different names.
_PLATFORMS: Mapping[str, str] = {
    "abfs": "abs",
    "abfss": "abs",
    "awsathena": "athena",
    "gs": "gcs",
    "s3a": "s3",
    "s3n": "s3",
    "sqlserver": "mssql",
    "wasb": "abs",
    "wasbs": "abs",
}
# Where the namespace names what holds the data, a bucket or a container, it goes before the name.
_HOLDERS: Mapping[str, str] = {"s3": "s3", "gcs": "gs", "abs": "abfss"}
# Platforms whose namespace is one word, in both.
_WORDS = frozenset({"bigquery", "file"})
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_GLUE = "arn:aws:glue:"


class Named(NamedTuple):
    """A dataset's name in OpenLineage; not `exact` where the URN does not contain its host."""

    namespace: str
    name: str
    exact: bool


class Symlink(NamedTuple):
    """Another name of a dataset, of the type TABLE."""

    namespace: str
    name: str


@dataclass(frozen=True)
class Naming:
    """How URNs are made.

    Attributes:
        env: the environment of all datasets.
        instance: the platform instance of all datasets.
        envs: environments of some namespaces.
        instances: platform instances of some namespaces.
        platforms: platforms of some schemes, before the table.
        datasets: URNs of some datasets, by namespace and name, before all else.
        lower_case: write names in lower case.
    """

    env: str = "PROD"
    instance: str | None = None
    envs: Mapping[str, str] = field(default_factory=dict)
    instances: Mapping[str, str] = field(default_factory=dict)
    platforms: Mapping[str, str] = field(default_factory=dict)
    datasets: Mapping[tuple[str, str], str] = field(default_factory=dict)
    lower_case: bool = False

    def urn_of(self, namespace: str, name: str, symlinks: Iterable[Symlink] = ()) -> Urn:
        """The URN of a dataset; a table that it is also known as gives the name, as in DataHub.

        >>> str(Naming().urn_of("s3://lake", "/orders", [Symlink("hive://metastore:9083", "shop.orders")]))
        'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)'
        """
        if (urn := self.datasets.get((namespace, name))) is not None:
            return Urn.parse(urn, "dataset")
        table = next(iter(symlinks), None)
        if table is not None:
            namespace = table.namespace
            platform, full = _table(table)
        else:
            platform, full = self._place(namespace, name)
        instance = _of(self.instances, namespace) or self.instance
        full = full.lower() if self.lower_case else full
        return make_urn.dataset(platform, full, _of(self.envs, namespace) or self.env, instance)

    def _place(self, namespace: str, name: str) -> tuple[str, str]:
        """The platform and the name of a dataset by the table."""
        match = _SCHEME.fullmatch(namespace)
        scheme, authority = (match[1].lower(), match[2]) if match else (namespace, "")
        platform = self.platforms.get(scheme) or _PLATFORMS.get(scheme, scheme)
        if _PLATFORMS.get(scheme, scheme) in _HOLDERS and authority:
            return platform, f"{authority.rstrip('/')}/{name.lstrip('/')}"
        return platform, name


def naming_of(env: str, instances: Iterable[str]) -> Naming:
    """How URNs are made, from settings: an environment, and `NAMESPACE=NAME` for platform instances.

    >>> naming_of("dev", ["postgres://eu:5432=eu"]).instances
    {'postgres://eu:5432': 'eu'}

    Raises:
        DataHubError: DataHub knows no such environment, or a text is no such pair.
    """
    pairs = [instance.rpartition("=") for instance in instances]
    if not all(namespace and name for namespace, _, name in pairs):
        raise DataHubError("A platform instance must be NAMESPACE=NAME.")
    return Naming(env=make_urn.environment(env), instances={namespace: name for namespace, _, name in pairs})


class Registry:
    """Remembers which names became which URNs, so that the way back is exact."""

    def __init__(self, naming: Naming, known: Mapping[str, tuple[str, str]] | None = None) -> None:
        self._naming = naming
        self._known: dict[str, tuple[str, str]] = {}
        for (namespace, name), urn in naming.datasets.items():
            self._remember(Urn.parse(urn, "dataset"), namespace, name)
        for urn, (namespace, name) in (known or {}).items():
            self._remember(Urn.parse(urn, "dataset"), namespace, name)

    def to_urn(self, namespace: str, name: str, symlinks: Iterable[Symlink] = ()) -> Urn:
        """The URN of a dataset.

        Raises:
            NameClash: another dataset has this URN already.
        """
        urn = self._naming.urn_of(namespace, name, symlinks)
        self._remember(urn, namespace, name)
        return urn

    def from_urn(self, urn: AnyUrn) -> Named:
        """The name of a dataset.

        Raises:
            BadUrn: it is no URN of a dataset.
        """
        parsed = Urn.parse(str(urn), "dataset")
        if (known := self._known.get(str(parsed))) is not None:
            return Named(*known, exact=True)
        return self._guessed(parsed)

    def known(self) -> dict[str, tuple[str, str]]:
        """Everything remembered, for the next registry."""
        return dict(self._known)

    def _remember(self, urn: Urn, namespace: str, name: str) -> None:
        before = self._known.setdefault(str(urn), (namespace, name))
        if before != (namespace, name):
            raise NameClash(
                f"{before[0]}/{before[1]} and {namespace}/{name} would both have the URN {urn}: set a platform"
                " instance for one of the namespaces."
            )

    def _guessed(self, urn: Urn) -> Named:
        platform, full = urn.urn(0).text(0), urn.text(1)
        instance = self._naming.instance
        if instance and full.startswith(f"{instance}."):
            full = full[len(instance) + 1 :]
        if platform in _WORDS:
            return Named(platform, full, exact=not self._naming.lower_case)
        if platform in _HOLDERS and "/" in full:
            holder, _, rest = full.partition("/")
            # s3, s3a and s3n are one platform, and a slash before the name may be lost.
            return Named(f"{_HOLDERS[platform]}://{holder}", rest, exact=False)
        scheme = next((scheme for scheme, other in self._naming.platforms.items() if other == platform), None)
        scheme = scheme or next((scheme for scheme, other in _PLATFORMS.items() if other == platform), platform)
        return Named(scheme, full, exact=False)


def _table(symlink: Symlink) -> tuple[str, str]:
    """Platform and name of a table in a catalog."""
    if symlink.namespace.startswith(_GLUE):
        return "glue", symlink.name.removeprefix("table/").replace("/", ".")
    return "hive", symlink.name


def _of(values: Mapping[str, str], namespace: str) -> str | None:
    """The value for a namespace; schemes and hosts have no case."""
    if namespace in values:
        return values[namespace]
    return next((value for key, value in values.items() if key.lower() == namespace.lower()), None)
