"""Keys for what has a name or a hash: found, or made when first seen, always for many at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from headwater.common.column_path import ancestors
from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.limits import MOST_SPELLINGS, SHORT_TEXT, cut
from headwater.store.db.codes import FIELD_BITS, FIELD_NUMBERS, Kin, Kind
from headwater.store.db.session import Given, Row, Session, Soon, ids
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.search_terms import Entry, add_terms, field_entry, name_entry
from headwater.store.model.meaning import Name
from headwater.store.model.order import canonical, digest
from headwater.store.model.short_names import tail_of

_USUAL = 200
"""Characters of a path whose hash is remembered."""


def rows_of(dataset: int) -> int:
    """The node that stands for a dataset's rows."""
    return dataset << FIELD_BITS


def dataset_of(field: int) -> int:
    """The dataset of a field, or of a dataset's rows.

    >>> dataset_of(rows_of(7)), dataset_of(rows_of(7) + 3)
    (7, 7)
    """
    return field >> FIELD_BITS


def hash_of(*parts: object) -> bytes:
    """A hash of names or other plain values."""
    return digest(canonical(parts))


def path_hash(path: str) -> bytes:
    """The hash of a field's path."""
    return _path_hash(path) if len(path) <= _USUAL else hash_of(path)


# Tables have columns of the same names.
_path_hash = lru_cache(maxsize=50_000)(hash_of)


def ask_keys(session: Session, table: str, column: str, hashes: Iterable[bytes]) -> Soon:
    """Ask for the keys of rows by their hashes."""
    statement = f"SELECT t.{column}, t.id FROM {{given}} {{join}} {table} t ON t.{column} = given.hash"  # noqa: S608  our own words
    return session.soon(statement, Given("hash bytes", [(key,) for key in sorted(hashes)]))


def keys_by_hash(asked: Soon) -> dict[bytes, int]:
    """The keys that were asked for."""
    return {bytes(key): key_id for key, key_id in asked.rows()}


def find_or_add(
    session: Session, table: str, columns: str, rows: Mapping[bytes, Row]
) -> tuple[dict[bytes, int], set[bytes]]:
    """The keys of rows, by the hash in their first column; and which of them were not there before.

    Another process may add the same at the same time: then both are told that it is new, and write the same.
    """
    keys = keys_by_hash(ask_keys(session, table, columns.partition(",")[0], rows))
    new = rows.keys() - keys.keys()
    if new:
        keys |= add(session, table, columns, {key: rows[key] for key in new})
    return keys, new


def add(session: Session, table: str, columns: str, rows: Mapping[bytes, Row]) -> dict[bytes, int]:
    """The keys of rows that were not there; another process may have added them by now."""
    session.add_missing(table, columns, [rows[key] for key in sorted(rows)])
    return keys_by_hash(ask_keys(session, table, columns.partition(",")[0], rows))


class Keys:
    """Finds and makes keys in one transaction."""

    def __init__(self, session: Session, cache: Cache) -> None:
        self.session = session
        self.cache = cache

    def words(self, entries: Iterable[Entry]) -> None:
        """Make things findable by words."""
        if entries := list(entries):
            # The cache is emptied when the transaction is undone, so the words may be in it before it ends.
            self.cache.words |= add_terms(self.session, entries, self.cache.words)

    def datasets(self, names: Iterable[Name]) -> None:
        """Have the keys of datasets in the cache."""
        self._named("dataset", self.cache.datasets, names, Kind.DATASET)

    def jobs(self, names: Iterable[Name]) -> None:
        """Have the keys of jobs in the cache."""
        self._named("job", self.cache.jobs, names, Kind.JOB)

    def _named(self, table: str, known: dict[Name, int], names: Iterable[Name], kind: Kind) -> None:
        by_hash = {hash_of(*name): name for name in set(names) if name not in known}
        if not by_hash:
            return
        rows: dict[bytes, Row] = {key: (key, tail_of(name[1]), *name) for key, name in by_hash.items()}
        keys, new = find_or_add(self.session, table, "key, tail, namespace, name", rows)
        for key, name in by_hash.items():
            known[name] = keys[key]
        entries = [name_entry(kind, keys[key], *by_hash[key]) for key in sorted(new)]
        self.words(entries)

    def fields(self, pairs: Iterable[tuple[int, str]]) -> None:
        """Have the keys of fields in the cache; where a nested field is, so are the structs around it."""
        known = self.cache.fields
        missing = {field for field in pairs if field not in known}
        missing |= {
            (dataset, outer)
            for dataset, path in missing
            if "." in path
            for outer in ancestors(path)
            if (dataset, outer) not in known
        }
        if not missing:
            return
        self._look_up(missing)
        if missing := {field for field in missing if field not in known}:
            # Numbers are given out under the lock of the dataset; who waited for it looks again.
            self.session.lock("dataset", {dataset for dataset, _ in missing})
            self._look_up(missing)
            self._add_fields({field for field in missing if field not in known})

    def _look_up(self, fields: Iterable[tuple[int, str]]) -> None:
        given = Given("dataset int, key bytes", [(dataset, path_hash(path)) for dataset, path in sorted(fields)])
        rows = self.session.rows(
            "SELECT field.id, field.dataset, field.path FROM {given}"
            " {join} field ON field.dataset = given.dataset AND field.key = given.key",
            given,
        )
        for key, dataset, path in rows:
            self.cache.fields[dataset, path] = key

    def _add_fields(self, fields: Iterable[tuple[int, str]]) -> None:
        by_dataset: dict[int, list[str]] = defaultdict(list)
        for dataset, path in sorted(fields):
            by_dataset[dataset].append(path)
        if not by_dataset:
            return
        given = ids(by_dataset)
        counts: dict[int, int] = dict(
            self.session.rows("SELECT dataset.id, dataset.fields FROM {given} {join} dataset USING (id)", given)
        )
        existing: dict[int, dict[str, int]] = defaultdict(dict)
        for key, dataset, path in self.session.rows(
            "SELECT field.id, field.dataset, field.path FROM {given} {join} field ON field.dataset = given.id",
            ids(dataset for dataset in by_dataset if counts[dataset]),
        ):
            existing[dataset][path] = key
        rows: list[Row] = []
        kin: set[Row] = set()
        for dataset, paths in by_dataset.items():
            if counts[dataset] + len(paths) > FIELD_NUMBERS:
                raise self._too_many(dataset, counts[dataset] + len(paths))
            start = rows_of(dataset) + counts[dataset] + 1
            added = {path: start + place for place, path in enumerate(paths)}
            rows += [(key, dataset, path_hash(path), path) for path, key in added.items()]
            kin |= kin_of(existing[dataset] | added, added)
            for path, key in added.items():
                self.cache.fields[dataset, path] = key
        self.session.insert("field", "id, dataset, key, path", rows)
        self.session.insert("kin", "field, other, how", sorted(kin))
        self.session.run(
            "UPDATE dataset SET fields = dataset.fields + given.added FROM {given} WHERE dataset.id = given.id",
            Given("id int, added int", [(dataset, len(paths)) for dataset, paths in sorted(by_dataset.items())]),
        )
        entries = [field_entry(key, path) for key, _, _, path in rows]
        self.words(entries)

    def _too_many(self, dataset: int, count: int) -> BadEvent:
        names = self.session.rows("SELECT dataset.name FROM dataset WHERE dataset.id = :dataset", dataset=dataset)
        reason = f"would have {count:,} columns over all its events; the limit is {FIELD_NUMBERS:,}"
        return BadEvent("", f"The dataset {cut(names[0][0], SHORT_TEXT)} {reason}")


def kin_of(fields: Mapping[str, int], added: Mapping[str, int]) -> set[Row]:
    """Which fields of one dataset may stand for each other, as far as those added have to do with it.

    Of a name with more than `MOST_SPELLINGS` in upper and lower case, each means a column of its own.
    """
    spelled: dict[str, list[str]] = defaultdict(list)
    for path in fields:
        spelled[path.casefold()].append(path)
    inside = _insides(fields, {path.casefold() for path in added})
    pairs: set[Row] = set()
    for path in added:
        alike = _alike(path, spelled[path.casefold()])
        for other in alike:
            if other != path:
                pairs |= _pair(fields[path], fields[other], exact=False, same=True)
        for outer, whole in inside.get(path.casefold(), ()):
            if outer == path or outer in alike:  # of few spellings
                pairs |= _pair(fields[path], fields[whole], exact=outer == path, same=False)
        for outer in ancestors(path) if "." in path else ():
            for whole in _alike(outer, spelled.get(outer.casefold(), ())):
                pairs |= _pair(fields[whole], fields[path], exact=whole == outer, same=False)
    return pairs


def _insides(fields: Iterable[str], folded: AbstractSet[str]) -> dict[str, list[tuple[str, str]]]:
    """Structs and the paths in them, by what the struct is folded."""
    inside: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in fields:
        for outer in ancestors(path) if "." in path else ():
            if (fold := outer.casefold()) in folded:
                inside[fold].append((outer, path))
    return inside


def _alike(path: str, spelled: Sequence[str]) -> Sequence[str]:
    """The spellings of a path that may stand for it; itself is one of them, where it is there."""
    if len(spelled) <= MOST_SPELLINGS:
        return spelled
    return [path] if path in spelled else []


def _pair(outer: int, inner: int, *, exact: bool, same: bool) -> set[Row]:
    if exact and not same:
        return {(outer, inner, int(Kin.INSIDE)), (inner, outer, int(Kin.AROUND))}
    return {(outer, inner, int(Kin.ALIKE)), (inner, outer, int(Kin.ALIKE))}
