"""The datasets of URNs, looked up in the store: as many as are needed, however many it has."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from headwater.datahub.aspects.reading import Name
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.named_datasets import named_by_urn
from headwater.fields.errors import DataHubError
from headwater.store.db.session import Session


class UrnLookup:
    """The datasets of URNs, each looked up once, in a transaction that `reading` opens; answers may be a moment old."""

    def __init__(self, naming: Naming, reading: Callable[[], AbstractContextManager[Session]]) -> None:
        self._naming = naming
        self._reading = reading
        self._names: dict[str, Name | DataHubError] = {}
        self._stored: set[Name] = set()

    def name_of(self, urn: str) -> Name:
        """The dataset of a URN.

        Raises:
            DataHubError: it is no URN of a dataset, or several datasets of the store have it.
        """
        if urn not in self._names:
            self.look_up([urn])
        name = self._names[urn]
        if isinstance(name, DataHubError):
            raise name
        return name

    def look_up(self, urns: Iterable[str]) -> None:
        """Look up many at once."""
        missing = [urn for urn in dict.fromkeys(urns) if urn not in self._names]
        if not missing:
            return
        with self._reading() as session:
            names = named_by_urn(session, self._naming, missing, session.now).names
        self._stored |= names.datasets
        for urn in missing:
            try:
                self._names[urn] = names.name_of(urn)
            except DataHubError as error:  # noqa: PERF203  each is good or bad by itself
                self._names[urn] = error

    def add_stored(self, names: Iterable[Name]) -> None:
        """Note that the store has datasets."""
        self._stored |= set(names)

    def stored(self, names: Iterable[Name]) -> set[Name]:
        """Those of the names that the store has, as far as they were looked up."""
        return self._stored.intersection(names)
