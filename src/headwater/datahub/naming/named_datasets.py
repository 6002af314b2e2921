"""Which datasets of a store have which names and URNs at a moment: of all of them, of some, or of those of some URNs.

An alias stands for the dataset that it names; a dataset has the URN of the first table that it is also known as.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from headwater.datahub.aspects.reading import Name
from headwater.datahub.naming.datasets import Naming, Symlink
from headwater.datahub.naming.store_names import StoreNames
from headwater.fields.errors import DataHubError
from headwater.fields.urn import ESCAPED, Urn, unescape
from headwater.store.db.predicates import in_force
from headwater.store.db.session import Given, Session, ids
from headwater.store.entities.keys import hash_of
from headwater.store.model.short_names import last_part, short_hash

_ALL = "SELECT dataset.id, dataset.namespace, dataset.name FROM dataset"
_ALL_ALIASES = f"""
SELECT alias.dataset, alias.physical FROM alias WHERE {in_force("alias", ":at")}
"""  # noqa: S608  our own words
_BY_ID = "SELECT dataset.id, dataset.namespace, dataset.name FROM {given} {join} dataset ON dataset.id = given.id"
_BY_TAIL = "SELECT dataset.id FROM {given} {join} dataset ON dataset.tail = given.tail"
_STANDS_FOR = f"""
SELECT alias.dataset, alias.physical FROM {{given}}
{{join}} alias ON alias.dataset = given.id AND {in_force("alias", ":at")}
"""  # noqa: S608  our own words
_KNOWN_AS = f"""
SELECT alias.dataset, alias.physical FROM {{given}}
{{join}} alias ON alias.physical = given.id AND {in_force("alias", ":at")}
"""  # noqa: S608  our own words
# A name with more escapes than this in its last part is looked for with all or none of them.
_MOST_ESCAPES = 6


@dataclass(frozen=True)
class NamedDatasets:
    """Datasets by key: `every` has aliases too, under the name of what they stand for; `shown` has none."""

    names: StoreNames
    every: dict[int, Name]
    shown: dict[int, Name]

    @property
    def keys(self) -> dict[Name, set[int]]:
        """All keys of each dataset: its own, and those of its aliases."""
        found: dict[Name, set[int]] = defaultdict(set)
        for key, name in self.every.items():
            found[name].add(key)
        return found


def all_named(session: Session, naming: Naming, at: int) -> NamedDatasets:
    """All datasets of a store."""
    datasets = {key: (namespace, name) for key, namespace, name in session.rows(_ALL)}
    return _named(naming, datasets, session.rows(_ALL_ALIASES, at=at))


def some_named(session: Session, naming: Naming, keys: Collection[int], at: int) -> NamedDatasets:
    """Some datasets of a store, with their aliases and what they stand for."""
    stands_for = session.rows(_STANDS_FOR, ids(sorted(keys)), at=at)
    physical = {*keys, *(to for _, to in stands_for)}
    aliases = {*stands_for, *session.rows(_KNOWN_AS, ids(sorted(physical)), at=at)}
    wanted = physical | {alias for alias, _ in aliases}
    rows = session.rows(_BY_ID, ids(sorted(wanted)))
    return _named(naming, {key: (namespace, name) for key, namespace, name in rows}, aliases)


def named_by_urn(session: Session, naming: Naming, urns: Iterable[str], at: int) -> NamedDatasets:
    """The datasets that may have some URNs.

    A URN ends as the name does that it was made of, and the store finds datasets by the last part of their names: the
    few that end so are all that can have the URN.
    """
    if naming.lower_case:  # then names do not end as URNs do
        return all_named(session, naming, at)
    tails = {tail for urn in urns for tail in _tails(naming, urn)}
    rows = session.rows(_BY_TAIL, Given("tail int", [(tail,) for tail in sorted(tails)]))
    return some_named(session, naming, {key for (key,) in rows}, at)


def keys_of(session: Session, table: str, names: Iterable[Name]) -> list[int]:
    """The keys of datasets or jobs by their names."""
    statement = f"SELECT t.id FROM {{given}} {{join}} {table} t ON t.key = given.key"  # noqa: S608  our own word
    return [
        key for (key,) in session.rows(statement, Given("key bytes", [(hash_of(*name),) for name in sorted(names)]))
    ]


def _named(naming: Naming, datasets: dict[int, Name], aliases: Iterable[tuple[int, int]]) -> NamedDatasets:
    physical = {alias: to for alias, to in aliases if alias != to}
    tables: dict[Name, list[Symlink]] = defaultdict(list)
    for alias, to in sorted(physical.items()):
        tables[datasets[to]].append(Symlink(*datasets[alias]))
    shown = {key: name for key, name in datasets.items() if key not in physical}
    every = {key: datasets[physical.get(key, key)] for key in datasets}
    return NamedDatasets(StoreNames(naming, shown.values(), tables), every, shown)


def _tails(naming: Naming, urn: str) -> Iterator[int]:
    try:
        full = str(Urn.parse(urn, "dataset").parts[1])
    except DataHubError:
        return
    # Of the root of a bucket, the name is what follows it, with or without a slash; what has no other name is called
    # by the URN.
    rest = full.partition("/")[2]
    for written in {last_part(full), last_part(rest), last_part(f"/{rest}")}:
        yield from map(short_hash, _spellings(written))
    yield short_hash(last_part(urn))
    yield from (short_hash(last_part(name)) for (_, name), given in naming.datasets.items() if given == urn)


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
