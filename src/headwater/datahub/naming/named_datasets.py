"""The names and URNs of a store's datasets at a moment: of all, of some, or of those that some URNs may mean.

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
from headwater.store.db.session import Session
from headwater.store.model.short_names import last_part, short_hash, tail_of
from headwater.store.reads.aliases import Alias, alias_pairs, all_aliases
from headwater.store.reads.names import all_names, datasets_by_tail, names_by_id

# A name with more escapes than this in its last part is looked for with all or none of them.
_MOST_ESCAPES = 6


@dataclass(frozen=True)
class NamedDatasets:
    """Datasets by key: `every` includes aliases, under the names of the datasets they stand for; `shown` does not."""

    names: StoreNames
    every: dict[int, Name]
    shown: dict[int, Name]


def all_named(session: Session, naming: Naming, at: int) -> NamedDatasets:
    """All datasets of a store."""
    return _named(naming, all_names(session, "dataset"), all_aliases(session, at))


def some_named(session: Session, naming: Naming, keys: Collection[int], at: int) -> NamedDatasets:
    """Some datasets of a store, with their aliases and the datasets that these stand for."""
    stands_for = alias_pairs(session, keys, at, at, ["dataset"])
    physical = {*keys, *(dataset for _, dataset in stands_for)}
    aliases = {*stands_for, *alias_pairs(session, physical, at, at, ["physical"])}
    datasets = names_by_id(session, "dataset", physical | {alias for alias, _ in aliases})
    return _named(naming, datasets, aliases)


def named_by_urn(session: Session, naming: Naming, urns: Iterable[str], at: int) -> NamedDatasets:
    """The datasets that may have some URNs.

    A URN ends like the name that it was made from, and the store finds datasets by the last part of their names: only
    these few can have the URN.
    """
    if naming.lower_case:  # then names do not end as URNs do
        return all_named(session, naming, at)
    hashes = {tail for urn in urns for tail in _tail_hashes(naming, urn)}
    return some_named(session, naming, datasets_by_tail(session, hashes), at)


def _named(naming: Naming, datasets: dict[int, Name], aliases: Iterable[Alias]) -> NamedDatasets:
    physical = {alias: to for alias, to in aliases if alias != to}
    tables: dict[Name, list[Symlink]] = defaultdict(list)
    for alias, to in sorted(physical.items()):
        tables[datasets[to]].append(Symlink(*datasets[alias]))
    shown = {key: name for key, name in datasets.items() if key not in physical}
    every = {key: datasets[physical.get(key, key)] for key in datasets}
    return NamedDatasets(StoreNames(naming, shown.values(), tables), every, shown)


def _tail_hashes(naming: Naming, urn: str) -> Iterator[int]:
    try:
        full = str(Urn.parse(urn, "dataset").parts[1])
    except DataHubError:
        return
    # The root of a bucket is named by what follows it, with or without a slash; a dataset without another name has
    # that of its URN.
    rest = full.partition("/")[2]
    for written in {last_part(full), last_part(rest), last_part(f"/{rest}")}:
        yield from (short_hash(spelling.casefold()) for spelling in _spellings(written))
    yield tail_of(urn)
    yield from (tail_of(name) for (_, name), own in naming.datasets.items() if own == urn)


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
