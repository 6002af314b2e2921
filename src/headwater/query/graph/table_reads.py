"""What jobs read as tables, under any name of a dataset: inputs of which their lineage names no column."""

from collections.abc import Callable, Collection
from typing import TypeVar

from headwater.query.graph.aliases import Aliases
from headwater.store.db.session import Session
from headwater.store.reads.table_reads import named_by_mappings

T = TypeVar("T")


def not_named_otherwise(
    session: Session, aliases: Aliases, reads: Collection[T], mapping_and_dataset: Callable[[T], tuple[int | None, int]]
) -> list[T]:
    """Of mappings that name no column of a dataset, those that name none under another name of it either."""
    pairs = [mapping_and_dataset(read) for read in reads]
    aliases.learn_datasets({dataset for _, dataset in pairs})
    others = {dataset: aliases.other_names(dataset) for _, dataset in pairs}
    wanted = {(mapping, other) for mapping, dataset in pairs if mapping is not None for other in others[dataset]}
    named = named_by_mappings(session, sorted(wanted))
    return [
        read
        for read, (mapping, dataset) in zip(reads, pairs, strict=True)
        if mapping is None or not any((mapping, other) in named for other in others[dataset])
    ]
