"""The datasets behind URNs, asked of the store: what one question needs, however many datasets there are."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from headwater.datahub.aspects.reading import Name
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.named_datasets import named_by_urn
from headwater.fields.errors import DataHubError
from headwater.store.db.codes import NOW
from headwater.store.db.session import Session


class AskedNames:
    """The datasets behind URNs, each asked for once; good for as long as the answers may be a moment old.

    Args:
        naming: how URNs are made.
        reading: gives a transaction.
    """

    def __init__(self, naming: Naming, reading: Callable[[], AbstractContextManager[Session]]) -> None:
        self._naming = naming
        self._reading = reading
        self._found: dict[str, Name | DataHubError] = {}
        self._stored: set[Name] = set()

    def name_of(self, urn: str) -> Name:
        """The dataset of a URN.

        Raises:
            DataHubError: it is no URN of a dataset, or several datasets of the store have it.
        """
        if urn not in self._found:
            self.look_up([urn])
        found = self._found[urn]
        if isinstance(found, DataHubError):
            raise found
        return found

    def look_up(self, urns: Iterable[str]) -> None:
        """Ask for many at once."""
        wanted = [urn for urn in dict.fromkeys(urns) if urn not in self._found]
        if not wanted:
            return
        with self._reading() as session:
            names = named_by_urn(session, self._naming, wanted, NOW).names
        self._stored |= names.datasets
        for urn in wanted:
            try:
                self._found[urn] = names.name_of(urn)
            except DataHubError as error:  # noqa: PERF203  each is good or bad by itself
                self._found[urn] = error

    def add_stored(self, names: Iterable[Name]) -> None:
        """Note that the store has datasets."""
        self._stored |= set(names)

    def stored(self, names: Iterable[Name]) -> set[Name]:
        """Those of the names that the store had when it was asked."""
        return self._stored.intersection(names)
