"""Mappings under new names: what a mapping says of a dataset, said of the one that it became (rule 9).

A mapping under a new name is a row of its own, with edges into the fields of the new name. So whatever reads edges
knows nothing of renames. Its root is the mapping as an event says it; a name that comes back has the root itself.
"""

from collections.abc import Iterable, Iterator

from headwater.store.db.codes import FIELD_NUMBERS
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import Keys, dataset_of, find_or_add, hash_of, rows_of

_ROOTS = """
SELECT given.mapping, given.dataset, root.id, root.hash, root.dataset, root.structure, root.text, root.stamp,
       dataset.namespace, dataset.name
FROM {given} {join} mapping ON mapping.id = given.mapping
{join} mapping root ON root.id = coalesce(mapping.root, mapping.id)
{join} dataset ON dataset.id = given.dataset
"""
_UNDER_NEW_NAMES = """
SELECT mapping.id, mapping.dataset, given.id, root.dataset
FROM {given} {join} mapping ON mapping.root = given.id {join} mapping root ON root.id = given.id
"""
_EDGES = """
SELECT edge.mapping, edge.out_field, out.path, edge.ordinal, edge.in_field, source.path, edge.step, edge.description
FROM {given} {join} edge ON edge.mapping = given.id
LEFT JOIN field out ON out.id = edge.out_field
LEFT JOIN field source ON source.id = edge.in_field
"""
_UPDATE_STAMPS = """
UPDATE mapping SET stamp = (SELECT root.stamp FROM mapping root WHERE root.id = mapping.root)
WHERE mapping.root IN (SELECT id FROM {given})
"""


def under_new_names(keys: Keys, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """For each mapping and dataset, the mapping that says of the dataset what this one says of the old name."""
    wanted = Given("mapping int, dataset int", sorted(set(pairs)))
    found: dict[tuple[int, int], int] = {}
    rows: dict[bytes, Row] = {}
    places: dict[bytes, tuple[int, int, int]] = {}
    by_pair: dict[tuple[int, int], bytes] = {}
    for mapping, dataset, root, hashed, old, structure, text, stamp, namespace, name in keys.session.rows(
        _ROOTS, wanted
    ):
        if old == dataset:
            found[mapping, dataset] = root
            continue
        key = renamed_hash((namespace, name), bytes(hashed))
        by_pair[mapping, dataset] = key
        rows[key] = (key, dataset, bytes(structure), bytes(text), bytes(stamp), root)
        places[key] = (dataset, root, old)
    if rows:
        added, new = find_or_add(keys.session, "mapping", "hash, dataset, structure, text, stamp, root", rows)
        _add_edges(keys, [(added[key], *places[key]) for key in new])
        found |= {pair: added[key] for pair, key in by_pair.items()}
    return found


def refresh_under_new_names(keys: Keys, roots: Iterable[int]) -> None:
    """Take over the texts of roots that changed."""
    given = ids(roots)
    renamed = keys.session.rows(_UNDER_NEW_NAMES, given)
    if renamed:
        drop_edges(keys.session, (mapping for mapping, *_ in renamed))
        keys.session.run(_UPDATE_STAMPS, given)
        _add_edges(keys, renamed)


def drop_edges(session: Session, mappings: Iterable[int]) -> None:
    """Remove the edges of mappings."""
    session.run("DELETE FROM edge WHERE mapping IN (SELECT id FROM {given})", ids(mappings))


def renamed_hash(name: tuple[str, str], root: bytes) -> bytes:
    """What stands in all stores for a mapping under a new name: of the name, and the hash of its root."""
    return hash_of(name, "under a new name", root.hex())


def _add_edges(keys: Keys, renamed: list[tuple[int, int, int, int]]) -> None:
    """Write the edges of mappings under new names: mapping, dataset, root and the root's dataset."""
    by_root: dict[int, list[Row]] = {}
    for row in keys.session.rows(_EDGES, ids({root for _, _, root, _ in renamed})):
        by_root.setdefault(row[0], []).append(row)
    keys.fields(field for _, dataset, root, old in renamed for field in _fields(dataset, old, by_root.get(root, ())))
    fields = keys.cache.fields
    rows: list[Row] = []
    for mapping, dataset, root, old in renamed:
        for _, out, out_path, ordinal, source, source_path, step, text in by_root.get(root, ()):
            end = rows_of(dataset) if not out & FIELD_NUMBERS else fields[dataset, out_path]
            # What reads the table itself reads it under its new name.
            origin = source
            if source == rows_of(dataset):
                # It counted the rows of a table whose name it has now. From its own rows, an edge says something else.
                continue
            if dataset_of(source) == old:
                origin = fields[dataset, source_path] if source & FIELD_NUMBERS else rows_of(dataset)
            rows.append((mapping, end, ordinal, origin, step, text))
    columns = "mapping, out_field, ordinal, in_field, step, description"
    keys.session.insert("edge", columns, rows, conflict="(mapping, out_field, ordinal) DO NOTHING")


def _fields(dataset: int, old: int, edges: Iterable[Row]) -> Iterator[tuple[int, str]]:
    for _, out, out_path, _, source, source_path, *_ in edges:
        if out & FIELD_NUMBERS:
            yield dataset, out_path
        if dataset_of(source) == old and source & FIELD_NUMBERS:
            yield dataset, source_path
