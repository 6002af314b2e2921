"""Names of a store's datasets and jobs as URNs, and back: exact both ways.

The URN of a dataset in the store means that dataset. Any other is read by the table of platforms, if that leads back to
the same URN; else the URN itself names the dataset, in the namespace `datahub`.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

from headwater.datahub.aspects.reading import Name
from headwater.datahub.naming.datasets import Naming, Registry, Symlink
from headwater.fields import make_urn
from headwater.fields.errors import DataHubError, NameClash
from headwater.fields.urn import Urn

NAMESPACE = "datahub"
"""The namespace of datasets that have no other name than their URN."""
ENTITIES: Name = (NAMESPACE, "entities")
"""The dataset that keeps the aspects of all other entities: those that are no dataset, field or job."""
_ORCHESTRATOR = "openlineage"


class StoreNames:
    """The names of one store; `tables` has the tables that datasets are also known as."""

    def __init__(
        self, naming: Naming, datasets: Iterable[Name] = (), tables: Mapping[Name, Iterable[Symlink]] | None = None
    ) -> None:
        self._naming = naming
        self._registry = Registry(naming)
        self._tables = tables or {}
        self.datasets = frozenset(datasets)
        self._names: dict[str, Name] = {}
        self._urns: dict[Name, str] = {}

    @cached_property
    def _known(self) -> dict[str, list[Name]]:
        names: dict[str, list[Name]] = {}
        for name in sorted(self.datasets):
            try:
                names.setdefault(self.urn_of(name), []).append(name)
            except DataHubError:  # noqa: PERF203  a name that DataHub cannot hold has no URN
                continue
        return names

    def urn_of(self, name: Name) -> str:
        """The URN of a dataset.

        Raises:
            DataHubError: DataHub cannot hold its name.
        """
        if name[0] == NAMESPACE and name[1].startswith("urn:li:dataset:"):
            return name[1]
        urn = self._urns.get(name)
        if urn is None:
            urn = self._urns[name] = str(self._naming.urn_of(*name, self._tables.get(name, ())))
        return urn

    def name_of(self, urn: str) -> Name:
        """The dataset of a URN.

        Raises:
            DataHubError: it is no URN of a dataset, or several datasets of the store have it.
        """
        name = self._names.get(urn)
        if name is None:
            name = self._names[urn] = self._look_up(urn)
        return name

    def _look_up(self, urn: str) -> Name:
        known = self._known.get(urn)
        if known:
            if len(known) > 1:
                names = " and ".join("/".join(name) for name in known)
                raise NameClash(
                    f"{names} in the store both have the URN {urn}: set a platform instance for one of them."
                )
            return known[0]
        guessed = self._registry.from_urn(urn)
        name = (guessed.namespace, guessed.name)
        try:
            exact = self.urn_of(name) == urn
        except DataHubError:
            exact = False
        return name if exact else (NAMESPACE, urn)


def job_urn(name: Name, env: str) -> str:
    """The URN of a job; its namespace becomes the flow, unless it is one already.

    >>> job_urn(("shop", "daily"), "PROD")
    'urn:li:dataJob:(urn:li:dataFlow:(openlineage,shop,PROD),daily)'
    >>> job_urn(("urn:li:dataFlow:(airflow,shop,PROD)", "daily"), "PROD")
    'urn:li:dataJob:(urn:li:dataFlow:(airflow,shop,PROD),daily)'
    """
    namespace, job = name
    flow = namespace if namespace.startswith("urn:li:dataFlow:(") else make_urn.data_flow(_ORCHESTRATOR, namespace, env)
    return str(make_urn.data_job(flow, job))


def job_name(urn: str, env: str) -> Name:
    """The job of a URN.

    >>> job_name("urn:li:dataJob:(urn:li:dataFlow:(openlineage,shop,PROD),daily)", "PROD")
    ('shop', 'daily')
    """
    parsed = Urn.parse(urn, "dataJob")
    flow, job = parsed.urn(0), parsed.text(1)
    if flow.text(0) == _ORCHESTRATOR and flow.text(2) == env:
        name = (flow.text(1), job)
        if job_urn(name, env) == urn:
            return name
    return str(flow), job
