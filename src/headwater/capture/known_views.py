"""Which definitions of views an application has sent, so that each is sent once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from headwater.openlineage.naming.datasets import Catalog, Name
from headwater.rules.plan.sources import Sources
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
            definition = self._digest(view)
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

    def _digest(self, view: Written) -> bytes:
        """A hash of a view's columns and edges; of those up to the views that it reads, where it reads any."""
        shown = view.by_views or view
        content = [
            [field.name for field in view.schema],
            *((path, self._edges(sources)) for path, sources in sorted((shown.fields or {}).items())),
            self._edges(shown.rows),
        ]
        return blake2b(repr(content).encode(), digest_size=16).digest()

    def _edges(self, sources: Sources) -> list[tuple[str, ...]]:
        return sorted(
            (str(self._catalog.name(source.dataset)), source.field, *way)
            for source, marks in sources.items()
            for way in {(mark.how.name, str(mark.masking)) for mark in marks}
        )
