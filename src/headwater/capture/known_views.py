"""Which definitions of views an application has sent, so that each is sent once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headwater.capture.fingerprints import fingerprint
from headwater.openlineage.naming.datasets import Catalog, Name
from headwater.rules.session.latest import Latest
from headwater.rules.statements.statements import Written

_MOST = 10_000


class KnownViews:
    """The views of one application, each with the definition that was sent last.

    Texts do not count: CREATE VIEW writes some expressions in another way than the plans that read the view.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._sent: Latest[Name, bytes] = Latest(most=_MOST)

    def new(self, views: Iterable[Written]) -> Iterator[Written]:
        """Those of the views whose definition was not sent yet; from now on they count as sent."""
        for view in views:
            name = self._catalog.name(view.dataset)
            if name is None:
                continue
            definition = fingerprint(view, self._catalog.name)
            if self._sent.get(name) != definition:
                yield view
            self._sent.keep(name, definition)

    def define(self, views: Iterable[Written]) -> None:
        """Note what CREATE VIEW and ALTER VIEW define."""
        for _ in self.new(views):
            pass

    def forget(self, writes: Iterable[Written]) -> None:
        """Forget what a statement writes, renames or drops under the name of a view: a later reading sends it."""
        if not self._sent:
            return
        for written in writes:
            for dataset in (written.dataset, written.previous):
                name = None if dataset is None else self._catalog.name(dataset)
                if name is not None:
                    self._sent.discard(name)
