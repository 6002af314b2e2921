"""The datasets behind URNs, asked of the store: what one question needs, however many datasets there are.

A URN ends as the name does that it was made of, and the store finds datasets by the last part of their names: the few
that end so are all that can have the URN.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import product

from headwater.datahub.errors import DataHubError
from headwater.datahub.inventory import all_names
from headwater.datahub.names import Naming, Symlink
from headwater.datahub.reading import Name
from headwater.datahub.store_names import StoreNames
from headwater.datahub.urn import ESCAPED, Urn, unescape
from headwater.store.derive import FOREVER
from headwater.store.session import Given, Session, ids
from headwater.store.tails import last_part, short_hash

_BY_TAIL = """
SELECT dataset.id, dataset.namespace, dataset.name FROM {given} {join} dataset ON dataset.tail = given.tail
"""
_BY_ID = "SELECT dataset.id, dataset.namespace, dataset.name FROM {given} {join} dataset ON dataset.id = given.id"
_STAND_FOR = """
SELECT alias.dataset, alias.physical FROM {given} {join} alias ON alias.dataset = given.id
WHERE alias.until_us = :forever AND alias.dataset <> alias.physical
"""
_ALSO_KNOWN = """
SELECT alias.dataset, alias.physical FROM {given} {join} alias ON alias.physical = given.id
WHERE alias.until_us = :forever AND alias.dataset <> alias.physical
"""
# A name with more escapes than this in its last part is looked for with all or none of them.
_MOST_ESCAPES = 6


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
            if self._naming.lower_case:  # then names do not end as URNs do
                names = all_names(session, self._naming)
            else:
                names = self._candidates(session, {tail for urn in wanted for tail in self._tails(urn)})
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

    def _tails(self, urn: str) -> Iterator[int]:
        try:
            full = str(Urn.parse(urn, "dataset").parts[1])
        except DataHubError:
            return
        # Of the root of a bucket, the name is what follows it, with or without a slash.
        rest = full.partition("/")[2]
        for written in {last_part(full), last_part(rest), last_part(f"/{rest}")}:
            yield from map(short_hash, _spellings(written))
        yield from (short_hash(last_part(name)) for (_, name), given in self._naming.datasets.items() if given == urn)

    def _candidates(self, session: Session, tails: set[int]) -> StoreNames:
        datasets: dict[int, Name] = {
            key: (namespace, name)
            for key, namespace, name in session.rows(_BY_TAIL, Given("tail int", [(tail,) for tail in sorted(tails)]))
        }
        stand_for: dict[int, int] = dict(session.rows(_STAND_FOR, ids(datasets), forever=FOREVER))
        physical = (datasets.keys() | set(stand_for.values())) - stand_for.keys()
        also_known = session.rows(_ALSO_KNOWN, ids(physical), forever=FOREVER)
        others = (physical | {alias for alias, _ in also_known}) - datasets.keys()
        datasets |= {key: (namespace, name) for key, namespace, name in session.rows(_BY_ID, ids(others))}
        tables: dict[Name, list[Symlink]] = defaultdict(list)
        for alias, to in sorted(also_known):
            tables[datasets[to]].append(Symlink(*datasets[alias]))
        return StoreNames(self._naming, (datasets[key] for key in physical), tables)


def _spellings(written: str) -> Iterator[str]:
    """What a text may have been before it was escaped: a percent sign of its own is not escaped.

    >>> sorted(_spellings("a%2Cb"))
    ['a%2Cb', 'a,b']
    """
    pieces = ESCAPED.split(written)
    escapes = ESCAPED.findall(written)
    if len(escapes) > _MOST_ESCAPES:
        yield from {written, unescape(written)}
        return
    for chosen in product(*((escape, unescape(escape)) for escape in escapes)):
        yield "".join(part for pair in zip(pieces, (*chosen, ""), strict=True) for part in pair)
